// skc lint as a user meets it: what --fix says and shows, and each skill in a line at the end.

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorld } from '../../../test/make-world.ts';
import type { LintReport } from '../../make/lint/index.ts';

const good = '---\nname: good\ndescription: Draws diagrams. Use when asked.\n---\n\n# Good\n';
const wrong =
  '---\nname: Wrong\ndescription: Draws: many. Use when asked.\nallowed_tools: Read\n---\n\n# Wrong\n';
const right =
  '---\nname: wrong\ndescription: "Draws: many. Use when asked."\nallowed-tools: Read\n---\n\n# Wrong\n';

describe('--fix', () => {
  const fixes = [
    "wrong/SKILL.md:3: SKL100 frontmatter-valid: not valid YAML (bad indentation of a mapping entry) but read anyway; put quotes around the value of 'description'",
    'wrong/SKILL.md:2: SKL102 name-format: name must be lower-case letters and digits joined by single hyphens, not the text "Wrong"',
    "wrong/SKILL.md:4: SKL109 frontmatter-known: unknown field 'allowed_tools'",
  ];
  const diff = `--- a/wrong/SKILL.md
+++ b/wrong/SKILL.md
@@ -1,7 +1,7 @@
 ---
-name: Wrong
-description: Draws: many. Use when asked.
-allowed_tools: Read
+name: wrong
+description: "Draws: many. Use when asked."
+allowed-tools: Read
 ---
 
 # Wrong
`;
  const summary = 'wrong: score 100, 0 errors, 0 warnings, 24 tokens\n';

  test('says what it changed', async () => {
    const world = makeWorld({ 'wrong/SKILL.md': wrong });
    const { status, stdout, stderr } = await world.run(['lint', 'wrong', '--fix']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      `${fixes.map((fix) => `fixed ${fix}\n`).join('')}${summary.replace('24', tokensIn(stdout))}1 skill (spec): no errors, no warnings, 3 fixed\n`,
    );
    expect(world.read('wrong/SKILL.md')).toBe(right);
  });

  test('--diff shows it', async () => {
    const world = makeWorld({ 'wrong/SKILL.md': wrong });
    const { stdout } = await world.run(['lint', 'wrong', '--fix', '--diff']);
    expect(stdout).toContain(`\n${diff}wrong: score 100`);
    expect(world.read('wrong/SKILL.md')).toBe(right);
  });

  test('--dry-run changes nothing, and reports the findings before a fix', async () => {
    const world = makeWorld({ 'wrong/SKILL.md': wrong });
    const before = world.list();
    const plain = await world.run(['lint', 'wrong']);
    const dry = await world.run(['lint', 'wrong', '--fix', '--diff', '--dry-run']);
    expect(world.list()).toEqual(before);
    expect([plain.status, dry.status]).toEqual([1, 1]);
    expect(dry.stdout).toContain(`${fixes.map((fix) => `would fix ${fix}\n`).join('')}${diff}wrong: score `);
    expect(dry.stdout).toContain(', 3 would be fixed, nothing was changed\n');
    const [a, b] = await Promise.all(
      [
        ['lint', 'wrong', '--json'],
        ['lint', 'wrong', '--fix', '-n', '--json'],
      ].map(async (words) => (await world.run(words)).json() as Record<string, unknown>),
    );
    expect(b).toEqual({
      ...a,
      dry_run: true,
      fixes: fixes.map((fix) => {
        const [, path, line, rule, name, message] = /^(\S+):(\d+): (\S+) (\S+): (.*)$/.exec(fix)!;
        return { rule, name, message, path, line: Number(line) };
      }),
    });
  });

  test.each(['--diff', '--dry-run'])('E100: %s alone', async (flag) => {
    const { status, stderr } = await makeWorld({ 'good/SKILL.md': good }).run(['lint', 'good', flag]);
    expect([status, stderr.split('\n')[0]]).toEqual([1, `error[E100]: ${flag} belongs to --fix`]);
  });

  test('the diff hides the answers of a quiz that is not passed', async () => {
    const quiz = `quiz:
  - gate: true
    questions:
      - question: Which?
        options:
          - { label: SECRET-RIGHT, correct: true }
          - { label: SECRET-WRONG }
`;
    const world = makeWorld({
      'closed/SKILL.md': `---\nname: Closed\ndescription: Draws. Use when asked.\n${quiz}---\n\n# Closed\n\nSECRET-BODY\n`,
    });
    const { stdout } = await world.run(['lint', 'closed', '--fix', '--diff', '-n']);
    expect(stdout).toContain('would fix closed/SKILL.md:2: SKL102');
    expect(stdout).not.toMatch(/SECRET|^[-+]/m);
    const { stdout: forAuthor } = await world.run(['lint', 'closed', '--fix', '--diff', '-n', '--author']);
    expect(forAuthor).toContain('\n-name: Closed\n+name: closed\n');
  });
});

