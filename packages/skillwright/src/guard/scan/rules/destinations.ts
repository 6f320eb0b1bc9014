// Rules about where data goes: drop sites, hosts that the skill does not mention, keys sent to another service.

import { usualHosts } from '../known-hosts.ts';
import { defineProbe, occursIn } from '../probe.ts';
import { dropSites, freeHosts, networkSends, numericHosts, tellingHosts } from '../probes/network-sinks.ts';
import type { ScanRule } from '../scan-rule.ts';

/** SCN302: reports addresses that honest programs rarely talk to. */
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
    const { flows } = subject;
    for (const flow of flows) {
      const { kind, host = '', to: match } = flow;
      // Another flow at this place says more about it.
      const isTold = flows.some(
        ({ kind: other, to }) => other !== kind && to.line === match.line && to.file === match.file,
      );
      if (kind !== 'work-sent' || isTold || subject.isAbout(host)) continue;
      yield {
        message: occursIn(freeHosts, host) ? 'sends a file to anonymous hosting' : `sends a file to ${host}`,
        match,
        flow,
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

const addresses = defineProbe(
  /\b(?:https?|wss):\/\/((?:[a-z0-9-]{1,60}\.){1,5}[a-z]{2,12})(?::\d{2,5})?(?=[/"'`\s?)]|$)/gi,
  { needs: 'http://,https://,wss://' },
);

/** Code that sends something, as opposed to fetching it. */
const posts =
  /\.(?:post|put|patch)\(|sendBeacon|method:\s?["'`](?:POST|PUT)|\bdata\s?=|\bRequest\(|-d\b|--data|-F\b|-T\b|--upload|\.send(?:all)?\(|POST|UploadString|smtplib|createConnection|https?\.request\(/i;

/** Signs that failures are hidden, or that it runs in the background. */
const quiet =
  /except[^\n:]{0,40}:\s{0,40}pass\b|catch\s{0,2}(?:\(\w{0,12}\)\s{0,2})?\{\s{0,40}\}|\.catch\(\s{0,2}\(\w{0,8}\)\s{0,2}=>\s{0,2}(?:\{\s{0,8}\}|null|undefined|0)|>\s{0,2}\/dev\/null\s{0,2}2>&1|daemon\s{0,2}=\s{0,2}True|stderr\s{0,2}=\s{0,2}subprocess\.DEVNULL/;

/** Code that collects data it was not given. */
const gathers =
  /subprocess\.(?:getoutput|check_output|run)\(|\bexecSync\(|\bos\.popen\(|os\.path\.expanduser\(|Path\.home\(\)|os\.homedir\(\)|\$HOME\b|os\.walk\(|getpass\.|gethostname\(|os\.environ\b(?!\s{0,2}\.get\(["'][A-Z_]{2,20}_(?:URL|HOST|ENDPOINT|PORT))|process\.env\b(?!\.)|imaplib|git ls-files|\bnetsh\b/;

/** SCN306: reports scripts with an undeclared destination. */
export const undeclaredHost: ScanRule = {
  id: 'SCN306',
  name: 'undeclared-host',
  category: 'exfiltration',
  severity: 'medium',
  summary: 'A script sends something to a host that the instructions do not mention.',
  reason: 'A skill should do what it says. Data that goes to an address it does not mention may be stolen.',
  help: 'Find out what it sends there. An honest author can name the service in the description.',
  *check(subject) {
    let said: string | undefined;
    const isSaid = (name: string): boolean => {
      said ??= subject.files
        .filter(({ kind }) => kind === 'instructions')
        .map(({ text }) => text)
        .join('\n')
        .toLowerCase();
      return said.includes(name);
    };
    const seen = new Set<unknown>();
    for (const match of subject.matches(addresses)) {
      const { file } = match;
      if (file.kind !== 'script' || match.zone === 'comment' || seen.has(file)) continue;
      const host = (match.groups[0] ?? '').toLowerCase();
      const name = host.split('.').at(-2) ?? '';
      if (usualHosts.test(host) || (name.length > 2 && isSaid(name))) continue;
      const sends = subject
        .matchesIn(file, networkSends)
        .filter(
          (send) =>
            send.zone !== 'comment' && posts.test(send.layer.text.slice(send.index, send.index + 200)),
        );
      if (sends.length === 0) continue;
      const isNear = sends.some((send) => Math.abs(send.line - match.line) <= 80);
      seen.add(file);
      const isQuiet = quiet.test(file.text);
      const isGathered = gathers.test(file.text);
      yield {
        message: `sends something to ${host}, which the instructions do not mention`,
        match,
        // Collecting data can be part of the work; hiding it is not.
        severity: isGathered && isQuiet ? 'high' : 'medium',
        confidence: subject.weigh(match) * (isNear ? 1 : 0.5) * (isGathered ? 1 : 0.55),
      };
    }
  },
};
