import { describe, expect, test } from 'vitest';
import { plainPaint, terminalPaint } from '../../base/diagnostics/index.ts';
import { renderTable } from './render-table.ts';
import { widthOf } from './text-width.ts';

const columns = [{ title: 'NAME' }, { title: 'N', numeric: true }, { title: 'WHAT' }, { title: 'WHERE' }];
const rows = [
  ['pdf-forms', 1200, 'Fills forms and reads what was filled in before', '.skillc/skills/pdf-forms'],
  ['x', 7, '短い説明がここにあります', '~/y'],
];

describe('a table', () => {
  test('in a pipe is whole', () => {
    expect(renderTable(columns, rows, { paint: plainPaint, columns: 20 })).toEqual([
      'NAME           N  WHAT                                             WHERE',
      'pdf-forms  1,200  Fills forms and reads what was filled in before  .skillc/skills/pdf-forms',
      'x              7  短い説明がここにあります                         ~/y',
    ]);
  });

  test('on a terminal is cut to its width, the widest column first', () => {
    expect(renderTable(columns, rows, { paint: plainPaint, columns: 60, isTerminal: true })).toEqual([
      'NAME           N  WHAT              WHERE',
      'pdf-forms  1,200  Fills forms and…  .skillc/skills/pdf-forms',
      'x              7  短い説明がここ…   ~/y',
    ]);
  });

  test.each([40, 60, 80, 120])('fits %i columns', (width) => {
    const lines = renderTable(columns, rows, { paint: plainPaint, columns: width, isTerminal: true });
    expect(lines.filter((line) => widthOf(line) > width)).toEqual([]);
  });

  test('cells are measured before they are coloured, and quoted text is made safe', () => {
    const styled = [
      { title: 'A', style: (text: string, paint = terminalPaint) => paint.good(text) },
      { title: 'B' },
    ];
    expect(renderTable(styled, [['ok', 'a\u001b[2J\nb']], { paint: terminalPaint, columns: 80 })).toEqual([
      '\u001b[2mA   B\u001b[22m',
      '\u001b[32mok\u001b[39m  a\\u001b[2J\\nb',
    ]);
  });
});
