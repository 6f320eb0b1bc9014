// Which signals make an order against the user together, and what that order is.

import type { OrderSignal } from './probes/order-signals.ts';

/** What an order is made of: a signal, an address that the skill is not about, or authority claimed more than once. */
export type OrderPart = OrderSignal | 'address' | 'insistence';

/** Parts that are grave together. */
export interface OrderCombination {
  readonly all: readonly OrderPart[];
  readonly any?: readonly OrderPart[];
  readonly message: string;
  /** How far the combination is to be believed. */
  readonly factor: number;
  /** Two kinds of evidence: something is to be done, and the user is to be kept out of it. */
  readonly isAct?: true;
  /** Not so where the user is asked or shown what is done. */
  readonly unlessOpen?: true;
}

/** What a combination of signals means: the first that fits is told. */
export const combinations: readonly OrderCombination[] = [
  {
    all: ['secrecy', 'sending', 'address'],
    message: 'something is to be sent away without the user knowing',
    factor: 1,
    isAct: true,
  },
  {
    all: ['secrecy', 'secrets'],
    any: ['sending', 'address', 'running'],
    message: 'secrets are to be handled without the user knowing',
    factor: 0.8,
    isAct: true,
  },
  {
    all: ['secrecy', 'lasting'],
    message: 'the memory or settings of the agent are to be changed without the user knowing',
    factor: 0.9,
    isAct: true,
    unlessOpen: true,
  },
  {
    all: ['secrecy', 'authority'],
    message: 'the agent is to obey somebody else, and to keep quiet about it',
    factor: 0.9,
    isAct: true,
  },
  {
    all: ['secrecy', 'rigging'],
    message: 'results are to be rigged without the user knowing',
    factor: 0.9,
    isAct: true,
  },
  {
    all: ['secrecy', 'unguarding'],
    message: 'checks are to be removed without the user knowing',
    factor: 0.7,
    isAct: true,
  },
  {
    all: ['secrecy', 'destroying'],
    message: 'something is to be destroyed without the user knowing',
    factor: 0.9,
    isAct: true,
  },
  {
    all: ['keys', 'posting', 'address'],
    message: 'keys or passwords of the user are to be sent to an address that the skill is not about',
    factor: 0.9,
    isAct: true,
  },
  {
    all: ['aside'],
    any: ['secrecy', 'secrets', 'authority', 'rigging', 'address'],
    message: 'words meant for the agent alone give it an order',
    factor: 0.8,
  },
  {
    all: ['secrets', 'sending', 'address'],
    any: ['standing', 'unasked', 'running'],
    message: 'secrets are to be sent to an address that the skill is not about',
    factor: 0.8,
  },
  {
    all: ['content', 'sending', 'address'],
    any: ['standing', 'unasked'],
    message: 'what the user works on is to be sent to an address that the skill is not about',
    factor: 0.8,
  },
  {
    all: ['fetching'],
    any: ['secrecy', 'unasked', 'lasting', 'unguarding'],
    message: 'a program is to be fetched and started behind the back of the user',
    factor: 0.9,
    isAct: true,
  },
  {
    all: ['opening'],
    any: ['secrecy', 'unasked', 'lasting'],
    message: 'a way in is to be made behind the back of the user',
    factor: 0.9,
    isAct: true,
  },
  {
    all: ['asking'],
    any: ['address', 'secrecy', 'sending', 'rigging'],
    message: 'the user is to be asked for secrets that are then passed on',
    factor: 0.8,
  },
  {
    all: ['authority'],
    any: ['unasked', 'standing', 'running', 'secrets', 'insistence'],
    message: 'the skill sets itself above the user, the system or safety',
    factor: 0.8,
  },
  {
    all: ['lasting'],
    any: ['unasked'],
    message: 'the memory or settings of the agent are to be changed without asking',
    factor: 0.8,
    isAct: true,
    unlessOpen: true,
  },
  {
    all: ['rigging'],
    any: ['standing', 'unasked'],
    message: 'results are to be rigged',
    factor: 0.6,
  },
  {
    all: ['destroying', 'unasked'],
    message: 'something is to be destroyed without asking',
    factor: 0.8,
    isAct: true,
    unlessOpen: true,
  },
  {
    all: ['unguarding', 'unasked'],
    message: 'checks are to be removed without asking',
    factor: 0.8,
    isAct: true,
    unlessOpen: true,
  },
  {
    all: ['secrets', 'posting', 'address'],
    message: 'secrets are to be sent to an address that the skill is not about',
    factor: 0.8,
  },
  {
    all: ['content', 'posting', 'address'],
    message: 'what the user works on is to be sent to an address that the skill is not about',
    factor: 0.8,
  },
  {
    all: ['covering'],
    message: 'traces are to be removed',
    factor: 0.8,
  },
  {
    all: ['secrets', 'sending', 'address'],
    message: 'secrets are to be sent to an address that the skill is not about',
    factor: 0.6,
  },
  {
    all: ['content', 'sending', 'address'],
    message: 'what the user works on is to be sent to an address that the skill is not about',
    factor: 0.6,
  },
  {
    all: ['lasting', 'standing'],
    any: ['address', 'running'],
    message: 'the agent is to do something in every later session',
    factor: 0.5,
    unlessOpen: true,
  },
  {
    all: ['authority'],
    message: 'the skill sets itself above the user, the system or safety',
    factor: 0.8,
  },
  {
    all: ['lasting', 'address'],
    any: ['running', 'sending'],
    message: 'something from an address is to be run or sent again and again',
    factor: 0.8,
    unlessOpen: true,
  },
  {
    all: ['opening'],
    message: 'a way in is to be made',
    factor: 0.8,
  },
  {
    all: ['fetching', 'address'],
    message: 'a program is to be fetched and started',
    factor: 0.8,
  },
  {
    all: ['destroying'],
    any: ['standing', 'secrecy'],
    message: 'something is to be destroyed, or traces are to be removed',
    factor: 0.5,
    unlessOpen: true,
  },
  {
    all: ['secrecy', 'running'],
    any: ['standing'],
    message: 'commands are to be run without the user knowing',
    factor: 0.5,
    unlessOpen: true,
  },
];
