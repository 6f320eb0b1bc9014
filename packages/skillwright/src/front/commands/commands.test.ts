import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { skc } from '../../../test/run-in-process.ts';
import { codes } from '../../base/diagnostics/codes.ts';
import { toolVersion } from '../../base/version.ts';
import { templateNames, templateProfiles } from '../../make/author/templates.ts';
import { rules } from '../../make/lint/rules/index.ts';

const outcome = async (...given: Parameters<typeof skc>) => {
  const { status, stdout, stderr } = await skc(...given);
  return { status, stdout, stderr };
};

const good =
  '---\nname: good\ndescription: Fills in forms. Use when the user has a form to fill in.\n---\n\n# Good\n\nText.\n';
const bad = '---\nname: Bad\n---\n\n# Bad\n';

describe('init', () => {
  test('creates a project', async () => {
    const first = await skc(['init']);
    expect([first.status, first.stdout, first.stderr]).toEqual([
      0,
      'created project <cwd>\nnext: skc init my-skill\n',
      '',
    ]);
    const second = await skc(['init', '--json'], { cwd: first.dir, home: first.home });
    expect(second.json()).toEqual({
      project: '<cwd>',
      dry_run: false,
      created: false,
      skill: null,
      path: null,
      files: [],
      next: ['skc init my-skill'],
    });
  });

  test('creates a skill in the project above the working directory', async () => {
    const files = { '.skillc': { directory: true }, 'deep/er': { directory: true } } as const;
    const result = await skc(['init', 'pdf-forms'], { files, cwd: 'deep/er' });
    expect(result.stdout).toBe(
      'created skill pdf-forms\n  <cwd>/.skillc/skills/pdf-forms/SKILL.md\nnext: skc lint pdf-forms\n',
    );
    expect(readdirSync(join(result.dir, '.skillc/skills'))).toEqual(['pdf-forms']);
    expect(
      readFileSync(join(result.dir, '.skillc/skills/pdf-forms/SKILL.md'), 'utf8'),
    ).toMatchInlineSnapshot(`
      "---
      name: pdf-forms
      description: Says what Pdf Forms does in one sentence. Use when the user asks for something this skill can do.
      ---

      # Pdf Forms

      Tell the agent what to do, in the order it should be done.

      ## Steps

      1. Look at what the user has given.
      2. Do the work.
      3. Check the result before you answer.
      "
    `);
  });

  test.each(templateNames)(
    'a new %s skill has one finding under its profile: its description is still the one of the template',
    async (template) => {
      const made = await skc(['init', 'demo', '--template', template, '--json']);
      const { next } = made.json() as { next: string[] };
      const lint = next[0]!.split(' ').slice(1);
      expect(lint).toEqual(
        templateProfiles[template] === 'spec'
          ? ['lint', 'demo']
          : ['lint', 'demo', '--profile', templateProfiles[template]],
      );
      expect(await outcome(lint, { cwd: made.dir, home: made.home })).toEqual({
        status: 0,
        stdout: expect.stringMatching(
          new RegExp(
            `SKL116 .*\n.*\n\\S+: score 95, 0 errors, 1 warning, \\d+ tokens\\n1 skill \\(${templateProfiles[template]}\\): no errors, 1 warning\\n$`,
          ),
        ),
        stderr: '',
      });
    },
  );

  test('--global creates it for the user', async () => {
    const { stdout } = await skc(['init', 'demo', '-g'], { files: { '.skillc': { directory: true } } });
    expect(stdout).toBe('created skill demo\n  <home>/.skillc/skills/demo/SKILL.md\nnext: skc lint demo\n');
  });

  test.each([
    ['', "'' is not a valid skill name"],
    ['../x', "'../x' is not a valid skill name"],
    ['/etc', "'/etc' is not a valid skill name"],
    ['a/b', "'a/b' is not a valid skill name"],
    ['.', "'.' is not a valid skill name"],
    ['Pdf', "'Pdf' is not a valid skill name"],
    ['a--b', "'a--b' is not a valid skill name"],
    ['-a-', undefined],
    ['a\nb', "'a\\nb' is not a valid skill name"],
    ['a\n', "'a\\n' is not a valid skill name"],
    ['скилл', "'скилл' is not a valid skill name"],
    ['a'.repeat(65), `'${'a'.repeat(65)}' is not a valid skill name`],
    ['con', 'con is a reserved name on Windows'],
    ['lpt1', 'lpt1 is a reserved name on Windows'],
  ])('%j is not a name, and nothing is created', async (name, why) => {
    const { status, stderr, dir } = await skc(['init', '--', name]);
    expect(status).toBe(1);
    if (why !== undefined) expect(stderr.split('\n')[0]).toBe(`error[E100]: ${why}`);
    expect(readdirSync(dir)).toEqual([]);
  });

  test.each([
    ['a directory', { directory: true }],
    ['a file', 'x'],
  ] as const)('%s in its place is left alone', async (_, content) => {
    const result = await skc(['init', 'demo', '--json'], { files: { '.skillc/skills/demo': content } });
    expect(result.json()).toEqual({
      error: {
        code: 'E050',
        message: "skill 'demo' already exists",
        help: 'it is at <cwd>/.skillc/skills/demo',
        data: { path: '<cwd>/.skillc/skills/demo' },
      },
    });
    expect(readdirSync(join(result.dir, '.skillc/skills'))).toEqual(['demo']);
  });

  test('a link in its place is refused, and left alone', async () => {
    const files = { '.skillc/skills/demo': { link: 'nowhere' } };
    const result = await skc(['init', 'demo', '--json'], { files });
    expect(result.json()).toMatchObject({ error: { code: 'E017' } });
    expect(readdirSync(join(result.dir, '.skillc/skills'))).toEqual(['demo']);
  });

  test('a store that is a file cannot hold a skill', async () => {
    const result = await skc(['init', 'demo'], { files: { '.skillc/skills': 'x' } });
    expect(result.stderr).toMatch(
      /^error\[E016\]: cannot write '<cwd>\/\.skillc\/skills\/demo': [^\n]+\nhelp: [^\n]+\n$/,
    );
    expect(readdirSync(join(result.dir, '.skillc'))).toEqual(['skills']);
    expect((await skc(['init'], { files: { '.skillc': 'x' } })).stderr).toMatch(/^error\[E016\]: /);
  });

  test('a runtime directory cannot be a project', async () => {
    const files = { '~/.skillc/runtime/x/.skillc': { directory: true } } as const;
    const home = (await skc(['version'], { files })).home;
    expect(await outcome(['init', 'demo'], { cwd: join(home, '.skillc/runtime/x'), home })).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'error[E100]: <cwd> is a runtime directory and cannot be a project\nhelp: change to the project directory, or use --global\n',
    });
  });
});

