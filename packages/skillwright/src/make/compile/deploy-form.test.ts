import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listTree, makeWorld, skillText, type World } from '../../../test/make-world.ts';
import { skc } from '../../../test/run-in-process.ts';

const source = '.skillc/skills/demo';
const runtime = '.skillc/runtime/demo';
const claude = '~/.claude/skills/demo';
const env = { SKC_BUILD_DEPLOY: 'auto' };

/** Long enough that a stub saves tokens. */
const long = `# Demo\n\n${'A sentence that says something about the work.\n'.repeat(60)}\n## Steps\n\nDo it.\n`;

interface Built {
  readonly form: string;
  readonly why: string;
  readonly beside: string[];
  readonly left_out: { path: string; why: string }[];
  readonly deployments: { path: string; method: string; form: string; changed: boolean }[];
}

const makeDemo = (text: string, files: Record<string, string> = {}) =>
  makeWorld({
    [`${source}/SKILL.md`]: text,
    ...Object.fromEntries(Object.entries(files).map(([path, content]) => [`${source}/${path}`, content])),
  });

async function build(world: World, ...flags: string[]): Promise<Built & { stderr: string }> {
  const result = await world.run(['build', 'demo', '--json', ...flags], { env });
  expect(result.status).toBe(0);
  return { ...(result.json() as { built: [Built] }).built[0], stderr: result.stderr };
}

const at = (world: World, path: string) =>
  join(path.startsWith('~/') ? world.home : world.project, path.replace('~/', ''));
const withField = (field: string, body = long) =>
  skillText('demo', body).replace('---\n\n', `${field}\n---\n\n`);

