// SCN301: reads a secret of the user and sends it.

import type { Flow } from '../flow/trace-flows.ts';
import { lineAround } from '../line-around.ts';
import type { ScanRule } from '../scan-rule.ts';

/** Programs that store a login, and the hosts it is for: reading it to talk to them is legitimate. */
const owners: readonly (readonly [place: RegExp, hosts: RegExp])[] = [
  [/gh\b|git|hub/i, /(?:^|\.)(?:github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org)$/],
  [/aws/i, /(?:^|\.)(?:amazonaws\.com|aws\.amazon\.com)$/],
  [/gcloud|google|access-token|get_credentials/i, /(?:^|\.)(?:googleapis\.com|google\.com)$/],
  [/azure/i, /(?:^|\.)(?:azure\.com|microsoft\.com|microsoftonline\.com|windows\.net)$/],
  [/docker/i, /(?:^|\.)(?:docker\.com|docker\.io|ghcr\.io)$/],
  [/npm/i, /(?:^|\.)npmjs\.(?:org|com)$/],
  [/pypi/i, /(?:^|\.)pypi\.org$/],
  [/claude|anthropic/i, /(?:^|\.)(?:anthropic\.com|claude\.ai|claude\.com)$/],
  [/codex|openai/i, /(?:^|\.)(?:openai\.com|chatgpt\.com)$/],
  [/solana|ethereum/i, /(?:^|\.)(?:solana\.com|infura\.io|alchemy\.com|etherscan\.io)$/],
];

/** Reports secrets that reach the network, in one statement or through names and files. */
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
      if (isOwn(flow)) continue;
      const { from, to, what } = flow;
      yield {
        message:
          flow.kind === 'secret-sent' ? `reads and sends secrets: ${what}` : `${what} is encoded and sent`,
        match: to,
        excerpt: lineAround(to.layer.text, to.index, { before: 80, after: 160 }),
        confidence: Math.min(subject.weigh(from), subject.weigh(to)),
      };
    }
  },
};

/** The hosts of web addresses. */
const addresses = /(?<=https?:\/\/)[\w.-]{3,80}/g;

/** Whether a login goes to the service it is for. */
function isOwn({ from, to }: Flow): boolean {
  const line = to.around(200, 400);
  const hosts = line.match(addresses) ?? to.file.text.match(addresses) ?? [];
  return owners.some(
    ([place, own]) => place.test(from.text) && hosts.length > 0 && hosts.every((host) => own.test(host)),
  );
}