describe('validate', () => {
  test('prints the manifest', async () => {
    expect(await outcome(['validate', 'good'], { files: { 'good/SKILL.md': good } })).toEqual({
      status: 0,
      stdout: `{
  "name": "good",
  "description": "Fills in forms. Use when the user has a form to fill in."
}
valid (spec)
`,
      stderr: '',
    });
  });

  test('checks the working directory by default, with the configured profile', async () => {
    const files = { 'good/SKILL.md': good, '.skillc/config.toml': '[lint]\nprofile = "strict"\n' };
    expect((await skc(['validate'], { files, cwd: 'good' })).stdout).toMatch(/\nvalid \(strict\)\n$/);
    expect((await skc(['validate', '-p', 'spec'], { files, cwd: 'good' })).stdout).toMatch(
      /\nvalid \(spec\)\n$/,
    );
  });

  test('says what is wrong, as text and as JSON', async () => {
    const files = { 'bad/SKILL.md': bad };
    const text = await skc(['validate', 'bad'], { files });
    expect(text.status).toBe(1);
    expect(text.stdout).toMatch(/^<cwd>\/bad\/SKILL\.md:2: error: .*\n[\s\S]*not valid \(spec\)\n$/);
    const json = await skc(['validate', 'bad', '--json'], { files });
    expect(json.status).toBe(1);
    expect(json.json()).toMatchObject({
      valid: false,
      profile: 'spec',
      path: '<cwd>/bad/SKILL.md',
      manifest: null,
    });
  });

  test.each([
    ['a byte order mark and CRLF', `\ufeff${good.replaceAll('\n', '\r\n')}`, 0],
    ['nothing', '', 1],
    ['NUL', 'a\0b', 1],
    ['no UTF-8', new Uint8Array([0x2d, 0x2d, 0x2d, 0x0a, 0xff]), 1],
    ['a list', '---\n- a\n---\n', 1],
    ['a scalar', '---\njust text\n---\n', 1],
    ['no end', '---\nname: good\n', 1],
    ['duplicate keys', '---\nname: good\nname: good\ndescription: x\n---\n', 1],
    ['JavaScript', '---js\nmodule.exports = process.exit(7)\n---\n', 1],
    [
      'an alias bomb',
      `---\nname: good\ndescription: x\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'.replace(/./g, (letter) => {
        const before = String.fromCharCode(letter.charCodeAt(0) - 1);
        return `${letter}: &${letter} [${Array(9).fill(`*${before}`).join(',')}]\n`;
      })}---\n`,
      1,
    ],
    ['one line of 1 MB', `---\nname: good\ndescription: ${'x'.repeat(1_000_000)}\n---\n`, 1],
  ])('%s', async (_, content, status) => {
    const result = await skc(['validate', 'good', '--json'], { files: { 'good/SKILL.md': content } });
    expect([result.status, result.stderr]).toEqual([status, '']);
  });

  test('names on disk cannot write to the terminal', async () => {
    const { stdout } = await skc(['validate', 'a\u001b[2J'], { files: { 'a\u001b[2J/SKILL.md': bad } });
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('<cwd>/a\\u001b[2J/SKILL.md');
  });
});

