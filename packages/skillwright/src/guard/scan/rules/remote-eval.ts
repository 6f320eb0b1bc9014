// SCN203: evaluates code from the network.

import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const evaluated = defineProbe(
  /(?<![\w.])(?:exec|eval|compile)\s{0,2}\(\s{0,2}(?:[\w.]{1,40}\(\s{0,2}){0,4}(?:requests|httpx|urllib(?:\.request)?|urlopen|u|r|fetch|axios|http)\b[^\n]{0,160}(?:\.text|\.content|\.read\(|\.data|\.decode|get\(|urlopen)[^\n]{0,60}|\b(?:exec|eval)\s{0,2}\(\s{0,2}(?:resp(?:onse)?|res|r|body|payload|remote|code|data|content|script|stage\d?)(?:\.(?:text|content|data|read\(\)|body))(?:\.decode\(\))?\s{0,2}[,)]|\.then\(\s{0,2}(?:eval|\(?\w{1,20}\)?\s?=>\s?(?:eval|new Function|Function)\()|new Function\([^\n]{0,60}(?:await|fetch|response|axios|res\.data)|\b(?:pickle|marshal|dill)\.loads\s{0,2}\([^\n]{0,40}(?:requests|urlopen|\.content\b|response|recv\(|httpx|b64decode)|\b(?:torch|joblib|pickle|dill)\.load\(\s{0,2}["']https?:[^\n]{0,120}|vm\.run\w{0,16}\([^\n]{0,40}(?:body|response|res\.data)\b|\beval\s{0,2}\(\s{0,2}(?:await\s{1,2})?\(?\s{0,2}(?:await\s{1,2})?fetch\(/gi,
  {
    needs:
      '.body,.content,.data,.decode,.read(,.text,.then(,dill.load,fetch(,get(,joblib.load(,marshal.loads,new function(,pickle.load,torch.load(,urlopen,vm.run',
  },
);

/** Reports evaluation of a server's response. */
export const remoteEval: ScanRule = {
  id: 'SCN203',
  name: 'remote-eval',
  category: 'remote-code',
  severity: 'critical',
  summary: 'A script evaluates code, or unpickles objects, that it gets over the network.',
  reason: 'The server can make the script do anything, at any time.',
  help: 'Do not run the script.',
  *check(subject) {
    for (const match of subject.matches(evaluated))
      yield {
        message: 'evaluates code from the network',
        match,
        confidence: subject.weigh(match),
      };
  },
};
