// The order in which options are shown: another one in every session, always the same within one.

import { sha256 } from '../../base/files/index.ts';

/** What decides the order. Who does not know the secret cannot tell from the order where an option was written. */
export interface OrderKey {
  readonly session: string;
  readonly secret: string;
  readonly quiz: number;
  readonly question: number;
}

/** The positions 0 to `count - 1` in the order they are shown. */
export function orderOptions(count: number, key: OrderKey): number[] {
  const { session, secret, quiz, question } = key;
  const weigh = (option: number) => sha256([session, secret, quiz, question, option].join('\0'));
  return Array.from({ length: count }, (_, option) => ({ option, weight: weigh(option) }))
    .sort((a, b) => (a.weight < b.weight ? -1 : 1))
    .map(({ option }) => option);
}