describe('build', () => {
  test('of a directory with skills inside names the way to build them', async () => {
    const files = { 'my skills/a/SKILL.md': '---\nname: a\ndescription: Use when a.\n---\n# A\n' };
    const failed = await skc(['build', 'my skills'], { files });
    expect(failed.stderr).toBe(
      "error[E010]: not a valid skill: '<cwd>/my skills' (missing SKILL.md)\nhelp: to build the skills inside it, run 'skc build 'my skills' --all'\n",
    );
    const built = await skc(['build', 'my skills', '--all', '--target', 'none'], { cwd: failed.dir });
    expect(built).toMatchObject({ status: 0, stderr: '' });
  });

  test('is not a use of the skill', async () => {
    const files = { 'a/SKILL.md': '---\nname: a\ndescription: Use when a.\n---\n# A\n' };
    const { dir, home } = await skc(['build', 'a', '--target', 'none'], { files });
    const lastUsed = async () => (await skc(['info', 'a', '--json'], { cwd: dir, home })).json();
    expect(await lastUsed()).toMatchObject({ last_used: null });
    await skc(['show', 'a', '--section', 'A'], { cwd: dir, home });
    expect(await lastUsed()).toMatchObject({ last_used: '2026-01-02T03:04:05.000Z' });
  });
});

describe('lint', () => {
  const files = { 'skills/good/SKILL.md': good, 'skills/bad/SKILL.md': bad };

  test('finds skills below a directory and checks each', async () => {
    const { status, stdout, stderr } = await skc(['lint', 'skills'], { files });
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout).toContain('skills/bad/SKILL.md:2: error[E300]: SKL');
    expect(stdout).toMatch(/\n2 skills \(spec\): \d+ errors, [^\n]+\n$/);
    expect(stdout).not.toContain('skills/good/SKILL.md');
  });

  test('text, JSON, SARIF, GitHub and agent report the same findings', async () => {
    const report = (await skc(['lint', 'skills', '--json'], { files })).json() as {
      errors: number;
      warnings: number;
      findings: { severity: string; rule: string; message: string }[];
    };
    const printed = async (format: string) =>
      (await skc(['lint', 'skills', '--format', format], { files })).stdout;
    const sarif = JSON.parse(await printed('sarif'));
    expect(sarif.runs[0].results.map((result: { ruleId: string }) => result.ruleId)).toEqual(
      report.findings.map(({ rule }) => rule),
    );
    expect((await printed('github')).match(/^::(error|warning|notice) /gm)?.length).toBe(
      report.findings.length,
    );
    for (const { message } of report.findings) expect(await printed('text')).toContain(message);
    const agent = await printed('agent');
    expect(agent.split('\n')[0]).toMatch(
      new RegExp(`^${report.errors} errors?, ${report.warnings} warnings? in 2 skills\\.`),
    );
  });

  test('--max-warnings', async () => {
    const warned = { 'warned/SKILL.md': '---\nname: warned\ndescription: Short.\n---\n\n# Other title\n' };
    const free = await skc(['lint', 'warned', '--json'], { files: warned });
    const { warnings, errors } = free.json() as { warnings: number; errors: number };
    expect([free.status, errors, warnings > 0]).toEqual([0, 0, true]);
    expect(
      (await skc(['lint', 'warned', '--max-warnings', String(warnings)], { files: warned })).status,
    ).toBe(0);
    const over = await skc(['lint', 'warned', '--max-warnings', '0'], { files: warned });
    expect(over.status).toBe(1);
    expect(over.stdout).toContain('; more than the 0 warnings allowed\n');
  });

  test('a rule can be switched off in the configuration', async () => {
    const before = (await skc(['lint', 'skills/bad', '--json'], { files })).json() as {
      findings: { rule: string }[];
    };
    const off = [...new Set(before.findings.map(({ rule }) => rule))];
    const config = `[lint.rules]\n${off.map((rule) => `${rule} = "off"\n`).join('')}`;
    const after = await skc(['lint', 'skills/bad'], { files: { ...files, '.skillc/config.toml': config } });
    expect([after.status, after.stdout]).toEqual([
      0,
      'skills/bad: score 100, 0 errors, 0 warnings, 13 tokens\n1 skill (spec): no errors, no warnings\n',
    ]);
  });

  test('an empty directory and a missing one', async () => {
    expect(await outcome(['lint'])).toEqual({
      status: 1,
      stdout: '',
      stderr:
        "error[E010]: not a valid skill: '<cwd>' (missing SKILL.md)\nhelp: create SKILL.md (`skc init my-skill` writes one), or name another directory\n",
    });
    expect((await outcome(['lint', 'gone'])).stderr).toBe(
      "error[E001]: skill 'gone' not found\nhelp: check the spelling, give the path of the directory with SKILL.md, or run `skc list` to see all names\n",
    );
  });

  test('file names cannot write to the terminal or forge lines', async () => {
    const odd = { 'skills/evil\u001b[2J\nerror[E999]: forged/SKILL.md': bad };
    for (const format of ['text', 'agent']) {
      const { stdout } = await skc(['lint', 'skills', '--format', format], { files: odd });
      expect(stdout).not.toContain('\u001b');
      expect(stdout).not.toMatch(/^error\[E999\]/m);
    }
    const { stdout } = await skc(['lint', 'skills', '--format', 'github'], { files: odd });
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .every((line) => line.startsWith('::')),
    ).toBe(true);
  });

  test('an unreadable directory is one finding among others', async (context) => {
    if (process.geteuid?.() !== 0) context.skip('needs root, to become somebody else');
    const made = await skc(['version'], { files: { ...files, 'skills/closed/SKILL.md': good } });
    chmodSync(join(made.dir, 'skills/closed'), 0);
    for (const path of [made.dir, join(made.dir, '..')]) chmodSync(path, 0o755);
    process.seteuid!(65534);
    try {
      const { stdout } = await skc(['lint', 'skills', '--json'], { cwd: made.dir, home: made.home });
      const report = JSON.parse(stdout) as { skills: number; findings: { code: string; path: string }[] };
      expect(report.skills).toBe(2);
      expect(report.findings.filter(({ code }) => code === 'E015')).toMatchObject([
        { path: 'skills/closed' },
      ]);
    } finally {
      process.seteuid!(0);
      chmodSync(join(made.dir, 'skills/closed'), 0o700);
    }
  });
});