describe('auto picks the first form that loses nothing', () => {
  test.each<
    [string, string, Record<string, string>, { form: string; why: string | RegExp; beside?: string[] }]
  >([
    ['text alone', skillText('demo', long), {}, { form: 'stub', why: 'nothing is lost' }],
    [
      'references alone',
      skillText('demo', `${long}See [more](references/a.md).\n`),
      { 'references/a.md': '# A\n' },
      { form: 'stub', why: 'nothing is lost' },
    ],
    [
      'a script in a fenced command',
      skillText('demo', `${long}\n\`\`\`sh\npython scripts/recalc.py out.xlsx\n\`\`\`\n`),
      { 'scripts/recalc.py': 'print(1)\n', 'LICENSE.txt': 'MIT\n' },
      { form: 'files', why: 'its text refers to scripts/', beside: ['scripts'] },
    ],
    [
      'an asset in a link, percent-encoded',
      skillText('demo', `${long}Use [it](assets/my%20template.docx).\n`),
      { 'assets/my template.docx': 'x' },
      { form: 'files', why: 'its text refers to assets/', beside: ['assets'] },
    ],
    [
      'a script that a reference names, and data that the script names',
      skillText('demo', `${long}See references/run.md.\n`),
      {
        'references/run.md': 'Run `tools/go.sh`.\n',
        'tools/go.sh': 'cat "$(dirname "$0")/../data/table.json"\n',
        'data/table.json': '{}',
      },
      { form: 'files', why: 'its text refers to data/ and tools/', beside: ['data', 'tools'] },
    ],
    [
      'a directory of Markdown with another file in it',
      skillText('demo', `${long}See references/schema.json.\n`),
      { 'references/a.md': '# A\n', 'references/schema.json': '{}' },
      { form: 'files', why: 'its text refers to references/', beside: ['references'] },
    ],
    [
      'hooks',
      withField('hooks: {PreToolUse: [{hooks: [{type: command, command: x}]}]}'),
      {},
      { form: 'whole', why: 'a stub would lose hooks' },
    ],
    [
      '$ARGUMENTS',
      skillText('demo', `${long}Fix $ARGUMENTS now.\n`),
      {},
      { form: 'whole', why: 'a stub would lose $ARGUMENTS' },
    ],
    ['$1', skillText('demo', `${long}Fix $1 now.\n`), {}, { form: 'whole', why: 'a stub would lose $1' }],
    [
      'a price and a shell',
      skillText('demo', `${long}It costs $5 per month.\n\n\`\`\`sh\nawk '{ print $1 }'\n\`\`\`\n`),
      {},
      { form: 'stub', why: 'nothing is lost' },
    ],
    [
      '$ARGUMENTS in code',
      skillText(
        'demo',
        `${long}Commands get \`$ARGUMENTS\`, and \`$ARGUMENTS[1]\` of them.\n\n\`\`\`md\nFix $ARGUMENTS.\n\`\`\`\n`,
      ),
      {},
      { form: 'stub', why: 'nothing is lost' },
    ],
    [
      '$ARGUMENTS in code, which the frontmatter announces',
      withField('argument-hint: issue', `${long}\`\`\`sh\ngh issue view $ARGUMENTS\n\`\`\`\n`),
      {},
      { form: 'whole', why: 'a stub would lose $ARGUMENTS' },
    ],
    [
      'named arguments',
      withField('arguments: issue', `${long}Fix $issue.\n`),
      {},
      { form: 'whole', why: 'a stub would lose $issue' },
    ],
    [
      'the directory of the skill',
      skillText('demo', `${long}Run \${CLAUDE_SKILL_DIR}/x.\n`),
      {},
      { form: 'whole', why: 'a stub would lose $' + '{CLAUDE_SKILL_DIR}' },
    ],
    [
      'dynamic context',
      skillText('demo', `${long}Status: !\`git status\`\n`),
      {},
      { form: 'whole', why: 'a stub would lose dynamic context' },
    ],
    [
      'context: fork',
      withField('context: fork'),
      {},
      { form: 'whole', why: 'a stub would lose context: fork' },
    ],
    [
      'little text',
      skillText('demo', '# Demo\n'),
      {},
      { form: 'whole', why: /^a stub would cost more: \d+ tokens, SKILL\.md has \d+$/ },
    ],
  ])('%s', async (_what, text, files, expected) => {
    const world = makeDemo(text, files);
    const { form, why, beside, deployments, stderr } = await build(world);
    expect({ form, beside, stderr }).toEqual({
      form: expected.form,
      beside: expected.beside ?? [],
      stderr: '',
    });
    expect(why).toEqual(
      typeof expected.why === 'string' ? expected.why : expect.stringMatching(expected.why),
    );
    expect(deployments).toMatchObject([{ form, method: 'symlink', changed: true }]);
    const leads = form === 'whole' ? source : runtime;
    expect(readlinkSync(at(world, claude))).toBe(join(world.project, leads));
    const listed = (await world.run(['list', '--json'], { env })).json() as { skills: object[] };
    expect(listed.skills).toMatchObject([{ name: 'demo', form, why }]);
    // In every form the gateway works, and cleaning keeps the source.
    expect((await world.run(['outline', 'demo'])).status).toBe(0);
    const before = listTree(join(world.project, source));
    expect((await world.run(['clean', 'demo'])).status).toBe(0);
    expect(listTree(join(world.project, source))).toEqual(before);
    expect(existsSync(at(world, runtime))).toBe(false);
    expect(lstatSync(at(world, claude), { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe('relative paths work from the deployed skill', () => {
  const text = skillText(
    'demo',
    `${long}\nRun \`python scripts/recalc.py out.xlsx\`, with assets/a.png and ./config.toml.\n`,
  );
  const files = {
    'scripts/recalc.py': 'print("recalculated")\n',
    'assets/a.png': '\0',
    'config.toml': 'x = 1\n',
    'notes.md': '# Notes\n',
    'unused.bin': '\0',
  };
  const names = ['assets', 'config.toml', 'scripts'];

  test('as links, which the stub names and the manifest lists', async () => {
    const world = makeDemo(text, files);
    const { beside, left_out } = await build(world);
    expect(beside).toEqual(names);
    expect(left_out).toEqual([
      { path: 'notes.md', why: "Markdown: use 'skc show' or 'skc open'" },
      { path: 'unused.bin', why: 'no text refers to it' },
    ]);
    const deployed = at(world, claude);
    for (const path of ['scripts/recalc.py', 'assets/a.png', 'config.toml'])
      expect(readFileSync(join(deployed, path))).toEqual(readFileSync(join(world.project, source, path)));
    expect(execFileSync('cat', ['scripts/recalc.py'], { cwd: deployed, encoding: 'utf8' })).toContain(
      'recalc',
    );
    expect(world.read(`${runtime}/SKILL.md`)).toContain(
      '\nBeside this file: `assets/`, `config.toml`, `scripts/`. Paths in the text start from its directory.\n',
    );
    expect(JSON.parse(world.read(`${runtime}/.skillc/manifest.json`))).toMatchObject({
      form: 'files',
      beside: names,
    });
    expect(readlinkSync(join(world.project, runtime, 'scripts'))).toBe('../../skills/demo/scripts');
  });

  test('links follow the text, and a removed one is restored', async () => {
    const world = makeDemo(text, files);
    await build(world);
    rmSync(join(world.project, runtime, 'assets'));
    const told = (await world.run(['doctor', '--json'], { env })).json() as { findings: { check: string }[] };
    expect(told.findings.map(({ check }) => check)).toContain('stale-build');
    expect((await build(world)).beside).toEqual(names);
    expect(existsSync(join(world.project, runtime, 'assets/a.png'))).toBe(true);
    world.write({ [`${source}/SKILL.md`]: skillText('demo', `${long}\nSee config.toml.\n`) });
    await build(world);
    expect(
      Object.keys(listTree(join(world.project, runtime))).filter((path) => !path.startsWith('.skillc')),
    ).toEqual(['SKILL.md', 'config.toml']);
  });

  test('as copies with --copy; a changed one is kept, a stale one replaced', async () => {
    const world = makeDemo(text, files);
    await build(world, '--copy');
    const copy = at(world, claude);
    expect(readFileSync(join(copy, 'scripts/recalc.py'), 'utf8')).toBe(files['scripts/recalc.py']);
    expect(lstatSync(join(copy, 'scripts')).isDirectory()).toBe(true);
    expect((await build(world, '--copy')).deployments).toMatchObject([{ changed: false }]);
    world.write({ [`${source}/scripts/recalc.py`]: 'print("new")\n' });
    expect((await build(world, '--copy')).deployments).toMatchObject([{ changed: true, backup: null }]);
    expect(readFileSync(join(copy, 'scripts/recalc.py'), 'utf8')).toBe('print("new")\n');
    world.write({ [`${claude}/scripts/.venv/mine`]: 'mine' });
    expect((await build(world)).deployments).toMatchObject([
      { backup: '<home>/.skillc/backups/demo.bak-20260102T030405Z' },
    ]);
  });

  test('a whole copy is the skill without its hidden files', async () => {
    const world = makeDemo(skillText('demo'), { 'a.sh': 'echo\n', '.env': 'secret' });
    expect(await build(world, '--copy')).toMatchObject({ form: 'whole', deployments: [{ method: 'copy' }] });
    expect(Object.keys(listTree(at(world, claude)))).toEqual([
      '.skillc',
      '.skillc/manifest.json',
      'SKILL.md',
      'a.sh',
    ]);
    expect((await build(world, '--copy')).deployments).toMatchObject([{ changed: false }]);
    await world.run(['clean', 'demo']);
    expect(existsSync(at(world, claude))).toBe(false);
  });

  test('a file that the user put into the runtime directory is not replaced', async () => {
    const world = makeDemo(skillText('demo', long), files);
    await build(world);
    world.write({ [`${runtime}/scripts`]: 'mine', [`${source}/SKILL.md`]: text });
    const { status, stderr } = await world.run(['build', 'demo'], { env });
    expect({ status, code: stderr.slice(0, 12) }).toEqual({ status: 1, code: 'error[E013]:' });
    expect(world.read(`${runtime}/scripts`)).toBe('mine');
  });
});

describe('a requested form', () => {
  const text = skillText('demo', `${long}\nRun scripts/go.sh with $ARGUMENTS.\n`);
  const files = { 'scripts/go.sh': 'echo\n' };

  test('a forced stub reports what it loses and how to run scripts; so does doctor', async () => {
    const world = makeDemo(text, files);
    const { form, why, stderr, left_out } = await build(world, '--stub');
    expect({ form, why, stderr, left_out }).toEqual({
      form: 'stub',
      why: 'as requested',
      stderr: "warning[W014]: the stub of 'demo' loses $ARGUMENTS and scripts/ beside it\n",
      left_out: [{ path: 'scripts', why: 'you asked for a stub alone' }],
    });
    expect(world.read(`${runtime}/SKILL.md`)).toContain(
      '\nskc scripts demo; skc run demo <script> --read <file> --write <directory>\n',
    );
    const { findings } = (await world.run(['doctor', '--json'], { env })).json() as { findings: object[] };
    expect(findings.slice(0, 1)).toMatchObject([
      { check: 'deploy-form', message: "the stub of 'demo' loses $ARGUMENTS, scripts/ beside it" },
    ]);
    // Reported again although there is nothing to do.
    expect((await build(world, '--stub')).stderr).toContain('W014');
  });

  test('--whole, and the way back', async () => {
    const world = makeDemo(skillText('demo', long));
    expect(await build(world, '--whole')).toMatchObject({ form: 'whole', why: 'as requested' });
    expect(readlinkSync(at(world, claude))).toBe(join(world.project, source));
    expect(await build(world)).toMatchObject({ form: 'stub' });
    expect(readlinkSync(at(world, claude))).toBe(join(world.project, runtime));
  });

  test('by the configuration, which flags override', async () => {
    const world = makeDemo(skillText('demo', long));
    world.write({ '.skillc/config.toml': '[build]\ndeploy = "whole"\n' });
    const formWith = async (...flags: string[]) => {
      const run = await skc(['build', 'demo', '--json', ...flags], { cwd: world.project, home: world.home });
      return (run.json() as { built: [Built] }).built[0].form;
    };
    expect([await formWith(), await formWith('--stub'), await formWith()]).toEqual([
      'whole',
      'stub',
      'whole',
    ]);
  });

  test('both at once is E100', async () => {
    const world = makeDemo(text, files);
    expect((await world.run(['build', 'demo', '--stub', '--whole'])).stderr).toContain('error[E100]');
  });

  test('a refreshed index keeps the requested form', async () => {
    const world = makeDemo(skillText('demo', long));
    await build(world, '--whole');
    world.write({ [`${source}/SKILL.md`]: skillText('demo', `${long}\n## New\n\nText.\n`) });
    expect((await world.run(['show', 'demo', '--section', 'New', '--fresh'], { env })).status).toBe(0);
    expect(JSON.parse(world.read(`${runtime}/.skillc/manifest.json`))).toMatchObject({
      form: 'whole',
      deploy: 'whole',
    });
  });
});

describe('files closed to agents are neither linked nor deployed whole', () => {
  const quiz =
    'quiz: [{gate: true, questions: [{question: Q, options: [{label: a, correct: true}, {label: b}]}]}]';

  test.each([[[]], [['--whole']]])('a skill behind a quiz, with %j', async (flags) => {
    const world = makeDemo(withField(quiz, `${long}\nRun scripts/secret.sh with $ARGUMENTS.\n`), {
      'scripts/secret.sh': 'echo\n',
    });
    const { form, why, beside, left_out, stderr } = await build(world, ...flags);
    expect({ form, why, beside, left_out }).toEqual({
      form: 'stub',
      why: 'it is locked behind a quiz',
      beside: [],
      left_out: [],
    });
    expect(stderr).toBe(
      flags.length === 0 ? '' : "warning[W015]: 'demo' is deployed as a stub: it is locked behind a quiz\n",
    );
    const deployed = Object.entries(listTree(join(world.project, runtime))).filter(
      ([path]) => !path.endsWith('.db'),
    );
    expect(JSON.stringify(deployed)).not.toMatch(/secret|scripts/);
  });

  test('a skill with a closed one inside: its directory is not linked', async () => {
    const world = makeDemo(
      skillText('demo', `${long}\nUse tools/run.sh and data/x.json with $ARGUMENTS.\n`),
      {
        'tools/run.sh': 'echo\n',
        'data/x.json': '{}',
        'tools/inner/SKILL.md': skillText('inner', '# Secret\n'),
      },
    );
    world.write({
      '.skillc/config.toml': '[[permissions.deny]]\ntool = "skill_load"\nskill_name = "inner"\n',
    });
    const { form, beside, left_out, stderr } = await build(world);
    expect({ form, beside, left_out }).toEqual({
      form: 'files',
      beside: ['data'],
      left_out: [{ path: 'tools', why: 'a skill inside it is closed to agents' }],
    });
    expect(stderr).toBe(
      "warning[W015]: 'demo' is deployed as a stub: a skill inside it is closed to agents\nwarning[W014]: the stub of 'demo' loses $ARGUMENTS\n",
    );
    expect(existsSync(join(world.project, runtime, 'tools'))).toBe(false);
  });
});

test('a build reports repairs of the frontmatter', async () => {
  const world = makeDemo(
    '---\nname: demo\ndescription: Use when: testing\nlicense: MIT\nlicense: BSD\n---\n# Demo\n',
  );
  const { stderr } = await world.run(['build', 'demo', '--target', 'none']);
  expect(
    stderr
      .split('\n')
      .map((line) => line.replace(/: .*\/SKILL/, ': SKILL'))
      .filter(Boolean),
  ).toEqual([
    expect.stringMatching(/^warning\[W016\]: .*SKILL\.md:3: /),
    expect.stringMatching(/^warning\[W016\]: .*SKILL\.md:5: /),
  ]);
});

test('--dry-run reports what would happen, and changes nothing', async () => {
  const world = makeDemo(skillText('demo', `${long}\nRun scripts/go.sh.\n`), { 'scripts/go.sh': 'echo\n' });
  const before = world.list();
  const { status, stdout } = await world.run(['build', 'demo', '--dry-run'], { env });
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout:
      'demo: would be created (2 files)\n  form: a stub with files (its text refers to scripts/)\n  claude: <home>/.claude/skills/demo (symlink; would be created)\n  for all your projects; --scope project links it for this one only\n',
  });
  expect(world.list()).toEqual(before);
  await build(world);
  const after = world.list();
  expect((await world.run(['build', 'demo', '--dry-run'], { env })).stdout).toBe(
    'demo: up to date (2 files)\n  form: a stub with files (its text refers to scripts/)\n  claude: <home>/.claude/skills/demo (symlink; already there)\n  for all your projects; --scope project links it for this one only\n',
  );
  const cleaned = (await world.run(['clean', 'demo', '--dry-run'])).stdout;
  expect(cleaned.match(/^would remove /gm)).toHaveLength(5);
  expect(world.list()).toEqual(after);
});

test('a new link is reported even if there is nothing to compile', async () => {
  const world = makeDemo(skillText('demo', long));
  await build(world, '--target', 'none');
  expect((await world.run(['build', 'demo', '--target', 'claude,cursor'], { env })).stdout).toBe(
    'demo: already compiled (1 file)\n  form: a stub (nothing is lost)\n  claude: <home>/.claude/skills/demo (symlink)\n  cursor: <home>/.cursor/skills/demo (symlink)\n',
  );
});

test('a link to the source made by the user serves a skill deployed whole, and clean keeps it', async () => {
  const world = makeDemo(skillText('demo'));
  mkdirSync(join(world.home, '.claude/skills'), { recursive: true });
  symlinkSync(join(world.project, source), at(world, claude));
  expect(await build(world)).toMatchObject({ form: 'whole', deployments: [{ changed: false }] });
  await world.run(['clean', 'demo']);
  expect(readlinkSync(at(world, claude))).toBe(join(world.project, source));
});

test.each([
  ['files', `${long}\nRun scripts/go.sh.\n`],
  ['whole', `${long}\nFix $ARGUMENTS.\n`],
  ['stub', long],
])('an installed skill is deployed in the form that loses nothing: %s', async (form, body) => {
  const world = makeWorld({ 'from/SKILL.md': skillText('demo', body), 'from/scripts/go.sh': 'echo\n' });
  const { status, json } = await world.run(['install', './from', '--yes', '--json'], { env });
  expect(status).toBe(0);
  expect(json()).toMatchObject({ skills: [{ name: 'demo', deployments: [{ form, method: 'symlink' }] }] });
  const deployed = join(world.project, '.claude/skills/demo');
  expect(existsSync(join(deployed, 'scripts/go.sh'))).toBe(form !== 'stub');
  expect((await world.run(['verify'], { env })).status).toBe(0);
  // Repair restores the same form.
  rmSync(deployed);
  expect((await world.run(['doctor', '--fix'], { env })).status).toBe(0);
  expect(existsSync(join(deployed, 'scripts/go.sh'))).toBe(form !== 'stub');
  expect((await world.run(['uninstall', 'demo'], { env })).status).toBe(0);
  expect(lstatSync(deployed, { throwIfNoEntry: false })).toBeUndefined();
});
