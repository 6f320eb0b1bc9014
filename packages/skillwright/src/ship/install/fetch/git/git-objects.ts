// Reads objects of a repository without a checkout: no filters, no attributes, no hooks.

import { unsafeArchive } from '../../../../base/archive/index.ts';
import { type GitWorkplace, runGit } from './run-git.ts';

/** Fetches the objects that a partial fetch left out. */
export async function completeObjects(
  objects: ReadonlySet<string>,
  commit: string,
  workplace: GitWorkplace,
): Promise<void> {
  const words = ['rev-list', '--objects', '--no-object-names', '--missing=print', commit];
  const listed = (await runGit(words, workplace)).toString('latin1').split('\n');
  const missing = listed.filter((line) => line.startsWith('?')).map((line) => line.slice(1));
  const wanted = missing.filter((object) => objects.has(object));
  if (wanted.length === 0) return;
  const fetch = [
    'fetch',
    '--no-tags',
    '--no-write-fetch-head',
    '--recurse-submodules=no',
    '--filter=blob:none',
  ];
  await runGit(
    ['-c', 'fetch.negotiationAlgorithm=noop', ...fetch, '--progress', '--stdin', 'origin'],
    workplace,
    {
      input: wanted.map((object) => `${object}\n`).join(''),
    },
  );
}

/** The sizes of objects. */
export async function measureObjects(
  objects: readonly string[],
  workplace: GitWorkplace,
): Promise<Map<string, number>> {
  const output = await runGit(['cat-file', '--batch-check'], workplace, {
    input: objects.map((object) => `${object}\n`).join(''),
  });
  const sizes = new Map<string, number>();
  for (const line of output.toString('latin1').split('\n')) {
    const [object, type, size] = line.split(' ');
    if (object !== undefined && type === 'blob') sizes.set(object, Number(size));
  }
  return sizes;
}

/** Reads objects one by one and passes each on whole. */
export async function readObjects(
  objects: readonly string[],
  workplace: GitWorkplace,
  take: (object: string, bytes: Buffer) => void,
): Promise<void> {
  if (objects.length === 0) return;
  const reader = createBatchReader(take);
  await runGit(['cat-file', '--batch'], workplace, {
    input: objects.map((object) => `${object}\n`).join(''),
    maxOutput: Number.POSITIVE_INFINITY,
    onOutput: reader,
  });
}

const LINE_FEED = 10;

/** Parses the output of `cat-file --batch`: a line with name, type and size, the bytes, a line feed. */
function createBatchReader(take: (object: string, bytes: Buffer) => void): (chunk: Buffer) => void {
  let pending: Buffer[] = [];
  let length = 0;
  let expected: { object: string; size: number } | undefined;
  const gather = (): Buffer => {
    const all = pending.length === 1 ? pending[0]! : Buffer.concat(pending);
    pending = [all];
    return all;
  };
  const drop = (all: Buffer, count: number): void => {
    pending = count === all.length ? [] : [all.subarray(count)];
    length -= count;
  };
  return (chunk) => {
    pending.push(chunk);
    length += chunk.length;
    while (length > 0) {
      if (expected === undefined) {
        const all = gather();
        const end = all.indexOf(LINE_FEED);
        if (end === -1) return;
        const [object = '', type, size] = all.toString('latin1', 0, end).split(' ');
        if (type !== 'blob') throw unsafeArchive(`object ${object} is missing or not a file`);
        expected = { object, size: Number(size) };
        drop(all, end + 1);
      }
      if (length < expected.size + 1) return;
      const all = gather();
      take(expected.object, all.subarray(0, expected.size));
      drop(all, expected.size + 1);
      expected = undefined;
    }
  };
}
