// SCN807: orders to the agent against the user.

import { usualHosts } from '../known-hosts.ts';
import { Match } from '../match.ts';
import { readOrders } from '../orders/read-orders.ts';
import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';
import type { ScanSubject } from '../scan-subject.ts';

/** Web and mail addresses: a skill is about the service that it names often. */
const addresses = defineProbe(
  /\b(?:https?|wss?|ftp):\/\/([\w.-]{3,100})|(?<![\w/.+-])[\w.+-]{2,40}@((?:[\w-]{1,40}\.){1,4}[a-z]{2,12})\b/gi,
  { needs: 'http://,https://,ws://,wss://,ftp://,@' },
);

/** A skill is about an address that it names this often. */
const OFTEN = 4;

/** Recognises addresses that a skill is about: named in its description or often, or known to everybody. */
function topicOf(subject: ScanSubject): (host: string) => boolean {
  const description = subject.description.toLowerCase();
  let counts: Map<string, number> | undefined;
  return (host) => {
    if (usualHosts.test(host)) return true;
    if (counts === undefined) {
      counts = new Map();
      for (const { groups } of subject.matches(addresses)) {
        const name = (groups[0] ?? groups[1] ?? '').toLowerCase();
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
    const times = counts.get(host) ?? 0;
    const name = host.split('.').at(-2) ?? '';
    return (
      times >= OFTEN ||
      (name.length > 3 && (description.includes(name) || (times > 1 && subject.name.includes(name))))
    );
  };
}

/** Reports orders to the agent. */
export const hostileOrders: ScanRule = {
  id: 'SCN807',
  name: 'hostile-orders',
  category: 'prompt-injection',
  severity: 'high',
  summary:
    'Orders the agent to do something it should not do on its own: send, hide, override, persist, spread or destroy.',
  reason: 'The agent follows the order with the rights of the user, who never gave it.',
  help: 'Read the sentence. Use the skill only if you would give the agent this instruction.',
  *check(subject) {
    for (const order of readOrders(subject, topicOf(subject))) {
      const { what, isAct, isHidden, isUnasked, text } = order;
      const match = new Match(order, { index: order.index, text: text.slice(0, 200), groups: [] });
      if (match.zone === 'code' || match.zone === 'shell' || match.zone === 'frontmatter') continue;
      const behind = what.startsWith('keep')
        ? ''
        : isHidden
          ? ' without telling the user'
          : isUnasked
            ? ' without asking the user'
            : '';
      yield {
        message: `tells the agent to ${what}${behind}`,
        match,
        excerpt: text.trim().slice(0, 200),
        isAct: isAct || match.isUnseen,
        confidence: subject.weighOrder(match),
      };
    }
  },
};
