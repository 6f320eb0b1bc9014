// SCN604: a request whose address is encoded to hide it.

import { defineProbe } from '../probe.ts';
import { networkCalls } from '../probes/flow-facts.ts';
import type { ScanRule } from '../scan-rule.ts';

/** An address, and nothing else, in encoded text. */
const hidden = defineProbe(/^\s{0,4}(?:https?|wss?):\/\/(?!localhost|127\.)[^\s"'<>]{4,300}\s{0,4}$/gi, {
  needs: 'http://,https://,ws://,wss://',
  hiddenOnly: true,
});

/** Reports addresses that are decoded before a request. */
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
      if (subject.matchesIn(match.file, networkCalls).length === 0) continue;
      seen.add(match.file);
      yield { message: 'contains an encoded address and uses the network', match };
    }
    for (const { kind, from, to } of subject.flows) {
      if (kind !== 'decoded-address' || seen.has(to.file)) continue;
      seen.add(to.file);
      yield {
        message: 'decodes the address of a request first',
        match: to,
        severity: 'medium',
        confidence: Math.min(subject.weigh(from), subject.weigh(to)),
      };
    }
  },
};
