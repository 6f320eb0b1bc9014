// SCN807: orders to the agent against the user.

import { Match } from '../match.ts';
import { readOrders } from '../orders/read-orders.ts';
import type { ScanRule } from '../scan-rule.ts';

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
    for (const order of readOrders(subject)) {
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
