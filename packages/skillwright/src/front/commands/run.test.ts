import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Tree } from '../../../test/make-directory.ts';
import { makeWorld, skillText, type World } from '../../../test/make-world.ts';
import { requireProgram } from '../../../test/required-program.ts';
import { rowsIn } from '../../../test/rows-in.ts';

beforeEach((context) => requireProgram(context, 'bwrap'));

const { PATH = '' } = process.env;
const env = { PATH };

const demo = '.skillc/skills/demo';

function makeDemo(scripts: Tree, text = skillText('demo')): World {
  const files = Object.entries(scripts).map(([name, content]) => [`${demo}/scripts/${name}`, content]);
  return makeWorld({ [`${demo}/SKILL.md`]: text, ...Object.fromEntries(files) });
}

describe('skc run', () => {
  test('passes on the output of the script, each stream separately', async () => {
    const world = makeDemo({ 'a.sh': 'echo "out $*"; echo err >&2\n' });
    expect(await world.run(['run', 'demo', 'a', 'x', '--', '-y'], { env })).toMatchObject({
      status: 0,
      stdout: 'out x -y\n',
      stderr: 'err\n',
    });
  });

  test.each([
    ['a text', ['--stdin', 'text'], 'text'],
    ['what is piped in', ['--stdin', '-'], 'piped\u00e9\n'],
    ['nothing', [], ''],
  ])('passes on %s', async (_, words, expected) => {
    const world = makeDemo({ 'a.sh': 'cat\n' });
    const { stdout } = await world.run(['run', 'demo', 'a', ...words], { env, stdin: 'piped\u00e9\n' });
    expect(stdout).toBe(expected);
  });

  test('an option that may be meant for the script', async () => {
    const world = makeDemo({ 'a.sh': '' });
    expect((await world.run(['run', 'demo', 'a', '--strict'], { env })).stderr).toBe(
      "error[E100]: invalid option: '--strict'\nhelp: put options of the script after '--'\n",
    );
  });

  test('prints the result as JSON', async () => {
    const world = makeDemo({ 'a.sh': 'echo \'{"a":1}\'\n' });
    const { json } = await world.run(['run', 'demo', 'a', '--json', '--json-output'], { env });
    expect(json()).toEqual({
      ok: true,
      exitCode: 0,
      stdout: '{"a":1}\n',
      stderr: '',
      truncated: false,
      timedOut: false,
      durationMs: expect.any(Number),
      sandbox: 'bubblewrap',
      data: { a: 1 },
    });
  });

  test('a script that fails is one error, and its output is not lost', async () => {
    const world = makeDemo({ 'a.sh': 'echo out; echo err >&2; exit 3\n' });
    expect(await world.run(['run', 'demo', 'a.sh'], { env })).toMatchObject({
      status: 1,
      stdout: '',
      stderr:
        "error[E073]: script failed: 'a.sh'\n--- stdout\nout\n--- stderr\nerr\nhelp: it ended with status 3\n",
    });
    const { json } = await world.run(['run', 'demo', 'a.sh', '--json'], { env });
    expect(json()).toMatchObject({
      error: { code: 'E073', data: { ok: false, exitCode: 3, stdout: 'out\n', stderr: 'err\n' } },
    });
  });

  test('output of a script cannot send escape codes to the terminal', async () => {
    const world = makeDemo({ 'a.sh': `printf 'a\\033]52;c;eA==\\007\\tb\\n'; printf '\\033[2J\\n' >&2\n` });
    expect(await world.run(['run', 'demo', 'a'], { env, terminal: true })).toMatchObject({
      stdout: 'a\\u001b]52;c;eA==\\u0007\tb\n',
      stderr: '\\u001b[2J\n',
    });
    expect((await world.run(['run', 'demo', 'a'], { env })).stdout).toBe('a\u001b]52;c;eA==\u0007\tb\n');
  });

  test('long output is not cut', async () => {
    const world = makeDemo({ 'a.sh': "head -c 300000 /dev/zero | tr '\\0' x\n" });
    const { stdout } = await world.run(['run', 'demo', 'a'], { env, terminal: true });
    expect(stdout).toBe('x'.repeat(300_000));
  });

  test('a locked skill runs nothing, with or without a sandbox', async () => {
    const quiz =
      'quiz:\n  gate: true\n  questions:\n    - question: Q?\n      options: [{ label: a, correct: true }, { label: b }]';
    const text = skillText('demo').replace('\n---\n', `\n${quiz}\n---\n`);
    const world = makeDemo({ 'a.js': 'console.log("ran")\n' }, text);
    for (const PATH of [join(world.root, 'empty'), env.PATH])
      for (const words of [
        ['run', 'demo', 'a'],
        ['scripts', 'demo', 'a'],
      ])
        expect(await world.run(words, { env: { PATH } })).toMatchObject({
          stdout: '',
          stderr: expect.stringMatching(/^error\[E062\]: quiz gate not passed: 'demo'\n/),
        });
  });

  test('a script of a nested skill is that skill, however it is spelled or reached', async () => {
    const world = makeDemo({
      'a.sh': '# Does a.\necho ran\n',
      'inner/SKILL.md': skillText('inner'),
      'inner/x.sh': '# Does x.\necho ran\n',
      'link.sh': { link: 'inner/x.sh' },
      'away.sh': { link: '../other/y.sh' },
      '../other/SKILL.md': skillText('other'),
      '../other/y.sh': '# Does y.\necho ran\n',
    });
    const deny = (name: string) => `[[permissions.deny]]\ntool = "skill_load"\nskill_name = "${name}"\n`;
    world.write({ '../home/.skillc/config.toml': deny('inner') + deny('other') });
    const refused = (name: string) => `error[E060]: denied by permission rule: '${name}'`;
    const outcomes: string[][] = [];
    const rows = [
      ['a', 'ran', 'Does a.'],
      ['inner/x', refused('inner'), refused('inner')],
      ['inner/x.sh', refused('inner'), refused('inner')],
      ['scripts/inner/x.sh', refused('inner'), refused('inner')],
      ['./inner/x.sh', refused('inner'), refused('inner')],
      ['link.sh', refused('inner'), refused('inner')],
      ['away', refused('other'), refused('other')],
      ['away.sh', refused('other'), refused('other')],
    ];
    for (const [word] of rows) {
      const [ran, helped] = [
        await world.run(['run', 'demo', word!], { env }),
        await world.run(['scripts', 'demo', word!]),
      ].map(({ stdout, stderr }) => `${stdout}${stderr}`.split('\n')[0]!);
      outcomes.push([word!, ran!, helped!]);
    }
    expect(outcomes).toEqual(rows);
    expect((await world.run(['scripts', 'demo'])).stdout).toBe(
      'SCRIPT  RUN BY  PURPOSE\na.sh    bash    Does a.\n',
    );
  });

  test('without a sandbox a run is refused, unless the user allows it', async () => {
    const world = makeDemo({ 'a.js': 'console.log("ran")\n' });
    const without = { env: { PATH: join(world.root, 'empty') } };
    expect(await world.run(['run', 'demo', 'a'], without)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^error\[E074\]: sandbox unavailable: bubblewrap \(bwrap\) is not installed\nhelp: install it/,
      ),
    });
    expect((await world.run(['run', 'demo', 'a', '--unsandboxed'], without)).stdout).toBe('ran\n');
    world.write({ '.skillc/config.toml': '[scripts]\nunsandboxed = true\n' });
    expect((await world.run(['run', 'demo', 'a', '--json'], without)).json()).toMatchObject({
      error: { code: 'E074' },
    });
    world.write({ '~/.skillc/config.toml': '[scripts]\nunsandboxed = true\n' });
    expect((await world.run(['run', 'demo', 'a', '--json'], without)).json()).toMatchObject({
      sandbox: 'none',
    });
    expect((await world.run(['run', 'demo', 'a', '--json'], { env })).json()).toMatchObject({
      sandbox: 'bubblewrap',
    });
  });

  test('configured limits hold, and a project cannot raise those of the machine', async () => {
    const world = makeDemo({ 'a.sh': 'echo 123456789\n' });
    world.write({ '.skillc/config.toml': '[scripts]\nmax_output = 5\nmax_memory = 1000000000000\n' });
    const { stderr, json } = await world.run(['run', 'demo', 'a', '--json'], { env });
    expect(stderr).toContain(
      'warning[W110]: unknown configuration key: <cwd>/.skillc/config.toml:3: scripts.max_memory',
    );
    expect(json()).toMatchObject({ error: { code: 'E072', data: { stdout: '12345', truncated: true } } });
  });

  const rules: [string, string, object][] = [
    [
      'denied for running',
      '[[permissions.deny]]\ntool = "skill_run"\nskill_name = "demo"\n',
      { code: 'E060' },
    ],
    [
      'denied for loading',
      '[[permissions.deny]]\ntool = "skill_load"\nskill_name = "demo"\n',
      { code: 'E060' },
    ],
    ['to be confirmed', '[[permissions.confirm]]\ntool = "skill_run"\n', { code: 'E061' }],
  ];
  test.for(rules)('a skill is judged: %s', async ([, config, error]) => {
    const world = makeDemo({ 'a.sh': 'echo ran\n' });
    world.write({ '.skillc/config.toml': config });
    for (const skill of ['demo', demo])
      expect((await world.run(['run', skill, 'a', '--json'], { env })).json()).toMatchObject({ error });
  });

  test('a skill that is switched off does not run', async () => {
    const world = makeDemo({ 'a.sh': 'echo ran\n' });
    await world.run(['skills', '--disable', 'demo']);
    expect((await world.run(['run', 'demo', 'a', '--json'], { env })).json()).toMatchObject({
      error: { code: 'E001', help: "it is switched off; run 'skc skills --enable demo' to switch it on" },
    });
  });

  test('runs are in the access log, with their arguments, also those that failed', async () => {
    const world = makeDemo({ 'a.sh': 'exit "$1"\n' });
    const logged = { env: { ...env, SKC_NO_LOG: '' } };
    await world.run(['run', 'demo', 'a', '0'], logged);
    await world.run(['run', 'demo', 'a', '4'], logged);
    await world.run(['scripts', 'demo'], logged);
    const rows = rowsIn(join(world.project, '.skillc/runtime/demo/.skillc/logs.db'));
    expect(rows.map(({ command, args, error }) => [command, JSON.parse(String(args)), error])).toMatchObject([
      ['run', { skill: 'demo', script: 'a', args: ['0'] }, null],
      ['run', { skill: 'demo', script: 'a', args: ['4'] }, 'E073'],
      ['scripts', { skill: 'demo' }, null],
    ]);
  });

  test('two runs at once grant what both ask for', async () => {
    const text = '---\nname: demo\ndescription: x\nmetadata:\n  sandbox: env(A) env(B)\n---\n';
    const world = makeDemo({ 'a.sh': 'echo "$A$B"\n' }, text);
    const both = ['env(A)', 'env(B)'].map((grant) =>
      world.run(['run', 'demo', 'a', '--grant', grant], { env }),
    );
    await Promise.all(both);
    const { stdout } = await world.run(['run', 'demo', 'a'], { env: { ...env, A: '1', B: '2' } });
    expect(stdout).toBe('12\n');
  });
});

