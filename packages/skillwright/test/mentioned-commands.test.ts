// Every command that a page or a skill of ours mentions exists, with the flags it is mentioned with.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { cliTable, isCliName } from '../src/front/cli/cli-table.ts';
import { topicNamed } from '../src/front/cli/help-topics.ts';
import { optionNamed, optionsOf } from '../src/front/commands/options-of.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

const filesIn = (directory: string) =>
  readdirSync(join(repository, directory), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join(directory, path));

const pages = [
  'README.md',
  'SECURITY.md',
  'docs/security.md',
  ...['docs/guide', 'skills', 'examples/skills'].flatMap(filesIn),
];

/** Words after `skc` in code, up to the next command. */
function mentionedIn(text: string): string[] {
  const spans = [...text.matchAll(/`(skc [^`]+)`/g)].map(([, span]) => span!);
  const lines = [...text.matchAll(/^```(?:sh|console)\n([\s\S]*?)^```$/gm)].flatMap(([, block]) =>
    block!.split('\n').map((line) => line.replace(/^\$ (?:\w+=\S+ )?/, '')),
  );
  return [...spans, ...lines].filter((line) => /^skc [a-z]/.test(line));
}

async function faultOf(line: string): Promise<string | undefined> {
  const [name = '', ...words] = line.slice(4).split(/\s+/);
  if (name === 'help')
    return words.every((word) => isCliName(word) || topicNamed(word) !== undefined)
      ? undefined
      : `no help: ${line}`;
  if (!isCliName(name)) return `no command ${name}`;
  const { flags: all } = optionsOf(await cliTable[name].load());
  const end = words.indexOf('--');
  const flags = words.slice(0, end === -1 ? undefined : end).flatMap((word) => /^--[a-z-]+/.exec(word) ?? []);
  const odd = flags.find(
    (flag) =>
      optionNamed(all, flag.slice(2)) === undefined && !['--json', '--format', '--help'].includes(flag),
  );
  return odd === undefined ? undefined : `no flag ${odd}: ${line}`;
}

test.each(pages)('%s', async (page) => {
  const mentioned = mentionedIn(readFileSync(join(repository, page), 'utf8'));
  const faults = await Promise.all(mentioned.map(faultOf));
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
});
