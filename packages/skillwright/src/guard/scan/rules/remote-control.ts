// SCN207: a program that runs commands from outside, or opens the machine to the outside.

import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const served = defineProbe(
  /\b(?:exec(?:Sync|FileSync|File)?|spawn(?:Sync)?|system|popen|getoutput|check_output|eval|run)\(\s{0,2}(?:\w{1,12}\.)?(?:req(?:uest)?|q|ctx|context|self)\.(?:body|query|params|args|form|headers|path|json)\b[^\n]{0,60}|\b(?:exec(?:Sync)?|system|popen|getoutput|check_output|eval)\(\s{0,2}(?:q|qs|query|params|args|form|body|data)\s{0,2}\[\s{0,2}["'][\w-]{1,20}["']\s{0,2}\][^\n]{0,40}|\bos\.system\(\s{0,2}request\.[^\n]{0,60}|\bsubprocess\.(?:run|Popen|getoutput|check_output)\(\s{0,2}(?:q|params|query|request)[[.][^\n]{0,60}/gi,
  {
    needs:
      'check_output(,eval(,exec(,execfile,execsync(,getou,popen,run(,spawn(,spawnsync(,subprocess.check,system(',
  },
);

const opened = defineProbe(
  /(?<![\w-])ssh\s[^\n]{0,120}-R\s{0,2}\d{0,5}:?(?:localhost|127\.0\.0\.1):22\b[^\n]{0,120}|\bmcp-remote\b[^\n]{0,60}["'\s]http:\/\/(?!localhost|127\.)[^\n]{0,80}|\bchisel\s{1,2}client\s[^\n]{0,80}R:[^\n]{0,40}/gi,
  { needs: '127.0.0.1:22,chisel,localhost:22,mcp-remote' },
);

/** Reports web shells, and tunnels into the machine. */
export const remoteControl: ScanRule = {
  id: 'SCN207',
  name: 'remote-control',
  category: 'remote-code',
  severity: 'high',
  summary: 'Runs a command taken from a request, or opens a way into the machine.',
  reason: 'Anyone who finds the way in acts on the machine as the user.',
  help: 'Do not run it.',
  *check(subject) {
    for (const match of subject.matches(served))
      if (match.file.kind === 'script' && match.zone !== 'comment')
        yield {
          message: 'runs a command taken from a request',
          match,
          confidence: subject.weigh(match) * 0.9,
        };
    for (const match of subject.matches(opened)) {
      if (match.isRemark) continue;
      yield {
        message: 'opens a way into the machine',
        match,
        confidence: subject.weigh(match) * 0.7,
      };
    }
  },
};
