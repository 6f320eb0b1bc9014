// SCN601: code that is decoded and run.

import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const runs = defineProbe(
  /base64\s{1,3}(?:-d|-D|--decode|-di)\b[^\n|]{0,60}\|\s{0,3}(?:sudo\s{1,2})?(?:\/bin\/)?(?:(?:ba|z|da)?sh|python[\d.]{0,4}|perl|node|source|xargs)\b|(?:xxd -r -p|openssl enc[^\n]{0,60}-d)[^\n|]{0,60}\|\s{0,3}(?:ba|z)?sh\b|\b(?:eval|(?:ba|z)?sh\s{1,2}-c|source)\s{1,3}["']?(?:\$\(|`|<\()[^\n]{0,200}base64\s{1,3}(?:-d|-D|--decode)|\b(?:exec|eval|compile|__import__\(["']builtins["']\)\.exec|getattr\([^\n]{0,60}\))\s{0,2}\(\s{0,2}(?:[\w.]{1,40}\(\s{0,2}){0,5}(?:[\w.]{0,20}b64decode|[\w.]{0,20}unhexlify|bytes\.fromhex|bytearray\.fromhex|marshal\.loads|zlib\.decompress|codecs\.decode|base64\.\w{3,12}decode|atob\(|Buffer\.from\([^\n]{0,4000}["'](?:base64|hex)["']|String\.fromCharCode|unescape\()|\b(?:eval|Function|setTimeout)\s{0,2}\(\s{0,2}(?:atob\(|Buffer\.from\(|String\.fromCharCode|unescape\(|decodeURIComponent\()|(?:os\.system|os\.popen|subprocess\.(?:run|call|Popen|check_output|getoutput)|exec(?:Sync)?|spawn(?:Sync)?|system|shell_exec)\(\s{0,2}\[?(?:["'](?:ba)?sh["'],\s?["']-c["'],\s?)?(?:[\w.]{1,40}\(\s{0,2}){0,3}(?:[\w.]{0,20}b64decode|bytes\.fromhex|[\w.]{0,20}unhexlify|Buffer\.from\([^\n]{0,4000}["'](?:base64|hex)["']|atob\(|String\.fromCharCode|codecs\.decode|base64_decode)|powershell(?:\.exe)?\b[^\n]{0,80}\s-e(?:nc|c|ncodedcommand)?\s{1,3}["']?[A-Za-z0-9+/=]{16,8000}|FromBase64String\([^\n]{0,4000}(?:iex|Invoke-Expression)|(?:iex|Invoke-Expression)[^\n]{0,120}FromBase64String|eval\s{0,2}\(\s{0,2}(?:gzinflate|base64_decode|str_rot13)\(/gi,
  {
    needs:
      '.fromhe,atob(,base64,buffer.from(,decode,gzinflate(,marshal.loads,openssl enc,powershell,str_rot13(,string.fromcharc,unescape(,unhexlify,xxd -r -p,zlib.decompress',
    reach: 8200,
  },
);

/** Reports code that is decoded and run. */
export const encodedExecution: ScanRule = {
  id: 'SCN601',
  name: 'encoded-execution',
  category: 'obfuscation',
  severity: 'critical',
  summary: 'Decodes base64, hexadecimal or character codes and runs the result.',
  reason: 'Code is encoded for one reason: to keep people from reading it.',
  help: 'Do not run it. Decode it and read what it does.',
  *check(subject) {
    const seen = new Set<unknown>();
    for (const match of subject.matches(runs)) {
      seen.add(match.file);
      const shown = match.file.kind === 'instructions' && subject.isAboutSecurity;
      yield {
        message: 'runs encoded code',
        match,
        ...(shown ? { severity: 'medium' } : {}),
        confidence: subject.weigh(match),
      };
    }
    for (const { kind, from, to } of subject.flows) {
      if (kind !== 'decoded-run' || seen.has(to.file)) continue;
      seen.add(to.file);
      yield {
        message: 'decodes something and runs it',
        match: to,
        severity: 'high',
        confidence: Math.min(subject.weigh(from), subject.weigh(to)),
      };
    }
  },
};
