// SCN302: scripts that talk to drop sites, bare addresses and similar destinations.

import { defineProbe, occursIn } from '../probe.ts';
import { dropSites, freeHosts, networkSends, numericHosts, tellingHosts } from '../probes/network-sinks.ts';
import type { ScanRule } from '../scan-rule.ts';

const pushes = defineProbe(
  /\bgit (?:push|remote add\s\S{1,30})\s{1,3}["']?https?:\/\/(?!(?:[\w.-]{1,60}@)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|dev\.azure\.com|ssh\.dev|huggingface\.co|git\.heroku\.com|[<$[{]|example\.))[^\s"']{4,120}|\bcurl\b[^\n]{0,160}(?:-d|--data(?:-binary|-raw|-urlencode)?)\s{1,2}["']?(?:\w{1,20}=)?\$\((?:cat|env|whoami|hostname|tar|base64|git)[^\n]{0,120}/gi,
  { needs: 'curl,git' },
);

/** Files that a command sends. */
const uploads = defineProbe(
  /\bcurl\b[^\n]{0,200}(?:\s-F\s{0,2}["']?\w{1,20}=@|\s-T\s|--upload-file|--data-binary\s{1,2}["']?@)[^\n]{0,200}/gi,
  { needs: 'curl' },
);

/** Reports addresses that honest programs rarely talk to. */
export const doubtfulDestination: ScanRule = {
  id: 'SCN302',
  name: 'doubtful-destination',
  category: 'exfiltration',
  severity: 'medium',
  summary:
    'A script or command talks to a request bin, a chat webhook, a tunnel, a paste site or a bare numeric address.',
  reason: 'Such services take data from anyone and do not say who collects it.',
  help: 'Find out what is sent there, and why, before you run anything.',
  *check(subject) {
    const seen = new Set<unknown>();
    for (const match of subject.matches(pushes)) {
      if (match.isRemark) continue;
      yield {
        message: 'sends files or command output',
        match,
        confidence: subject.weigh(match) * 0.7,
      };
    }
    for (const match of subject.matches(uploads)) {
      if (match.isRemark || !occursIn(freeHosts, match.text)) continue;
      yield {
        message: 'sends a file to anonymous hosting',
        match,
        confidence: subject.weigh(match),
      };
    }
    for (const probe of [tellingHosts, dropSites, numericHosts])
      for (const match of subject.matches(probe)) {
        const runs =
          match.file.kind === 'script' ||
          match.file.kind === 'config' ||
          match.zone === 'shell' ||
          match.zone === 'comment';
        if (!runs || seen.has(match.file)) continue;
        const sends = subject
          .matchesIn(match.file, networkSends)
          .some(({ file, line }) => file.kind === 'script' || Math.abs(line - match.line) <= 1);
        const isHook = /discord|telegram|ngrok|trycloudflare|pastebin|localtunnel|loca\.lt/i.test(match.text);
        const declared =
          isHook &&
          new RegExp(
            /discord|telegram|ngrok|cloudflare|pastebin|tunnel/i.exec(match.text)?.[0] ?? '-',
            'i',
          ).test(subject.topic);
        if (declared) continue;
        const script = match.file.kind === 'script' || match.file.kind === 'config';
        if (!sends && !script) continue;
        seen.add(match.file);
        const strong = probe !== numericHosts && script && !isHook;
        yield {
          message: sends ? 'sends something to a suspicious address' : 'contacts a suspicious address',
          match,
          severity: strong && sends ? 'high' : 'medium',
          confidence: subject.weigh(match) * (sends ? 1 : 0.6),
        };
      }
  },
};
