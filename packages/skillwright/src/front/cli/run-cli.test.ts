import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { skc } from '../../../test/run-in-process.ts';
import { toolVersion } from '../../base/version.ts';
import { cliNames } from './cli-table.ts';
import { type CliSurroundings, runCli } from './run-cli.ts';

const outcome = async (...given: Parameters<typeof skc>) => {
  const { status, stdout, stderr } = await skc(...given);
  return { status, stdout, stderr };
};

describe('help', () => {
  test('the overview', async () => {
    const overview = await outcome([]);
    expect(overview).toMatchSnapshot();
    expect(await outcome(['--help'])).toEqual(overview);
    expect(await outcome(['-h'])).toEqual(overview);
    expect(await outcome(['help'])).toEqual(overview);
  });

  test.each(cliNames)('%s', async (name) => {
    const page = await outcome([name, '--help']);
    expect(page).toMatchSnapshot();
    expect(await outcome(['help', name])).toEqual(page);
    expect(await outcome(['--help', name])).toEqual(page);
    expect(await outcome([name, '-h'])).toEqual(page);
    expect(await outcome([name, '--nonsense', 'x', '--help'])).toEqual(page);
  });

  test('lines stay readable', async () => {
    const { stdout } = await skc(['--help']);
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  test('is not asked for behind --', async () => {
    const { stderr } = await skc(['lint', '--', '--help']);
    expect(stderr).toBe(
      "error[E001]: skill '--help' not found\nhelp: check the spelling, give the path of the directory with SKILL.md, or run `skc list` to see all names\n",
    );
  });

  test('is painted on a terminal, unless NO_COLOR is set', async () => {
    const painted = await skc(['--help'], { terminal: true });
    const plain = await skc(['--help']);
    expect(painted.stdout).toContain('\u001b[1mWrite\u001b[22m    init ');
    expect((await skc(['--help'], { terminal: true, env: { NO_COLOR: '1' } })).stdout).toBe(plain.stdout);
    expect((await skc(['--help'], { terminal: true, env: { NO_COLOR: '' } })).stdout).toBe(painted.stdout);
    expect((await skc(['--help'], { terminal: true, env: { TERM: 'dumb' } })).stdout).toBe(plain.stdout);
    expect(plain.stdout).not.toContain('\u001b');
  });
});

test.each(['--version', '-V'])('%s', async (flag) => {
  expect(await outcome([flag])).toEqual({ status: 0, stdout: `skc ${toolVersion} (node)\n`, stderr: '' });
});

describe('invalid command lines', () => {
  test.each([
    [['lnt'], "unknown command 'lnt'", "did you mean 'skc lint'?"],
    [['frobnicate'], "unknown command 'frobnicate'", "run 'skc --help' for the commands"],
    [['ls'], "unknown command 'ls'", "did you mean 'skc list'?"],
    [['add', 'x'], "unknown command 'add'", "did you mean 'skc install'?"],
    [['-v'], "invalid option: '-v'", "did you mean 'skc --version'?"],
    [['lint', '--help=1'], '--help takes no value', "run 'skc lint --help'"],
    [['constructor'], "unknown command 'constructor'", "run 'skc --help' for the commands"],
    [['__proto__'], "unknown command '__proto__'", "run 'skc --help' for the commands"],
    [[''], "unknown command ''", "run 'skc --help' for the commands"],
    [['--frobnicate'], "invalid option: '--frobnicate'", "run 'skc --help' for the commands"],
    [['help', 'frobnicate'], "no help for 'frobnicate'", "run 'skc help' for commands and topics"],
    [['help', 'sandbx'], "no help for 'sandbx'", "did you mean 'skc help sandbox'?"],
    [['shwo'], "unknown command 'shwo'", "did you mean 'skc show'?"],
    [['lint', '--frobnicate'], "invalid option: '--frobnicate'", "run 'skc lint --help'"],
    [['lint', '--fixx'], "invalid option: '--fixx'", 'did you mean --fix?'],
    [['lint', '--profile', 'spek'], "--profile cannot be 'spek'", 'did you mean spec?'],
    [['completion'], 'missing <shell>', "run 'skc completion --help'"],
    [['completion', 'bahs'], "<shell> cannot be 'bahs'", 'did you mean bash?'],
    [['explain'], 'missing <code>', "run 'skc explain --help'"],
    [['version', 'x'], "unexpected argument 'x'", "run 'skc version --help'"],
    [['list', '--pattern', ''], '--pattern must have at least 1 character', "run 'skc list --help'"],
    [['sources', 'x', '--pattern='], '--pattern must have at least 1 character', "run 'skc sources --help'"],
    [['uninstall'], 'missing <skills>', 'name some, or pass --all'],
  ])('%j', async (words, why, help) => {
    expect(await outcome(words)).toEqual({
      status: 1,
      stdout: '',
      stderr: `error[E100]: ${why}\nhelp: ${help}\n`,
    });
    const asJson = await skc([...words, '--json']);
    expect(asJson.status).toBe(1);
    expect(asJson.json()).toEqual({ error: { code: 'E100', message: why, help, data: null } });
  });

  test.each([
    [['lint', '--format=json', '--nope'], true],
    [['lint', '--format', 'json', '--nope'], true],
    [['--json'], true],
    [['lint', '--nope', '--', '--json'], false],
    [['lint', '--format', 'text', '--nope'], false],
  ])('%j fails as JSON: %s', async (words, json) => {
    expect((await skc(words)).stdout.startsWith('{')).toBe(json);
  });
});

describe('--json', () => {
  test.each([
    [['--json', 'version']],
    [['--format', 'json', 'version']],
    [['--format=json', 'version']],
    [['version', '--json']],
    [['--json', 'version', '--json']],
  ])('%j prints JSON', async (words) => {
    const { status, stdout, stderr } = await skc(words);
    expect([status, stderr, JSON.parse(stdout).version]).toEqual([0, '', toolVersion]);
  });

  test.each([
    [['--json'], 'missing <command>'],
    [['--format', 'json'], 'missing <command>'],
    [['--json', 'shwo'], "unknown command 'shwo'"],
    [['--json', 'show', 'nothing'], 'missing --section'],
  ])('%j fails as JSON', async (words, message) => {
    expect((await skc(words)).json()).toMatchObject({ error: { code: 'E100', message } });
  });

  test('after -- it is an argument, before the command it is not', async () => {
    const { stdout, stderr } = await skc(['lint', '--', '--json']);
    expect([stdout, stderr]).toEqual([
      '',
      "error[E001]: skill '--json' not found\nhelp: check the spelling, give the path of the directory with SKILL.md, or run `skc list` to see all names\n",
    ]);
  });
});

describe('colour', () => {
  const red = '\u001b[31m';
  test.each([
    [false, {}, false],
    [true, {}, true],
    [true, { NO_COLOR: '1' }, false],
    [true, { TERM: 'dumb' }, false],
    [true, { FORCE_COLOR: '0' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [false, { FORCE_COLOR: 'false' }, false],
  ])('terminal %s with %j: %s', async (terminal, env, painted) => {
    const { stderr } = await skc(['shwo'], { terminal, env });
    expect(stderr.includes(red)).toBe(painted);
  });

  test('never reaches another format, and forced colour lets nothing else through', async () => {
    const files = { 'demo/SKILL.md': '---\nname: demo\ndescription: "x \\x1b[2J y"\n---\n\n# Demo\n' };
    const env = { FORCE_COLOR: '1' };
    expect((await skc(['lint', 'demo', '--json'], { files, env })).stdout).not.toContain('\u001b');
    const { stdout } = await skc(['validate', 'demo'], { files, env });
    expect(stdout).not.toContain('\u001b[2J');
  });
});

test('the man page is the one in the package', async () => {
  const page = readFileSync(new URL('../../../man/skc.1', import.meta.url), 'utf8');
  expect((await skc(['help', '--man'])).stdout).toBe(page);
});

describe('a bug', () => {
  const run = async (words: string[], env: Record<string, string>) => {
    let [stdout, stderr] = ['', ''];
    const stream = (write: (text: string) => void) => ({ write, isTerminal: false, columns: 80 });
    const surroundings = {
      // No working directory: nothing that a user could cause.
      get cwd() {
        throw new Error('no working directory');
      },
      home: '/nowhere',
      env,
      now: () => new Date(0),
      signal: new AbortController().signal,
      stdout: stream((text) => {
        stdout += text;
      }),
      stderr: stream((text) => {
        stderr += text;
      }),
    } as unknown as CliSurroundings;
    const status = await runCli(words, surroundings);
    return { status, stdout, stderr };
  };

  test('is E999 without a stack', async () => {
    const { status, stdout, stderr } = await run(['validate'], {});
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^error\[E999\]: internal error: [^\n]+\nhelp: please report this; SKC_DEBUG=1 prints the stack\n$/,
    );
  });

  test('shows its stack with SKC_DEBUG', async () => {
    expect((await run(['validate'], { SKC_DEBUG: '1' })).stderr).toMatch(/\n {4}at .*\.ts:\d+/);
  });

  test('fails as JSON too', async () => {
    const { stdout } = await run(['validate', '--json'], {});
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: 'E999',
        message: expect.stringMatching(/^internal error: /),
        help: 'please report this; SKC_DEBUG=1 prints the stack',
        data: null,
      },
    });
  });
});

test('an expected failure has no stack, not even with SKC_DEBUG', async () => {
  const { stderr } = await skc(['validate', 'nothing'], { env: { SKC_DEBUG: '1' } });
  expect(stderr).toMatch(/^error\[E001\]: skill 'nothing' not found\nhelp: [^\n]+\n(?:debug: [^\n]+\n)+$/);
});
