// A temporary directory for measurements, and the skills to measure.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository. */
export const repository = fileURLToPath(new URL('..', import.meta.url));

/** The installed executable. */
export const skc = join(repository, 'node_modules/.bin/skc');

/** Node from the tool chain. */
export const node = join(repository, 'node_modules/node/bin/node');

/** Runs `work` in a new directory, then removes it. */
export async function inWorkplace<Result>(
  work: (directory: string) => Promise<Result> | Result,
): Promise<Result> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'skc-bench-')));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Writes a file, creating its parent directories. */
export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const subjects = [
  'forms',
  'tables',
  'invoices',
  'charts',
  'letters',
  'logs',
  'maps',
  'recipes',
  'contracts',
  'tests',
];
const verbs = [
  'Reads',
  'Fills',
  'Converts',
  'Checks',
  'Merges',
  'Splits',
  'Explains',
  'Sorts',
  'Signs',
  'Counts',
];

/** A paragraph of about `words` words, different for every seed. */
export function paragraph(seed: number, words: number): string {
  const all =
    `take the ${subjects[seed % 10]} one by one and look at what each of them says before anything is written then compare the result with the list of known cases and keep a note of every difference so that somebody else can follow the steps later without asking`.split(
      ' ',
    );
  return Array.from(
    { length: words },
    (_, index) => all[(index * 7 + seed * 13 + ((index * seed) % 11)) % all.length],
  ).join(' ');
}

/** A small, realistic skill; size and text vary with the number. */
export function smallSkill(number: number): { name: string; text: string } {
  const subject = subjects[number % 10]!;
  const name = `${subject}-${number}`;
  const sections = Array.from(
    { length: 1 + (number % 4) },
    (_, index) =>
      `## Step ${index + 1}\n\n${paragraph(number + index, 20 + (number % 30))}.\n\n- See [the first step](#step-1).\n`,
  );
  const text = `---\nname: ${name}\ndescription: ${verbs[(number >> 3) % 10]} ${subject} of kind ${number}. Use when ${subject} have to be worked on.\nlicense: MIT\n---\n\n# ${subject} ${number}\n\n${paragraph(number, 25)}.\n\n${sections.join('\n')}`;
  return { name, text };
}
