// Runs every example of every rule page with that rule alone.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ProfileName } from '../../../skill/format/profile-table.ts';
import { openSkill } from '../../../skill/skill/open-skill.ts';
import { lintSkill } from '../lint-skill.ts';
import type { SkillCompany } from '../lint-subject.ts';
import { SkillNeighbours } from '../skill-neighbours.ts';
import { rules } from './index.ts';
import { type RuleExample, readRulePage } from './read-rule-page.ts';

const Setup = z.strictObject({
  directory: z.string().default('demo'),
  profile: ProfileName.default('spec'),
  /** Neighbours that are not linted. */
  installed: z.array(z.string()).default([]),
  options: z.record(z.string(), z.unknown()).default({}),
});

for (const rule of rules) {
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
    test('a fixable rule shows a fix, and no other rule does', () => {
      expect(page.examples.some((example) => example.fixed !== undefined)).toBe(rule.fixable === true);
    });
    for (const example of page.examples) test(example.title, () => runExample(rule.name, example));
  });
}

function runExample(name: string, example: RuleExample): void {
  const setup = Setup.parse(parse(example.setup));
  const parent = mkdtempSync(join(tmpdir(), 'skc-rule-'));
  const dir = join(parent, setup.directory);
  try {
    for (const [path, content] of example.files) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), content);
    }
    const rule = rules.find((candidate) => candidate.name === name)!;
    const options = {
      profile: setup.profile,
      rules: [{ rule, configured: undefined, options: setup.options }],
      force: false,
      fix: false,
      company: findCompanyOf(example, { parent, setup }),
    };
    const found = lintSkill(openSkill(dir), options).findings.map(({ severity, file, finding }) => {
      const place = finding.line === undefined ? file : `${file}:${finding.line}`;
      return `${severity} ${place}: ${finding.message}`;
    });
    expect(found).toEqual(example.expected);
    if (example.fixed === undefined) return;
    lintSkill(openSkill(dir), { ...options, fix: true });
    expect(readFileSync(join(dir, 'SKILL.md'), 'utf8')).toBe(example.fixed);
  } finally {
    rmSync(parent, { recursive: true });
  }
}

/** The skill among its neighbours: they are linted before it, except those that are only installed. */
function findCompanyOf(
  { files }: RuleExample,
  { parent, setup }: { parent: string; setup: z.output<typeof Setup> },
): SkillCompany | undefined {
  const others = [...files.keys()].flatMap((path) => /^\.\.\/([^/]+)\/SKILL\.md$/.exec(path)?.[1] ?? []);
  if (others.length === 0) return undefined;
  const neighbours = new SkillNeighbours();
  for (const path of [...others, setup.directory]) {
    const { name, description = '' } = openSkill(join(parent, path)).frontmatter as {
      name: string;
      description?: string;
    };
    const skill = { identity: path, path, name, description };
    if (setup.installed.includes(path)) neighbours.addVisible(skill);
    else neighbours.add(skill);
  }
  return { likeness: neighbours.compare().get(setup.directory) };
}
