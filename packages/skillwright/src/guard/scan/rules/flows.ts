// Rules about data that moves: from a secret to the network, from a download or a decoder to a command.

import { outwardSigns } from '../flow/trace-flows.ts';
import { lineAround } from '../line-around.ts';
import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

/** SCN208: programs that a skill writes to a temporary directory and starts. */
export const temporaryProgram: ScanRule = {
  id: 'SCN208',
  name: 'temporary-program',
  category: 'remote-code',
  severity: 'medium',
  summary: 'Writes a file to a temporary directory and runs it.',
  reason: 'The program is not part of the reviewed skill, and it is gone afterwards.',
  help: 'Find out what it writes there before you run it.',
  *check(subject) {
    for (const flow of subject.flows) {
      const { kind, from, to } = flow;
      if (kind === 'temporary-run' && !to.file.isExample)
        yield {
          message: 'writes a file to a temporary directory and runs it',
          match: to,
          flow,
          confidence: Math.min(subject.weigh(from), subject.weigh(to)),
        };
    }
  },
};

/** SCN301: secrets that reach the network, in one statement or through names and files. */
export const secretsToNetwork: ScanRule = {
  id: 'SCN301',
  name: 'secrets-to-network',
  category: 'exfiltration',
  severity: 'critical',
  summary: 'Reads secrets of the user and sends them over the network.',
  reason: 'Keys, cookies and wallets that leave the machine are lost, together with everything they open.',
  help: 'Do not run it. If it ran, change every key and password that it could read.',
  *check(subject) {
    for (const flow of subject.flows) {
      if (flow.kind !== 'secret-sent' && flow.kind !== 'variable-sent') continue;
      const { from, to, what } = flow;
      yield {
        message:
          flow.kind === 'secret-sent' ? `reads and sends secrets: ${what}` : `${what} is encoded and sent`,
        match: to,
        flow,
        excerpt: lineAround(to.layer.text, to.index, { before: 80, after: 160 }),
        confidence: Math.min(subject.weigh(from), subject.weigh(to)),
      };
    }
  },
};

/** SCN307: keys that go to another service. */
export const misdirectedKey: ScanRule = {
  id: 'SCN307',
  name: 'misdirected-key',
  category: 'exfiltration',
  severity: 'high',
  summary: 'A request to one host carries the key of a service on another host.',
  reason: 'A key is for the service that issued it. Any other service that gets it can act as the user.',
  help: 'Do not run it. Give each service its own key.',
  *check(subject) {
    for (const flow of subject.flows) {
      if (flow.kind !== 'key-misdirected') continue;
      const { from, to, what, host } = flow;
      yield {
        message: `${what} is sent to ${host ?? 'another service'}`,
        match: to,
        flow,
        confidence: Math.min(subject.weigh(from), subject.weigh(to)),
      };
    }
  },
};

/** SCN203: evaluation of a server's response. */
export const remoteEval: ScanRule = {
  id: 'SCN203',
  name: 'remote-eval',
  category: 'remote-code',
  severity: 'critical',
  summary: 'A script evaluates code, or unpickles objects, that it gets over the network.',
  reason: 'The server can make the script do anything, at any time.',
  help: 'Do not run the script.',
  *check(subject) {
    for (const flow of subject.flows)
      if (flow.kind === 'remote-eval')
        yield {
          message: 'evaluates code from the network',
          match: flow.to,
          flow,
          confidence: Math.min(subject.weigh(flow.from), subject.weigh(flow.to)),
        };
  },
};

