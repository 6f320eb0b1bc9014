import { describe, expect, test } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';

describe('counts what a tokenizer would split', () => {
  test.each([
    ['', 0],
    [' \t ', 0],
    ['a', 1],
    ['hello', 2],
    ['\n\n\n', 2],
    ['one two three four', 4],
    ['camelCase', 2],
    ['2026', 4],
    ['...', 2],
    ['数据', 2],
    ['🚀', 2],
  ])('%j is %i', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });
});

describe('stays near the mean count of o200k_base and the Anthropic tokenizer', () => {
  test.each([
    [
      'Extract text and tables from PDF files, fill forms, and merge documents. Use when the user mentions PDFs, ' +
        'forms, or document extraction, and wants the result as a spreadsheet or as plain text.',
      40.5,
    ],
    ["import { join } from 'node:path';\n\nexport const home = (name: string) => join('/srv', name);\n", 27],
    ['Этот навык обрабатывает таблицы и при необходимости создаёт диаграммы и отчёты.', 32.5],
  ])('%s', (text, counted) => {
    expect(Math.abs(estimateTokens(text) / counted - 1)).toBeLessThan(0.2);
  });
});

test('Chinese is counted on the safe side, a token a character, where the tokenizers take 18 and 22', () => {
  expect(estimateTokens('本技能用于处理电子表格文件，并在需要时生成图表和报告。')).toBe(27);
});

test('a text twice as long costs twice as much', () => {
  const line = 'Run `scripts/report.py --input data.csv` and read the summary.\n';
  expect(estimateTokens(line.repeat(2000))).toBeCloseTo(estimateTokens(line.repeat(1000)) * 2, -1);
});
