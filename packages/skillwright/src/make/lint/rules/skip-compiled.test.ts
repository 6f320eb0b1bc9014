import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSkill } from '../../../skill/skill/open-skill.ts';
import { lintSkill } from '../lint-skill.ts';
import { activeRules, type RuleSetting } from '../rule.ts';
import { rules } from './index.ts';

const dir = mkdtempSync(join(tmpdir(), 'skc-compiled-'));
mkdirSync(join(dir, '.skillc'));
writeFileSync(join(dir, '.skillc', 'manifest.json'), '{}');
writeFileSync(join(dir, 'SKILL.md'), '---\nname: Not A Name\n---\n');
afterAll(() => rmSync(dir, { recursive: true }));

function lint({
  force = false,
  settings = {},
}: {
  force?: boolean;
  settings?: Record<string, RuleSetting>;
}): string[] {
  const active = activeRules(
    rules.filter(({ id }) => id === 'SKL001' || id === 'SKL102'),
    settings,
  );
  const { findings } = lintSkill(openSkill(dir), { profile: 'spec', rules: active, force, fix: false });
  return findings.map(({ rule, severity }) => `${severity} ${rule.id}`);
}

test('a stub is skipped with a message', () => expect(lint({})).toEqual(['info SKL001']));
test('the severity of the message can be raised', () =>
  expect(lint({ settings: { SKL001: 'error' } })).toEqual(['error SKL001']));
test('switched off, it is skipped silently', () => expect(lint({ settings: { SKL001: 'off' } })).toEqual([]));
test('with force it is checked like any skill', () =>
  expect(lint({ force: true })).toEqual(['error SKL102']));
