import { describe, expect, test } from 'vitest';
import { plainPaint } from '../../base/diagnostics/render-text.ts';
import { cliNames, cliTable } from './cli-table.ts';
import { renderCommandHelp, renderOverview } from './render-help.ts';

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
    `Say which version this is and what it runs on

Usage: skc version [flags]

\`skc --version\` says the same in one
line.

Flags
  --json
      Print the result as JSON
  --format <text|json>
      How to print the result (default
      text)
  -h, --help
      Explain the command
`,
  );
});

test('a line end after a whole sentence stays, others move', async () => {
  const command = { ...(await cliTable.version.load()), about: 'One\ntwo.\nThree\nfour.' };
  expect(renderCommandHelp('version', command, viewOf(80)).split('\n').slice(4, 7)).toEqual([
    'One two.',
    'Three four.',
    '',
  ]);
});
