// Runs every example of every rule page with that rule alone.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../../test/make-directory.ts';
import { type RuleExample, readRulePage } from '../../../make/lint/rules/read-rule-page.ts';
import { ScanCategory } from '../finding.ts';
import type { ScanRule } from '../scan-rule.ts';
import { scanSkill } from '../scan-skill.ts';
import { scanRules } from './index.ts';

/** Pages contain nothing that looks like a secret or is invisible: `·` is removed, and `\u{…}` stands for a character. */
const written = (text: string): string =>
  text
    .replaceAll('·', '')
    .replace(/\\u\{([0-9a-f]+)\}/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)));

function findingsOf(rule: ScanRule, example: RuleExample): string[] {
  const files = [...example.files].map(([path, text]) => [`demo/${path}`, written(text)]);
  const root = makeDirectory(Object.fromEntries(files));
  return scanSkill(join(root, 'demo'), { rules: [rule] }).findings.map(
    ({ severity, confidence, file, line, message }) =>
      `${severity}/${confidence} ${line === null ? file : `${file}:${line}`}: ${message}`,
  );
}

for (const rule of scanRules) {
  const text = readFileSync(new URL(`./${rule.name}.md`, import.meta.url), 'utf8');
  const page = readRulePage(text);
  describe(`${rule.id} ${rule.name}`, () => {
    test('the page has the title of the rule and the usual parts', () => {
      expect(page.title).toBe(`${rule.id} ${rule.name}`);
      expect(text).toContain(rule.summary);
      expect(page.parts).toEqual(['Why', 'Fails', 'Passes']);
    });
    test('the page shows at least one failure and one pass', () => {
      const failing = page.examples.filter((example) => example.expected.length > 0);
      expect([failing.length > 0, page.examples.length > failing.length]).toEqual([true, true]);
    });
    for (const example of page.examples)
      test(example.title, () => expect(findingsOf(rule, example)).toEqual(example.expected));
  });
}

test('ids and names are unique, ids in order', () => {
  const ids = scanRules.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort());
  expect(new Set(scanRules.map(({ name }) => name)).size).toBe(scanRules.length);
});

test('every category has a rule', () => {
  expect([...new Set(scanRules.map(({ category }) => category))].sort()).toEqual(
    [...ScanCategory.options].sort(),
  );
});
