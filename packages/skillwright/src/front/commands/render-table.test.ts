import { describe, expect, test } from 'vitest';
import { plainPaint, terminalPaint } from '../../base/diagnostics/index.ts';
import { renderTable } from './render-table.ts';
import { widthOf } from './text-width.ts';

const titles = ['NAME', 'N', 'WHAT', 'WHERE'];
const rows = [
  ['pdf-forms', 1200, 'Fills forms and reads what was filled in before', '.skillc/skills/pdf-forms'],
  ['x', 7, '短い説明がここにあります', '~/y'],
];

describe('a table', () => {
  test('in a pipe is whole', () => {
    expect(renderTable(titles, rows, { paint: plainPaint, columns: 20 })).toEqual([
      'NAME           N  WHAT                                             WHERE',
      'pdf-forms  1,200  Fills forms and reads what was filled in before  .skillc/skills/pdf-forms',
      'x              7  短い説明がここにあります                         ~/y',
    ]);
  });

  test('on a terminal is cut to its width, the widest column first', () => {
    expect(renderTable(titles, rows, { paint: plainPaint, columns: 60, isTerminal: true })).toEqual([
      'NAME           N  WHAT              WHERE',
      'pdf-forms  1,200  Fills forms and…  .skillc/skills/pdf-forms',
      'x              7  短い説明がここ…   ~/y',
    ]);
  });

  test.each([40, 60, 80, 120])('fits %i columns', (width) => {
    const lines = renderTable(titles, rows, { paint: plainPaint, columns: width, isTerminal: true });
    expect(lines.filter((line) => widthOf(line) > width)).toEqual([]);
  });

  test('quoted text is made safe', () => {
    expect(renderTable(['A', 'B'], [['ok', 'a\u001b[2J\nb']], { paint: terminalPaint, columns: 80 })).toEqual(
      ['\u001b[2mA   B\u001b[22m', 'ok  a\\u001b[2J\\nb'],
    );
  });
});

const fitTitles = ['NAME', 'USED', 'SOURCE'];
const fitRows = [['pdf-forms', '2026-01-02', '/home/ann/projects/forms/skills/pdf-forms']];
const fit = (width: number) =>
  renderTable(fitTitles, fitRows, { paint: plainPaint, columns: width, leaves: ['USED'] });

test('a path is cut at its beginning', () => {
  expect(fit(50)).toEqual([
    'NAME       USED        SOURCE',
    'pdf-forms  2026-01-02  …cts/forms/skills/pdf-forms',
  ]);
});

test('columns that are left out are named', () => {
  expect(fit(38)).toEqual([
    'NAME       SOURCE',
    'pdf-forms  …cts/forms/skills/pdf-forms',
    'not shown: USED; use --json',
  ]);
});