describe('explain', () => {
  test('a code in upper or lower case', async () => {
    const page = (await skc(['explain', 'E012'])).stdout;
    expect(page).toBe(`# E012

    path escapes skill root: '<path>'

A path with \`..\`, an absolute path or a symbolic link points outside the skill directory.

Use a path inside the skill. Copy the files it needs into it.
`);
    for (const word of ['e012', ' E012 ', 'error[E012]'])
      expect((await skc(['explain', word])).stdout).toBe(page);
  });

  test.each(Object.keys(codes))('%s has a page', async (code) => {
    expect((await skc(['explain', code, '--json'])).json()).toMatchObject({ code });
  });

  test.each(rules.map(({ id, name }) => [id, name]))('%s has a page, also as %s', async (id, name) => {
    const page = (await skc(['explain', id, '--json'])).json();
    expect(page).toMatchObject({ code: id, title: name });
    expect((await skc(['explain', name, '--json'])).json()).toEqual(page);
  });

  test('long lines of a page are cut on the way to the screen', async () => {
    const { stdout } = await skc(['explain', 'SKL107']);
    expect(stdout.split('\n').filter((line) => line.length > 310)).toEqual([]);
  });

  test.each([
    ['E12', 'did you mean E012?'],
    ['SKL1O7', 'did you mean SKL107?'],
    ['nam-format', 'did you mean name-format?'],
    ['constructor', 'codes look like E012, rules like SKL107 or SCN201'],
    ['', 'codes look like E012, rules like SKL107 or SCN201'],
  ])('%j is neither', async (word, help) => {
    expect(await outcome(['explain', word])).toEqual({
      status: 1,
      stdout: '',
      stderr: `error[E100]: unknown code or rule '${word}'\nhelp: ${help}\n`,
    });
  });
});

test('version', async () => {
  const result = await skc(['version', '--json']);
  expect(result.json()).toEqual({
    version: toolVersion,
    runtime: 'node',
    runtime_version: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  });
  expect((await skc(['version'])).stdout).toBe(
    `skc ${toolVersion}\nnode (Node ${process.versions.node}, ${process.platform}-${process.arch})\n`,
  );
});
