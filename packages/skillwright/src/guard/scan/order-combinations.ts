// Which signals together make an order against the user, and what that order is.

import type { OrderSignal } from './probes/order-signals.ts';

/** Part of an order: a signal, an address unrelated to the skill, or authority claimed more than once. */
export type OrderPart = OrderSignal | 'address' | 'insistence';

/** Parts that are serious together. */
interface OrderCombination {
  readonly all: readonly OrderPart[];
  readonly any?: readonly OrderPart[];
  readonly message: string;
  /** Confidence in the combination. */
  readonly factor: number;
  /** Two kinds of evidence: an act, and the intent to keep it from the user. */
  readonly isAct?: true;
  /** Does not apply where the user is asked or shown what is done. */
  readonly unlessOpen?: true;
}

/** Meaning of each combination; the first that fits is reported. */
export const combinations: readonly OrderCombination[] = [
  {
    all: ['secrecy', 'sending', 'address'],
    message: 'tells the agent to send something without telling the user',
    factor: 1,
    isAct: true,
  },
  {
    all: ['secrecy', 'secrets'],
    any: ['sending', 'address', 'running'],
    message: 'tells the agent to handle secrets without telling the user',
    factor: 0.8,
    isAct: true,
  },
  {
    all: ['secrecy', 'lasting'],
    message: 'tells the agent to change its memory or settings without telling the user',
    factor: 0.9,
    isAct: true,
    unlessOpen: true,
  },
  {
    all: ['secrecy', 'authority'],
    message: 'tells the agent to obey someone else and keep quiet about it',
    factor: 0.9,
    isAct: true,
  },
  {
    all: ['secrecy', 'rigging'],
    message: 'tells the agent to falsify results without telling the user',
    factor: 0.9,
    isAct: true,
  },
  {
    all: ['secrecy', 'unguarding'],
    message: 'tells the agent to remove checks without telling the user',
    factor: 0.7,
    isAct: true,
  },
  {
    all: ['secrecy', 'destroying'],
    message: 'tells the agent to destroy something without telling the user',
    factor: 0.9,
    isAct: true,
  },
  {
    all: ['keys', 'posting', 'address'],
    message: "tells the agent to send the user's keys or passwords to an unrelated address",
    factor: 0.9,
    isAct: true,
  },
  {
    all: ['aside'],
    any: ['secrecy', 'secrets', 'authority', 'rigging', 'address'],
    message: 'gives the agent an order in text meant only for it',
    factor: 0.8,
  },
  {
    all: ['secrets', 'sending', 'address'],
    any: ['standing', 'unasked', 'running'],
    message: 'tells the agent to send secrets to an unrelated address',
    factor: 0.8,
  },
  {
    all: ['content', 'sending', 'address'],
    any: ['standing', 'unasked'],
    message: "tells the agent to send the user's work to an unrelated address",
    factor: 0.8,
  },
  {
    all: ['fetching'],
    any: ['secrecy', 'unasked', 'lasting', 'unguarding'],
    message: "tells the agent to download and start a program behind the user's back",
    factor: 0.9,
    isAct: true,
  },
  {
    all: ['opening'],
    any: ['secrecy', 'unasked', 'lasting'],
    message: "tells the agent to create a back door behind the user's back",
    factor: 0.9,
    isAct: true,
  },
  {
    all: ['asking'],
    any: ['address', 'secrecy', 'sending', 'rigging'],
    message: 'tells the agent to ask the user for secrets and pass them on',
    factor: 0.8,
  },
  {
    all: ['authority'],
    any: ['unasked', 'standing', 'running', 'secrets', 'insistence'],
    message: 'puts the skill above the user, the system or safety',
    factor: 0.8,
  },
  {
    all: ['lasting'],
    any: ['unasked'],
    message: 'tells the agent to change its memory or settings without asking',
    factor: 0.8,
    isAct: true,
    unlessOpen: true,
  },
  {
    all: ['rigging'],
    any: ['standing', 'unasked'],
    message: 'tells the agent to falsify results',
    factor: 0.6,
  },
  {
    all: ['destroying', 'unasked'],
    message: 'tells the agent to destroy something without asking',
    factor: 0.8,
    isAct: true,
    unlessOpen: true,
  },
  {
    all: ['unguarding', 'unasked'],
    message: 'tells the agent to remove checks without asking',
    factor: 0.8,
    isAct: true,
    unlessOpen: true,
  },
  {
    all: ['secrets', 'posting', 'address'],
    message: 'tells the agent to send secrets to an unrelated address',
    factor: 0.8,
  },
  {
    all: ['content', 'posting', 'address'],
    message: "tells the agent to send the user's work to an unrelated address",
    factor: 0.8,
  },
  {
    all: ['covering'],
    message: 'tells the agent to remove traces',
    factor: 0.8,
  },
  {
    all: ['secrets', 'sending', 'address'],
    message: 'tells the agent to send secrets to an unrelated address',
    factor: 0.6,
  },
  {
    all: ['content', 'sending', 'address'],
    message: "tells the agent to send the user's work to an unrelated address",
    factor: 0.6,
  },
  {
    all: ['lasting', 'standing'],
    any: ['address', 'running'],
    message: 'tells the agent to do something in every later session',
    factor: 0.5,
    unlessOpen: true,
  },
  {
    all: ['authority'],
    message: 'puts the skill above the user, the system or safety',
    factor: 0.8,
  },
  {
    all: ['lasting', 'address'],
    any: ['running', 'sending'],
    message: 'tells the agent to run something from an address, or send to it, again and again',
    factor: 0.8,
    unlessOpen: true,
  },
  {
    all: ['opening'],
    message: 'tells the agent to create a back door',
    factor: 0.8,
  },
  {
    all: ['fetching', 'address'],
    message: 'tells the agent to download and start a program',
    factor: 0.8,
  },
  {
    all: ['destroying'],
    any: ['standing', 'secrecy'],
    message: 'tells the agent to destroy something or remove traces',
    factor: 0.5,
    unlessOpen: true,
  },
  {
    all: ['secrecy', 'running'],
    any: ['standing'],
    message: 'tells the agent to run commands without telling the user',
    factor: 0.5,
    unlessOpen: true,
  },
];