describe('one line per skill', () => {
  test('its score and its tokens', async () => {
    const world = makeWorld({
      'good/SKILL.md': good,
      'bad/SKILL.md': '---\nname: Bad\n---\n\n## Bad\n\n[a](a.md) [b](b.md)\n',
    });
    const { stdout } = await world.run(['lint', '.']);
    const lines = stdout.split('\n').filter((line) => /: score \d/.test(line));
    expect(lines.map((line) => line.replace(/\d+ tokens/, 'N tokens'))).toEqual([
      'bad: score 35, 4 errors, 1 warning, N tokens',
      'good: score 100, 0 errors, 0 warnings, N tokens',
    ]);
  });

  test('a compiled stub has no line', async () => {
    const world = makeWorld({ '.skillc/skills/good/SKILL.md': good });
    await world.run(['build', 'good', '--target', 'none']);
    const { stdout } = await world.run(['lint', '.skillc/runtime', '.skillc/skills']);
    expect(stdout.match(/: score /g)).toHaveLength(1);
  });
});

describe('skills that are checked together', () => {
  test('a copy is reported, a link and a stub are not', async () => {
    const world = makeWorld({ '.skillc/skills/good/SKILL.md': good, 'copies/good/SKILL.md': good });
    await world.run(['build', 'good', '--target', 'none']);
    symlinkSync(join(world.project, 'copies/good'), join(world.project, 'copies/linked'));
    const findings = async (...paths: string[]) =>
      (
        (await world.run(['lint', ...paths, '--json'])).json() as {
          findings: { rule: string; path: string; message: string }[];
        }
      ).findings.filter(({ rule }) => rule === 'SKL114');
    expect(await findings('.skillc/skills', '.skillc/runtime', 'copies/good')).toEqual([
      expect.objectContaining({
        path: 'copies/good/SKILL.md',
        message: "the skill in '.skillc/skills/good' is also called 'good'",
      }),
    ]);
    expect(await findings('copies')).toEqual([]);
  });
});

describe('skills that an agent sees', () => {
  const describing = (name: string, description: string) =>
    `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n`;
  const text = 'Draws pictures of systems and of processes. Use when asked for diagrams.';
  const found = async (world: ReturnType<typeof makeWorld>, ...words: string[]) =>
    ((await world.run(['lint', ...words, '--json'])).json() as LintReport).findings
      .filter(({ rule }) => rule === 'SKL114' || rule === 'SKL115')
      .map(({ path, line, message }) => `${path}:${line} ${message}`);

  test('a description like theirs is reported for the linted skill only', async () => {
    const world = makeWorld({
      'mine/SKILL.md': describing('mine', text),
      '.claude/skills/charts/SKILL.md': describing('charts', `${text} Says more.`),
      '.claude/skills/plots/SKILL.md': describing('plots', `${text} Says most.`),
    });
    const like = (other: string) =>
      `mine/SKILL.md:3 the description is like that of '${other}' in '.claude/skills/${other}': both say 'Draws', 'pictures', 'systems', 'processes', 'diagrams'`;
    expect(await found(world, 'mine')).toEqual([like('charts')]);
    expect((await world.run(['skills', '--disable', 'charts'])).status).toBe(0);
    expect(await found(world, 'mine')).toEqual([like('plots')]);
    world.write({ '.skillc/config.toml': '[lint.rules]\nSKL114 = "off"\n' });
    expect(await found(world, 'mine')).toEqual([]);
  });

  test('both linted: one finding', async () => {
    const world = makeWorld({
      'mine/SKILL.md': describing('mine', text),
      '.claude/skills/charts/SKILL.md': describing('charts', text),
    });
    expect((await found(world, 'mine', '.claude/skills')).map((line) => line.split(':')[0])).toEqual([
      '.claude/skills/charts/SKILL.md',
    ]);
  });

  test('copies, deployed forms and other versions of the skill itself are not reported', async () => {
    const world = makeWorld({
      'mine/SKILL.md': describing('mine', text),
      '.claude/skills/old-copy/SKILL.md': describing('mine', `${text} Once.`),
    });
    await world.run(['build', 'mine', '--import', '--target', 'codex,cursor']);
    expect(await found(world, 'mine')).toEqual([]);
    expect(await found(world, '.skillc/runtime/mine', '--force')).toEqual([]);
  });

  test('requests that others win', async () => {
    const world = makeWorld({
      'mine/SKILL.md': describing('mine', 'Helps with pictures.'),
      'mine/evals/eval_queries.json': JSON.stringify([
        { query: 'draw a picture of a system', should_trigger: true },
        { query: 'pictures of processes', should_trigger: true },
        { query: 'draw nothing', should_trigger: true, proposed: true },
      ]),
      '.claude/skills/charts/SKILL.md': describing('charts', text),
    });
    expect(await found(world, 'mine')).toEqual([
      "mine/SKILL.md:3 none of the 2 requests of its evals finds the skill: for 'draw a picture of a system', charts wins because of 'draw' (description), 'system' (description); mine has rank 2",
    ]);
    world.write({ 'mine/SKILL.md': describing('mine', 'Draws pictures of any system.') });
    expect(await found(world, 'mine')).toEqual([]);
  });
});

const tokensIn = (text: string) => /(\d+) tokens/.exec(text)![1]!;
