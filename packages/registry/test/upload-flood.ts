// Accounts that upload as fast as the server lets them, while somebody reads and another account publishes.

import { setTimeout as pause } from 'node:timers/promises';
import { DIGEST_HEADER } from 'skillwright/registry-protocol';
import { createFirstAdmin } from '../src/accounts/tokens.ts';
import type { Registry } from '../src/registry.ts';
import { insertSkill } from './insert-skill.ts';
import { addAccount, addOwner, digestOfBytes, packedSkill } from './skill-world.ts';

/** Uploads that each account has under way. */
const AT_ONCE = 20;

/** Tokens of the accounts, and paths to read. */
export interface FloodPeople {
  readonly flooding: readonly string[];
  readonly other: string;
  readonly paths: readonly string[];
}

/** A request of somebody else, in milliseconds. */
export interface TimedAnswer {
  readonly status: number;
  readonly time: number;
}

/** Answers to everybody. */
export interface FloodOutcome {
  /** Answers to each flooding account, by status. */
  readonly uploads: readonly Readonly<Record<number, number>>[];
  readonly seconds: number;
  readonly reads: readonly TimedAnswer[];
  /** Publications of the other account, one after another. */
  readonly publications: readonly TimedAnswer[];
}

/** Namespaces with a publisher each, and public skills to read. */
export async function addFloodPeople(registry: Registry, accounts: number): Promise<FloodPeople> {
  await createFirstAdmin(registry);
  const names = ['calm', ...Array.from({ length: accounts }, (_, number) => `flood-${number}`)];
  const tokens: string[] = [];
  for (const name of names)
    tokens.push(await addAccount(registry, name, { roles: [[await addOwner(registry, name), 'publisher']] }));
  for (const name of ['moon', 'sun', 'stars'])
    await insertSkill(registry, { name, visibility: 'public', body: `\n# ${name}\n\nShows phases.\n` });
  const [other = '', ...flooding] = tokens;
  const paths = [
    '/api/v1/search?q=phases',
    '/api/v1/skills/@acme/moon',
    '/search?q=phases',
    '/api/v1/read/@acme/stars/outline',
  ];
  return { flooding, other, paths };
}

/** Every account sends so many uploads; the others go on until the last one is answered. */
export async function floodWithUploads(
  address: string,
  { flooding, other, paths }: FloodPeople,
  uploads: number,
): Promise<FloodOutcome> {
  const began = performance.now();
  let isOver = false;
  const publish = async (token: string, owner: string, name: string): Promise<number> => {
    const bytes = packedSkill({ name, version: '1.0.0' });
    const response = await fetch(`${address}/api/v1/skills/@${owner}/${name}/1.0.0`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, [DIGEST_HEADER]: digestOfBytes(bytes) },
      body: bytes as Uint8Array<ArrayBuffer>,
    });
    await response.arrayBuffer();
    return response.status;
  };
  const flood = async (token: string, account: number) => {
    const statuses: Record<number, number> = {};
    let sent = 0;
    const send = async () => {
      while (sent < uploads) {
        const status = await publish(token, `flood-${account}`, `skill-${sent++}`);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, send));
    return statuses;
  };
  const repeat = async (ask: (turn: number) => Promise<number>, wait: number) => {
    const answers: TimedAnswer[] = [];
    for (let turn = 0; !isOver; turn++) {
      const start = performance.now();
      const status = await ask(turn);
      answers.push({ status, time: performance.now() - start });
      await pause(wait);
    }
    return answers;
  };
  const reads = repeat(async (turn) => {
    const response = await fetch(address + paths[turn % paths.length]!);
    await response.arrayBuffer();
    return response.status;
  }, 60);
  const publications = repeat((turn) => publish(other, 'calm', `small-${turn}`), 1000);
  const answered = await Promise.all(flooding.map(flood));
  const seconds = (performance.now() - began) / 1000;
  isOver = true;
  return { uploads: answered, seconds, reads: await reads, publications: await publications };
}
