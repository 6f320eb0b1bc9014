import { describe, expect, test } from 'vitest';
import { plainPaint } from '../../base/diagnostics/render-text.ts';
import { shortFlagTable } from '../commands/options-of.ts';
import { cliNames, cliTable, currentNames } from './cli-table.ts';
import { topicNames, topicPage } from './help-topics.ts';
import { renderCommandHelp, seeAlso } from './render-help.ts';
import { renderOverview } from './render-overview.ts';

const viewOf = (columns: number) => ({ paint: plainPaint, columns, by: 'user' as const });

/** Lines that are not to be broken: what is typed, and titles. */
const isWhole = (line: string) => /^(?: {2}(?:skc|source|-|<)|\S)/.test(line);

describe.each([40, 80, 120, 300])('on %i columns', (columns) => {
  test('the overview fits', () => {
    const lines = renderOverview(viewOf(columns)).split('\n');
    const wide = lines.filter((line) => line.length > columns);
    expect(wide.every((line) => line.startsWith('skc: ') || line.startsWith('Usage'))).toBe(true);
  });

  test.each(cliNames)('explanations of %s fit', async (name) => {
    const page = renderCommandHelp(name, await cliTable[name].load(), viewOf(columns));
    const beside = page.split('\n').filter((line) => !isWhole(line));
    expect(beside.filter((line) => line.length > Math.min(columns, 120))).toEqual([]);
    expect(page).not.toMatch(/[ \t]$/m);
  });
});

test('a narrow terminal gets explanations below the flags', async () => {
  expect(renderCommandHelp('version', await cliTable.version.load(), viewOf(40))).toBe(
    `Show the version and what it runs on

Usage: skc version [flags]

\`skc --version\` prints it in one line.

Flags
  --json
      Print the result as JSON
  --format <text|json>
      Choose the output format (default
      text)
  -h, --help
      Show this help
`,
  );
});

test('line breaks after a full sentence stay, others move', async () => {
  const command = { ...(await cliTable.version.load()), about: 'One\ntwo.\nThree\nfour.' };
  expect(renderCommandHelp('version', command, viewOf(80)).split('\n').slice(4, 7)).toEqual([
    'One two.',
    'Three four.',
    '',
  ]);
});

test('every command is in a group, and groups are in order', () => {
  const lines = renderOverview(viewOf(80)).split('\n');
  const listed = lines.flatMap((line) => /^(?:[A-Z][a-z ]{1,6} +| {9})([a-z]+) {2,}\S/.exec(line)?.[1] ?? []);
  expect(listed).toEqual(currentNames);
  expect(cliNames.filter((name) => !currentNames.includes(name))).toEqual(['trawl', 'roots']);
  const titles = lines.flatMap((line) => /^([A-Z][a-z]+(?: [a-z]+)?) {2,}/.exec(line)?.[1] ?? []);
  expect(titles).toEqual(['Write', 'Read', 'Find', 'Install', 'Publish', 'Trust', 'Run', 'Serve', 'Set up']);
  expect(lines.length).toBeLessThanOrEqual(69);
});

test.each([
  ['find', ['search', 'list']],
  ['list', ['find', 'search', 'info', 'skills']],
  ['verify', ['lint', 'validate', 'doctor', 'scan', 'report', 'ci']],
  ['load', ['show', 'open', 'outline', 'sources']],
  ['agents', []],
] as const)('%s names its neighbours', async (name, others) => {
  expect(seeAlso(name)).toEqual(others);
  const page = renderCommandHelp(name, await cliTable[name].load(), viewOf(80));
  for (const other of others) expect(page).toContain(`  skc ${other} `);
});

describe('topics', () => {
  test('do not share names with commands', () => {
    expect(topicNames.filter((name) => (cliNames as readonly string[]).includes(name))).toEqual([]);
  });

  test('flags lists every letter', async () => {
    const listed = [...(await topicPage('flags')).matchAll(/^ {4}-(\w) {2}--([a-z-]+) /gm)];
    const shared = [
      ['h', 'help'],
      ['V', 'version'],
    ];
    expect(listed.map(([, letter, flag]) => [letter, flag])).toEqual([...shortFlagTable(), ...shared]);
  });

  test.each(topicNames)('%s is a short page', async (name) => {
    const page = await topicPage(name);
    expect(page).toMatch(/^# \S.*\n\n[\s\S]*[^\n]\n$/);
    const lines = page.split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.length).toBeLessThanOrEqual(34);
  });
});
