// SCN101: keys and tokens in the files of a skill.

import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const knownForms = defineProbe(
  /(?<![\w-])(?:(?:AKIA|ASIA)[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60,90}|glpat-[\w-]{20}|sk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,180}|xox[bp]-[0-9A-Za-z-]{24,90}|AIza[0-9A-Za-z_-]{35}|[sr]k_live_[0-9A-Za-z]{24,60}|npm_[A-Za-z0-9]{36}|skwr_[A-Za-z0-9_-]{43}|SG\.[\w-]{22}\.[\w-]{43}|ya29\.[\w-]{40,200}|pypi-[\w-]{60,200}|hf_[A-Za-z0-9]{34}|dop_v1_[0-9a-f]{64})(?![\w-])|-----BEGIN (?:RSA |EC |OPENSSH |DSA |PGP )?PRIVATE KEY(?: BLOCK)?-----\s{0,3}[A-Za-z0-9+/=\s]{64,200}|hooks\.slack\.com\/services\/T[0-9A-Z]{8,12}\/B[0-9A-Z]{8,12}\/[0-9A-Za-z]{24}/g,
  {
    needs:
      '-begin,aiza,akia,asia,dop_v1_,gho_,ghp_,ghr_,ghs_,ghu_,github_pat_,glpat-,hf_,hooks.slack.com/,npm_,pypi-,rk_live_,sg.,sk-,sk_live_,skwr_,xoxb-,xoxp-,ya29.',
  },
);

const placeholder =
  /x{4,}|0{6,}|1234|abcd|example|your|placeholder|dummy|fake|sample|test|redacted|\.\.\.|<|\*{3,}|(.)\1{5,}/i;

/** Whether a key is as random as a real one. */
function isRandom(text: string): boolean {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / text.length) * Math.log2(count / text.length);
  return entropy > 3.2;
}

/** Reports secrets in the formats that services issue. */
export const hardCodedSecret: ScanRule = {
  id: 'SCN101',
  name: 'hard-coded-secret',
  category: 'secrets',
  severity: 'medium',
  summary: 'A file contains a private key, or a key or token of a known service.',
  reason:
    'Everyone who gets the skill gets the secret, and a skill with its own key may collect what is done with it.',
  help: 'Ask the author to revoke the secret and read it from the environment instead.',
  *check(subject) {
    for (const match of subject.matches(knownForms)) {
      if (match.layer.via !== undefined || placeholder.test(match.text) || !isRandom(match.text)) continue;
      const shown = match.text.startsWith('-----')
        ? match.text.split('\n')[0]!.slice(0, 40)
        : `${match.text.slice(0, 8)}…`;
      const kind = match.text.startsWith('-----') ? 'a private key' : 'a key or token';
      yield {
        message: `contains ${kind}`,
        match,
        excerpt: shown,
        confidence: match.file.isExample ? 'low' : 'high',
      };
    }
  },
};
