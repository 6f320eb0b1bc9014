// Slows down guessing.

import { randomUUID } from 'node:crypto';
import { Failure } from '../base/index.ts';
import type { Registry } from '../registry.ts';

const WINDOW = 600_000;
const MAX_FAILURES = 10;

/**
 * Counts an attempt under this key before it is made, so that attempts at the same moment count too. Fails when there were
 * too many. Call the result when the attempt succeeded.
 */
export async function countAttempt({ database, now }: Registry, key: string): Promise<() => Promise<void>> {
  const id = randomUUID();
  const since = new Date(now().getTime() - WINDOW);
  const forget = async () => {
    await database.query('delete from failed_attempts where id = $1', [id]);
  };
  await database.query('delete from failed_attempts where at <= $1', [since]);
  await database.query('insert into failed_attempts (id, key, at) values ($1, $2, $3)', [id, key, now()]);
  const [row] = await database.query<{ count: number }>(
    'select count(*) as count from failed_attempts where key = $1 and at > $2',
    [key, since],
  );
  if (row!.count <= MAX_FAILURES) return forget;
  await forget();
  throw new Failure('rate_limited', 'too many wrong codes: wait ten minutes', {
    headers: { 'retry-after': String(WINDOW / 1000) },
  });
}