const runs = defineProbe(
  /base64\s{1,3}(?:-d|-D|--decode|-di)\b[^\n|]{0,60}\|\s{0,3}(?:sudo\s{1,2})?(?:\/bin\/)?(?:(?:ba|z|da)?sh|python[\d.]{0,4}|perl|node|source|xargs)\b|(?:xxd -r -p|openssl enc[^\n]{0,60}-d)[^\n|]{0,60}\|\s{0,3}(?:ba|z)?sh\b|\b(?:eval|(?:ba|z)?sh\s{1,2}-c|source)\s{1,3}["']?(?:\$\(|`|<\()[^\n]{0,200}base64\s{1,3}(?:-d|-D|--decode)|\b(?:exec|eval|compile|__import__\(["']builtins["']\)\.exec|getattr\([^\n]{0,60}\))\s{0,2}\(\s{0,2}(?:[\w.]{1,40}\(\s{0,2}){0,5}(?:[\w.]{0,20}b64decode|[\w.]{0,20}unhexlify|bytes\.fromhex|bytearray\.fromhex|marshal\.loads|zlib\.decompress|codecs\.decode|base64\.\w{3,12}decode|atob\(|Buffer\.from\([^\n]{0,4000}["'](?:base64|hex)["']|String\.fromCharCode|unescape\()|\b(?:eval|Function|setTimeout)\s{0,2}\(\s{0,2}(?:atob\(|Buffer\.from\(|String\.fromCharCode|unescape\(|decodeURIComponent\()|(?:os\.system|os\.popen|subprocess\.(?:run|call|Popen|check_output|getoutput)|exec(?:Sync)?|spawn(?:Sync)?|system|shell_exec)\(\s{0,2}\[?(?:["'](?:ba)?sh["'],\s?["']-c["'],\s?)?(?:[\w.]{1,40}\(\s{0,2}){0,3}(?:[\w.]{0,20}b64decode|bytes\.fromhex|[\w.]{0,20}unhexlify|Buffer\.from\([^\n]{0,4000}["'](?:base64|hex)["']|atob\(|String\.fromCharCode|codecs\.decode|base64_decode)|powershell(?:\.exe)?\b[^\n]{0,80}\s-e(?:nc|c|ncodedcommand)?\s{1,3}["']?[A-Za-z0-9+/=]{16,8000}|FromBase64String\([^\n]{0,4000}(?:iex|Invoke-Expression)|(?:iex|Invoke-Expression)[^\n]{0,120}FromBase64String|eval\s{0,2}\(\s{0,2}(?:gzinflate|base64_decode|str_rot13)\(/gi,
  {
    needs:
      '.fromhe,atob(,base64,buffer.from(,decode,gzinflate(,marshal.loads,openssl enc,powershell,str_rot13(,string.fromcharc,unescape(,unhexlify,xxd -r -p,zlib.decompress',
    reach: 8200,
  },
);

/** SCN601: code that is decoded and run. */
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
    for (const flow of subject.flows) {
      const { kind, from, to } = flow;
      if (kind !== 'decoded-run' || seen.has(to.file)) continue;
      seen.add(to.file);
      yield {
        message: 'decodes something and runs it',
        match: to,
        flow,
        severity: 'high',
        confidence: Math.min(subject.weigh(from), subject.weigh(to)),
      };
    }
  },
};

/** An address, and nothing else, in encoded text. */
const hidden = defineProbe(/^\s{0,4}(?:https?|wss?):\/\/(?!localhost|127\.)[^\s"'<>]{4,300}\s{0,4}$/gi, {
  needs: 'http://,https://,ws://,wss://',
  hiddenOnly: true,
});

/** SCN604: addresses that are decoded before a request. */
export const encodedAddress: ScanRule = {
  id: 'SCN604',
  name: 'encoded-address',
  category: 'obfuscation',
  severity: 'high',
  summary: 'Decodes the address of a request first.',
  reason: 'An encoded address is meant not to be found.',
  help: 'Do not run it. Decode the address and find out who owns it.',
  *check(subject) {
    const seen = new Set<unknown>();
    for (const match of subject.matches(hidden)) {
      if (match.layer.via === 'percent encoding' || match.file.kind === 'config' || seen.has(match.file))
        continue;
      if (!subject.mentions(match.file, outwardSigns)) continue;
      seen.add(match.file);
      yield { message: 'contains an encoded address and uses the network', match };
    }
    for (const flow of subject.flows) {
      const { kind, from, to } = flow;
      if (kind !== 'decoded-address' || seen.has(to.file)) continue;
      seen.add(to.file);
      yield {
        message: 'decodes the address of a request first',
        match: to,
        flow,
        severity: 'medium',
        confidence: Math.min(subject.weigh(from), subject.weigh(to)),
      };
    }
  },
};
