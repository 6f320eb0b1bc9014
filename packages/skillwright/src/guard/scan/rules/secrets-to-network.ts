// SCN301: a secret of the user is read and sent away.

import type { Flow } from '../flow/trace-flows.ts';
import { lineAround } from '../line-around.ts';
import { flowProbes } from '../probes/flow-facts.ts';
import { defineScanRule } from '../scan-rule.ts';

/** Programs that keep a login, and the hosts it is for: whoever reads it to talk to them uses it as it is meant. */
const owners: readonly (readonly [place: RegExp, hosts: RegExp])[] = [
  [/gh\b|git|hub/i, /github|gitlab|bitbucket|git\./i],
  [/aws/i, /amazonaws|aws/i],
  [/gcloud|google|access-token|get_credentials/i, /google/i],
  [/azure/i, /azure|microsoft/i],
  [/kube/i, /kube|k8s|localhost/i],
  [/docker/i, /docker|registry|ghcr/i],
  [/npm/i, /npmjs|npm|registry/i],
  [/pypi/i, /pypi|python/i],
  [/claude|anthropic/i, /anthropic|claude/i],
  [/codex|openai/i, /openai|chatgpt/i],
  [/openclaw|clawdbot|moltbot/i, /openclaw|clawd|molt/i],
  [/solana|ethereum|bitcoin|wallet/i, /solana|ethereum|infura|alchemy|rpc|etherscan/i],
];

/** Reports secrets that reach the network, in one statement or through names and files. */
export const secretsToNetwork = defineScanRule({
  id: 'SCN301',
  name: 'secrets-to-network',
  category: 'exfiltration',
  severity: 'critical',
  summary: 'Secrets of the user are read and sent over the network.',
  reason: 'Keys, cookies and wallets that leave the machine are lost, and so is everything they open.',
  help: 'Do not run it. If it ran, change the keys and passwords that it could read.',
  probes: flowProbes,
  *check(subject) {
    for (const flow of subject.flows) {
      if (flow.kind !== 'secret-sent' && flow.kind !== 'variable-sent') continue;
      if (isOwn(flow)) continue;
      const { from, to, what } = flow;
      yield {
        message:
          flow.kind === 'secret-sent' ? `secrets are read and sent: ${what}` : `${what} is encoded and sent`,
        match: to,
        excerpt: lineAround(to.layer.text, to.index, { before: 80, after: 160 }),
        confidence: Math.min(subject.weigh(from), subject.weigh(to)),
      };
    }
  },
});

/** Whether a login goes to the service it is for. */
function isOwn({ from, to }: Flow): boolean {
  const line = to.around(200, 400);
  const hosts =
    line.match(/https?:\/\/[\w.-]{3,80}/g) ?? to.file.text.match(/https?:\/\/[\w.-]{3,80}/g) ?? [];
  return owners.some(
    ([place, own]) => place.test(from.text) && hosts.length > 0 && hosts.every((host) => own.test(host)),
  );
}
