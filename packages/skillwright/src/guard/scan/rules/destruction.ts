// SCN921: commands and programs that destroy data, lock files or exhaust the machine.

import { lineAround } from '../line-around.ts';
import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const wipes = defineProbe(
  /\brm[ \t]{1,3}-(?:rf|fr|r\s{1,2}-f|f\s{1,2}-r)\w{0,4}\s{1,3}(?:--no-preserve-root\s{1,2})?["']?(?:\/(?=\s|["';&|)]|$|\*)|~\/?(?=\s|["';&|)*]|$)|\$HOME\/?(?=\s|["';&|)*]|$)|\$\{HOME\}\/?(?=\s|["';&|)*]|$)|~\/(?:Documents|Desktop|Pictures|Downloads|\*))|rmtree\(\s{0,2}(?:os\.path\.expanduser\(["']~["']\)|Path\.home\(\)|["']\/["']|home\b)|rm(?:dir)?Sync\(\s{0,2}os\.homedir\(\)|\bmkfs(?:\.\w{2,5})?\s{1,3}\/dev\/|\bdd\s{1,3}if=\/dev\/(?:zero|u?random)\s{1,3}of=\/dev\/|\bshred\s[^\n]{0,40}(?:~|\$HOME|\/home|\/dev\/sd)|:\(\)\s?\{\s?:\|:&\s?\};:|Remove-Item\s[^\n]{0,40}(?:\$HOME|\$env:USERPROFILE|C:\\{1,2}\*?)\s[^\n]{0,30}-Recurse|diskutil eraseDisk|del\s{1,2}\/[sfq][^\n]{0,20}C:\\/gi,
  { needs: ':|:&,c:\\,diskutil erasedi,mkfs,of=/dev/,os.homedir(),remove-item,rm\t,rm ,rmtree,shred' },
);

const ransom = defineProbe(
  /\b(?:files?|data|documents?) (?:have been|has been|are|were) (?:encrypted|locked)\b|(?:\.locked|\.encrypted|\.crypt)["'][\s\S]{0,240}?(?:os\.remove|unlink|os\.rename)|(?:os\.walk|rglob|glob)\([\s\S]{0,400}?\.encrypt\([\s\S]{0,200}?(?:os\.remove|os\.rename|unlink|write)|\b(?:send|pay)\s[\d.]{1,8}\s?(?:BTC|XMR|ETH|bitcoin)\b/gi,
  {
    needs:
      '.encrypt(,are enc,are lo,bitcoin,btc,documents are en,eth,has be,have b,os.remove,os.rename,unlink,were e,were l,xmr',
    reach: 700,
  },
);

const miner = defineProbe(
  /\bxmrig\b|stratum\+(?:tcp|ssl):\/\/|\bminerd\b|\bcpuminer\b|\bcryptonight\b|\bcoinhive\b|\bethminer\b|\bminexmr\b|\bsupportxmr\b/gi,
  { needs: 'coinhive,cryptonight,miner,minexmr,stratum,supportxmr,xmrig' },
);

const exhausts = defineProbe(
  /while True:\s{0,20}os\.fork\(\)|while\s?\(?true\)?\s?[:;{]?\s{0,20}(?:do\s{1,4})?(?:fork\(|yes > \/dev\/null)|(?:while True:|while\s?\(true\)\s?\{)\s{0,40}\w{1,20}(?:\.append|\.push|\s?\+=)\([^\n]{0,40}(?:\*\s?1024|\.repeat\(|alloc\()|(?:for \w{1,10} in range\(\d{4,9}\)|while True):?[\s\S]{0,80}?(?:Thread|Process)\([^\n]{0,60}\)\.start\(\)/gi,
  { needs: '(true),).start(),fork(,while true:,yes > /dev/null' },
);

/** Reports wiping, ransom, mining and exhaustion. */
export const destruction: ScanRule = {
  id: 'SCN921',
  name: 'destruction',
  category: 'destruction',
  severity: 'high',
  summary: "Wipes or locks the user's files, or uses the machine for mining or overloads it.",
  reason: 'The damage is done before anyone can stop it.',
  help: 'Do not run it.',
  *check(subject) {
    const runs = (match: { file: { kind: string }; zone: string; layer: { via?: string } }) =>
      (match.file.kind === 'script' && match.zone !== 'comment') ||
      match.file.kind === 'config' ||
      match.layer.via !== undefined;
    for (const match of subject.matches(wipes)) {
      const program = runs(match);
      const line = lineAround(match.layer.text, match.index, { before: 160, after: 120 });
      const guarded = /block|deny|dangerous|forbid|refuse|reject|pattern|prevent|guard|regex|never/i.test(
        line,
      );
      yield {
        message: "wipes the user's files or a whole disk",
        match,
        severity: program && !guarded ? 'critical' : 'medium',
        confidence: subject.weigh(match) * (guarded ? 0.3 : program ? 1 : 0.7),
      };
    }
    for (const match of subject.matches(ransom)) {
      if (!runs(match)) continue;
      const strong = /\b(?:BTC|XMR|bitcoin)\b|encrypted\b.*files|files.*encrypted|\.locked/i.test(match.text);
      yield {
        message: 'encrypts files and removes the originals',
        match,
        severity: strong ? 'critical' : 'high',
        confidence: subject.weigh(match) * (strong ? 1 : 0.5),
      };
    }
    for (const match of subject.matches(miner)) {
      const announced = /\bmin(?:e|er|ing)\b|crypto|blockchain/i.test(subject.topic);
      if (match.file.kind === 'instructions' && match.zone === 'prose') continue;
      yield {
        message: 'uses the machine for mining',
        match,
        severity: runs(match) ? 'critical' : 'medium',
        confidence: subject.weigh(match) * (announced ? 0.4 : 1),
      };
    }
    for (const match of subject.matches(exhausts)) {
      if (!runs(match)) continue;
      yield {
        message: 'overloads the machine without end',
        match,
        severity: 'medium',
        confidence: subject.weigh(match) * 0.7,
      };
    }
  },
};