describe('skc scripts', () => {
  test('lists scripts and what the skill asks for', async () => {
    const text =
      '---\nname: demo\ndescription: x\nmetadata:\n  sandbox: network write(out) everything\n---\n';
    const world = makeDemo({ 'a.sh': '# Does a.\n', 'b.py': 'print()\n' }, text);
    expect((await world.run(['scripts', 'demo'])).stdout).toBe(
      [
        'SCRIPT  RUN BY   PURPOSE',
        'a.sh    bash     Does a.',
        'b.py    python3',
        'The skill asks for: network (not granted), write(out) (not granted)',
        "metadata.sandbox: 'everything' is not network, write(directory) or env(NAME)",
        '',
      ].join('\n'),
    );
    await world.run(['run', 'demo', 'a', '--grant', 'network'], { env });
    expect((await world.run(['scripts', 'demo', '--json'])).json()).toMatchObject({
      sandbox: { declared: ['network', 'write(out)'], granted: ['network'] },
    });
    const revoked = await world.run(['scripts', 'demo', '--json', '--revoke']);
    expect(revoked.stderr).toBe('revoked everything you granted to the skill\n');
    expect(revoked.json()).toMatchObject({ sandbox: { granted: [] } });
    expect((await world.run(['scripts', 'demo', '--revoke'])).stderr).toBe(
      'you had granted nothing to the skill\n',
    );
  });

  test('shows the first comment of a script as its help, and runs nothing', async () => {
    const text = '---\nname: demo\ndescription: x\nmetadata:\n  sandbox: env(TOKEN)\n---\n';
    const world = makeDemo(
      { 'a.sh': '# Does a.\n#\n# Usage: a\n', 'b.sh': 'echo "b $1 [$TOKEN]"\n', 'c.sh': 'exit 2\n' },
      text,
    );
    const granted = { env: { ...env, TOKEN: 'secret' } };
    await world.run(['run', 'demo', 'b', '--grant', 'env(TOKEN)'], granted);
    const help = async (script: string) => (await world.run(['scripts', 'demo', script], granted)).stdout;
    expect([await help('a'), await help('b'), await help('c')]).toEqual([
      'Does a.\n\nUsage: a\n',
      'scripts/b.sh has no help text\n',
      'scripts/c.sh has no help text\n',
    ]);
  });

  test('a skill without scripts', async () => {
    expect((await makeDemo({}).run(['scripts', 'demo'])).stdout).toBe('demo has no scripts\n');
  });
});

