import { expect, test } from 'vitest';
import { plainPaint } from '../../base/diagnostics/index.ts';
import { fitTable } from './fit-table.ts';

const columns = [{ title: 'NAME' }, { title: 'USED' }, { title: 'SOURCE' }];
const rows = [['pdf-forms', '2026-01-02', '/home/ann/projects/forms/skills/pdf-forms']];
const fit = (width: number) =>
  fitTable(columns, rows, { paint: plainPaint, columns: width, leaves: ['USED'] });

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
