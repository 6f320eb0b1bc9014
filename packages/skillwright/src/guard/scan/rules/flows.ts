// Rules about data that moves: from a secret to the network, from a download or a decoder to a command.

import { database } from '../flow/facts.ts';
import { type Flow, outwardSigns } from '../flow/trace-flows.ts';
import { usualHosts } from '../known-hosts.ts';
import { lineAround } from '../line-around.ts';
import { defineProbe } from '../probe.ts';
import { defineLooks } from '../scan-rule.ts';

const around = ({ to }: Flow): string => lineAround(to.layer.text, to.index, { before: 80, after: 160 });

/** Secrets that reach the network, in one statement or through names and files. */
export const secretsToNetwork = defineLooks({
  id: 'SCN301',
  name: 'secrets-to-network',
  category: 'exfiltration',
  severity: 'critical',
  summary: 'Reads secrets of the user and sends them over the network.',
  reason: 'Keys, cookies and wallets that leave the machine are lost, together with everything they open.',
  help: 'Do not run it. If it ran, change every key and password that it could read.',
  flows: [
    {
      kind: 'secret-sent',
      message: ({ what }) => `reads and sends secrets: ${what}`,
      // A skill about a well-known service may give it the settings of a project, and any of them rows to work on.
      counts: ({ what, host = '' }, { topic }) =>
        (what !== 'secrets files' && what !== database) ||
        !usualHosts.test(host) ||
        !(what === database || topic.toLowerCase().includes(host.split('.').at(-2)!)),
      excerpt: around,
    },
    { kind: 'variable-sent', message: ({ what }) => `${what} is encoded and sent`, excerpt: around },
  ],
});

/** Keys that go to another service. */
export const misdirectedKey = defineLooks({
  id: 'SCN307',
  name: 'misdirected-key',
  category: 'exfiltration',
  severity: 'high',
  summary: 'A request to one host carries the key of a service on another host.',
  reason: 'A key is for the service that issued it. Any other service that gets it can act as the user.',
  help: 'Do not run it. Give each service its own key.',
  flows: [
    {
      kind: 'key-misdirected',
      message: ({ what, host }) => `${what} is sent to ${host ?? 'another service'}`,
    },
  ],
});

/** Evaluation of a server's response. */
export const remoteEval = defineLooks({
  id: 'SCN203',
  name: 'remote-eval',
  category: 'remote-code',
  severity: 'critical',
  summary: 'A script evaluates code, or unpickles objects, that it gets over the network.',
  reason: 'The server can make the script do anything, at any time.',
  help: 'Do not run the script.',
  flows: [{ kind: 'remote-eval', message: 'evaluates code from the network' }],
});

const runs = defineProbe(
  /base64\s{1,3}(?:-d|-D|--decode|-di)\b[^\n|]{0,60}\|\s{0,3}(?:sudo\s{1,2})?(?:\/bin\/)?(?:(?:ba|z|da)?sh|python[\d.]{0,4}|perl|node|source|xargs)\b|(?:xxd -r -p|openssl enc[^\n]{0,60}-d)[^\n|]{0,60}\|\s{0,3}(?:ba|z)?sh\b|\b(?:eval|(?:ba|z)?sh\s{1,2}-c|source)\s{1,3}["']?(?:\$\(|`|<\()[^\n]{0,200}base64\s{1,3}(?:-d|-D|--decode)|\b(?:exec|eval|compile|__import__\(["']builtins["']\)\.exec|getattr\([^\n]{0,60}\))\s{0,2}\(\s{0,2}(?:[\w.]{1,40}\(\s{0,2}){0,5}(?:[\w.]{0,20}b64decode|[\w.]{0,20}unhexlify|bytes\.fromhex|bytearray\.fromhex|marshal\.loads|zlib\.decompress|codecs\.decode|base64\.\w{3,12}decode|atob\(|Buffer\.from\([^\n]{0,4000}["'](?:base64|hex)["']|String\.fromCharCode|unescape\()|\b(?:eval|Function|setTimeout)\s{0,2}\(\s{0,2}(?:atob\(|Buffer\.from\(|String\.fromCharCode|unescape\(|decodeURIComponent\()|(?:os\.system|os\.popen|subprocess\.(?:run|call|Popen|check_output|getoutput)|exec(?:Sync)?|spawn(?:Sync)?|system|shell_exec)\(\s{0,2}\[?(?:["'](?:ba)?sh["'],\s?["']-c["'],\s?)?(?:[\w.]{1,40}\(\s{0,2}){0,3}(?:[\w.]{0,20}b64decode|bytes\.fromhex|[\w.]{0,20}unhexlify|Buffer\.from\([^\n]{0,4000}["'](?:base64|hex)["']|atob\(|String\.fromCharCode|codecs\.decode|base64_decode)|powershell(?:\.exe)?\b[^\n]{0,80}\s-e(?:nc|c|ncodedcommand)?\s{1,3}["']?[A-Za-z0-9+/=]{16,8000}|FromBase64String\([^\n]{0,4000}(?:iex|Invoke-Expression)|(?:iex|Invoke-Expression)[^\n]{0,120}FromBase64String|eval\s{0,2}\(\s{0,2}(?:gzinflate|base64_decode|str_rot13)\(/gi,
  {
    needs:
      '.fromhe,atob(,base64,buffer.from(,decode,gzinflate(,marshal.loads,openssl enc,powershell,str_rot13(,string.fromcharc,unescape(,unhexlify,xxd -r -p,zlib.decompress',
    reach: 8200,
  },
);

/** Code that is decoded and run. */
export const encodedExecution = defineLooks({
  id: 'SCN601',
  name: 'encoded-execution',
  category: 'obfuscation',
  severity: 'critical',
  summary: 'Decodes base64, hexadecimal or character codes and runs the result.',
  reason: 'Code is encoded for one reason: to keep people from reading it.',
  help: 'Do not run it. Decode it and read what it does.',
  looks: [
    {
      probe: runs,
      message: 'runs encoded code',
      // Without the code it is a description.
      counts: (match) =>
        match.file.kind !== 'instructions' || !/["'(]\s?(?:\.\.\.|…)/.test(match.around(0, 8)),
      severity: ({ file }, { isAboutSecurity }) =>
        file.kind === 'instructions' && isAboutSecurity ? 'medium' : undefined,
    },
  ],
  flows: [{ kind: 'decoded-run', message: 'decodes something and runs it', severity: 'high', isFirst: true }],
});

/** An address, and nothing else, in encoded text. */
const hidden = defineProbe(/^\s{0,4}(?:https?|wss?):\/\/(?!localhost|127\.)[^\s"'<>]{4,300}\s{0,4}$/gi, {
  needs: 'http://,https://,ws://,wss://',
  hiddenOnly: true,
});

/** Addresses that are decoded before a request. */
export const encodedAddress = defineLooks({
  id: 'SCN604',
  name: 'encoded-address',
  category: 'obfuscation',
  severity: 'high',
  summary: 'Decodes the address of a request first.',
  reason: 'An encoded address is meant not to be found.',
  help: 'Do not run it. Decode the address and find out who owns it.',
  looks: [
    {
      probe: hidden,
      message: 'contains an encoded address and uses the network',
      counts: ({ file, layer }, subject) =>
        layer.via !== 'percent encoding' && file.kind !== 'config' && subject.mentions(file, outwardSigns),
      isFirst: true,
    },
  ],
  flows: [
    {
      kind: 'decoded-address',
      message: 'decodes the address of a request first',
      severity: 'medium',
      isFirst: true,
    },
  ],
});