describe('files of the user', () => {
  const recalc =
    'import sys\nwith open(sys.argv[1], "a") as f: f.write("recalculated\\n")\nprint(sys.argv[1])\n';
  const read = 'cat "$1"\n';

  test('are hidden; a failed run names them and how to share them', async () => {
    const world = makeDemo({ 'read.sh': read });
    world.write({ 'out.txt': 'mine\n' });
    const { status, stderr } = await world.run(['run', 'demo', 'read.sh', 'out.txt', '--', '--in=out.txt'], {
      env,
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^help: it ended with status \d+; read\.sh could not see <cwd>\/out\.txt: pass --read or --write$/m,
    );
  });

  test('are readable with --read, and cannot be changed', async () => {
    const world = makeDemo({ 'read.sh': read, 'write.sh': 'echo more >> "$1"\n' });
    world.write({ 'out.txt': 'mine\n', '~/Documents/in put.txt': 'theirs\n' });
    expect(
      await world.run(['run', 'demo', 'read.sh', 'out.txt', '--read', 'out.txt'], { env }),
    ).toMatchObject({
      status: 0,
      stdout: 'mine\n',
    });
    const far = join(world.home, 'Documents/in put.txt');
    expect((await world.run(['run', 'demo', 'read.sh', far, '--read', far], { env })).stdout).toBe(
      'theirs\n',
    );
    expect(
      (await world.run(['run', 'demo', 'write.sh', 'out.txt', '--read', 'out.txt'], { env })).status,
    ).toBe(1);
    expect(world.read('out.txt')).toBe('mine\n');
  });

  test('can be changed with --write, for one run', async (context) => {
    requireProgram(context, 'python3');
    const world = makeDemo({ 'recalc.py': recalc });
    world.write({ 'out.xlsx': 'sheet\n' });
    expect(
      await world.run(['run', 'demo', 'recalc.py', 'out.xlsx', '--write', 'out.xlsx'], { env }),
    ).toMatchObject({
      status: 0,
      stdout: '<cwd>/out.xlsx\n',
    });
    expect(world.read('out.xlsx')).toBe('sheet\nrecalculated\n');
    expect((await world.run(['run', 'demo', 'recalc.py', 'out.xlsx'], { env })).status).toBe(1);
  });

  test('--cwd runs it in a directory of the user, which it can read', async () => {
    const world = makeDemo({
      'read.sh': `pwd\n${read}echo x > made.txt\n`,
      'write.sh': 'echo made > new.txt\n',
    });
    world.write({ 'docs/out.txt': 'mine\n', 'docs/out': { directory: true } });
    const run = await world.run(['run', 'demo', 'read.sh', 'out.txt', '--cwd', 'docs', '--json'], { env });
    expect(run.status).toBe(1);
    expect((run.json() as { error: { data: { stdout: string } } }).error.data.stdout).toBe(
      '<cwd>/docs\nmine\n',
    );
    const words = ['run', 'demo', 'write.sh', '--cwd', 'docs', '--write', 'docs'];
    expect((await world.run(words, { env })).status).toBe(0);
    expect(world.read('docs/new.txt')).toBe('made\n');
  });

  test.each([
    [
      'nothing',
      'gone.txt',
      'gone.txt does not exist\nhelp: to let the script create a file, share its directory',
    ],
    ['the home directory', '~', 'contains the home directory\nhelp: name the files the script needs'],
    ['everything', '/', '/ contains the home directory'],
    ['the kernel', '/proc', '/proc belongs to the system'],
  ])('%s cannot be shared', async (_what, word, message) => {
    const world = makeDemo({ 'read.sh': read });
    const path = word === '~' ? world.home : word;
    for (const flag of ['--read', '--write', '--cwd']) {
      const { status, stderr } = await world.run(['run', 'demo', 'read.sh', flag, path], { env });
      expect({ status, code: stderr.slice(0, 12) }).toEqual({ status: 1, code: 'error[E100]:' });
      expect(stderr).toContain(message);
    }
  });
});
