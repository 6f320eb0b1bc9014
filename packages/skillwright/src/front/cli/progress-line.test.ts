import { expect, test } from 'vitest';
import { createProgressLine } from './progress-line.ts';

test('work with a total has a bar, and after a second the time left', () => {
  let time = 0;
  const line = createProgressLine(() => time);
  const steps: [at: number, text: string][] = [
    [0, 'fetching https://example.com'],
    [0, 'scanning 0 of 200'],
    [49, 'scanning 90 of 200'],
    [500, 'scanning 100 of 200'],
    [1000, 'scanning 100 of 200'],
    [4000, 'scanning 2 of 200'],
    [9000, 'scanning 200 of 200'],
    [9000, 'building 1 of 4'],
    [69_000, 'building 2 of 4'],
    [429_000, 'building 3 of 4'],
    [429_000, 'report: 5 of 0'],
    [429_000, 'report: 5 of 4'],
  ];
  expect(
    steps.map(([at, text]) => {
      time = at;
      return line(text);
    }),
  ).toEqual([
    'fetching https://example.com',
    'scanning 0 of 200 [░░░░░░░░░░░░░░░░░░░░] 0%',
    undefined,
    'scanning 100 of 200 [██████████░░░░░░░░░░] 50%',
    'scanning 100 of 200 [██████████░░░░░░░░░░] 50%, 1 s left',
    'scanning 2 of 200 [░░░░░░░░░░░░░░░░░░░░] 1%',
    'scanning 200 of 200 [████████████████████] 100%',
    'building 1 of 4 [█████░░░░░░░░░░░░░░░] 25%',
    'building 2 of 4 [██████████░░░░░░░░░░] 50%, 1 min left',
    'building 3 of 4 [███████████████░░░░░] 75%, 3 min left',
    'report: 5 of 0',
    'report: 5 of 4',
  ]);
});

test('a narrow terminal has a shorter bar, or none, and keeps the time left', () => {
  let time = 0;
  const line = createProgressLine(() => time);
  line('looking at 0 of 44 skills');
  expect(
    [70, 50, 46].map((columns) => {
      time += 2000;
      return line('looking at 22 of 44 skills', columns);
    }),
  ).toEqual([
    'looking at 22 of 44 skills [██████████░░░░░░░░░░] 50%, 2 s left',
    'looking at 22 of 44 skills [████░░░] 50%, 4 s left',
    'looking at 22 of 44 skills 50%, 6 s left',
  ]);
});
