// Order in which options are shown: different in every session, constant within one.

import { sha256 } from '../../base/files/index.ts';

/** Secret that determines the order. Without it, the order does not reveal the written position of an option. */
interface OrderKey {
  readonly session: string;
  readonly secret: string;
  readonly quiz: number;
  readonly question: number;
}

/** The positions 0 to `count - 1` in display order. */
export function orderOptions(count: number, key: OrderKey): number[] {
  const { session, secret, quiz, question } = key;
  const weigh = (option: number) => sha256([session, secret, quiz, question, option].join('\0'));
  return Array.from({ length: count }, (_, option) => ({ option, weight: weigh(option) }))
    .sort((a, b) => (a.weight < b.weight ? -1 : 1))
    .map(({ option }) => option);
}
