import { chmodSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { toolVersion } from '../src/base/version.ts';
import { builtSkc, hasNative, layOut, nativeSkc, runProcess } from './built-package.ts';
import { makeDirectory, makeSharedDirectory, type Tree } from './make-directory.ts';

const bad = '---\nname: Bad Name\nunknown: 1\n---\n\nNo heading.\n';

const runtimeOf = (skc: string, env: Record<string, string> = {}) =>
  JSON.parse(runProcess(skc, ['version', '--json'], { env }).stdout).runtime;

/** A PATH with the programs a shell script needs, and no JavaScript runtime except the given ones. */
function poorPath(programs: Tree = {}): string {
  const directory = makeDirectory(programs);
  for (const name of ['sh', 'readlink', 'uname', 'cat']) {
    const found = ['/bin', '/usr/bin'].map((place) => join(place, name)).find((path) => existsSync(path));
    symlinkSync(found!, join(directory, name));
  }
  return directory;
}

describe('what it runs on', () => {
  test.runIf(hasNative)(
    'the native executable where it is built, from any directory, needing no Node',
    () => {
      const skc = layOut({ parts: ['dist', 'native'] });
      expect(runtimeOf(skc)).toBe('native');
      expect(runProcess(skc, ['--version'], { cwd: '/', env: { PATH: poorPath() } })).toEqual({
        status: 0,
        stdout: `skc ${toolVersion} (native)\n`,
        stderr: '',
      });
    },
  );

  test.runIf(hasNative)('through a link anywhere', () => {
    const skc = layOut({ parts: ['native'] });
    const links = makeDirectory({ far: { link: skc }, near: { link: 'far' } });
    expect(runProcess(join(links, 'near'), ['--version']).stdout).toBe(`skc ${toolVersion} (native)\n`);
  });

  test('the JavaScript on the pinned Node, whatever the PATH has', () => {
    const skc = layOut({ parts: ['dist'] });
    const old = poorPath({ node: '#!/bin/sh\nexit 1\n' });
    expect(runtimeOf(skc)).toBe('node');
    expect(runtimeOf(skc, { PATH: old })).toBe('node');
  });

  test('the JavaScript on Bun where there is no Node', () => {
    expect(runtimeOf(layOut({ parts: ['dist'], without: ['node'] }), { PATH: poorPath() })).toBe('bun');
  });

  test('the JavaScript on a Node of the PATH that is new enough', () => {
    const skc = layOut({ parts: ['dist'], without: ['node', 'bun'] });
    expect(runtimeOf(skc, { PATH: poorPath({ node: { link: process.execPath } }) })).toBe('node');
  });

  test('of the Nodes on the PATH only 22.18 and later', () => {
    const skc = layOut({ parts: ['dist'], without: ['node', 'bun'] });
    /** A fake Node that reports this version and runs nothing else. */
    const nodeOf = (version: string) => `#!/bin/sh
if [ "$1" = -e ]; then
  exec "${process.execPath}" -e "((process) => { $2 })({ versions: { node: '${version}' }, exit: process.exit })"
fi
[ "$1" = --version ] && echo v${version} || echo ran
`;
    const outcomeOn = (version: string) => {
      const path = poorPath({ node: nodeOf(version) });
      chmodSync(join(path, 'node'), 0o755);
      const { status, stdout, stderr } = runProcess(skc, ['--version'], { env: { PATH: path } });
      return status === 0 ? stdout : stderr.replace(path, '<bin>');
    };
    const refused = (version: string) =>
      `skc: needs Node 22.18 or later, or Bun; <bin>/node is v${version}\nhelp: install a newer Node from https://nodejs.org\n`;
    const expected = {
      '18.20.8': refused('18.20.8'),
      '20.19.0': refused('20.19.0'),
      '22.9.0': refused('22.9.0'),
      '22.17.1': refused('22.17.1'),
      '22.18.0': 'ran\n',
      '22.20.0': 'ran\n',
      '23.0.0': 'ran\n',
      '24.1.0': 'ran\n',
    };
    const versions = Object.keys(expected);
    expect(Object.fromEntries(versions.map((version) => [version, outcomeOn(version)]))).toEqual(expected);
  });

  test.each([
    [
      'nothing to run it with',
      { parts: ['dist'] },
      'skc: needs Node 22.18 or later, or Bun; neither is on the PATH\nhelp: install a newer Node from https://nodejs.org\n',
    ],
    ['not built', { parts: [] }, "skc: not built yet; run 'npm ci' or 'npm run build' in the repository\n"],
  ] as const)('%s', (_, layout, stderr) => {
    const skc = layOut({ ...layout, without: ['node', 'bun'] });
    expect(runProcess(skc, ['--version'], { env: { PATH: poorPath() } })).toEqual({
      status: 1,
      stdout: '',
      stderr,
    });
  });
});

test('commands that read a skill load no other package', () => {
  const skill = '---\nname: demo\ndescription: Counts rows.\n---\n\n# Demo\n\n## Steps\n\nCount rows.\n';
  const cwd = makeDirectory({ '.skillc/skills/demo/SKILL.md': skill });
  const options = { cwd, env: { SKC_HOME: makeDirectory() } };
  expect(runProcess(builtSkc, ['build', 'demo', '--target', 'none'], options).status).toBe(0);
  const skc = layOut({ parts: ['dist'], without: Object.keys(manifest.dependencies) });
  const reading = {
    show: ['--section', 'Steps'],
    outline: [],
    search: ['rows'],
    open: ['SKILL.md'],
    sources: [],
  };
  const failed = Object.entries(reading).flatMap(([name, words]) => {
    const { status, stderr } = runProcess(skc, [name, 'demo', ...words], options);
    return status === 0 ? [] : [stderr];
  });
  expect(failed).toEqual([]);
});

describe('files of the working directory decide nothing', () => {
  const hostile = {
    'bunfig.toml': 'preload = ["./evil.ts"]\n',
    '.env': 'SKC_LINT_PROFILE=strict\n',
    'evil.ts': "console.log('evil ran')\n",
    'tsconfig.json': '{"compilerOptions":{"paths":{"zod":["./evil.ts"]}}}\n',
  };

  test.each([
    ['the executable', { parts: ['native'] }],
    ['the JavaScript on Node', { parts: ['dist'] }],
    ['the JavaScript on Bun', { parts: ['dist'], without: ['node'] }],
  ] as const)('%s', (_, layout) => {
    const cwd = makeDirectory(hostile);
    const found = runProcess(layOut(layout), ['config', 'lint.profile'], { cwd, env: { PATH: poorPath() } });
    expect(found).toEqual({ status: 0, stdout: 'lint.profile = "spec"\n', stderr: '' });
  });
});

describe('variables of Bun run nothing', () => {
  const evil = () => join(makeDirectory({ 'evil.ts': "console.log('evil ran')\n" }), 'evil.ts');
  const fine = { status: 0, stdout: 'lint.profile = "spec"\n', stderr: '' };

  test.each([
    ['the executable', { parts: ['native'] }],
    ['the JavaScript on Bun', { parts: ['dist'], without: ['node'] }],
  ] as const)('%s', (_, layout) => {
    const skc = layOut(layout);
    for (const more of [
      { BUN_OPTIONS: `--preload=${evil()}` },
      { BUN_OPTIONS: `-r ${evil()}` },
      { BUN_INSPECT_PRELOAD: evil() },
      { BUN_BE_BUN: '1' },
    ])
      expect(runProcess(skc, ['config', 'lint.profile'], { env: { PATH: poorPath(), ...more } })).toEqual(
        fine,
      );
  });

  test.runIf(hasNative)('the executable by itself', () => {
    for (const options of [
      `--preload=${evil()}`,
      `-r ${evil()}`,
      `-- --preload ${evil()}`,
      '--print 1',
      '--bun',
    ])
      expect(runProcess(nativeSkc, ['config', 'lint.profile'], { env: { BUN_OPTIONS: options } })).toEqual(
        fine,
      );
  });
});

describe('the executable and the JavaScript agree', () => {
  test.runIf(hasNative)('on every output', () => {
    const native = layOut({ parts: ['native'] });
    const script = layOut({ parts: ['dist'] });
    const tree: Tree = {
      '.skillc/config.toml': '[lint]\nprofile = "strict"\nx = 1\n',
      '.skillc/skills/demo/SKILL.md': '---\nname: demo\ndescription: x\n---\n\n# Demo\n\n[x](missing.md)\n',
      'bad/SKILL.md': bad,
      'odd/SKILL.md': new Uint8Array([0xff, 0x00]),
      'ü 😀/SKILL.md': bad,
      'loop/SKILL.md': { link: 'SKILL.md' },
      'file/SKILL.md': { directory: true },
      out: { link: '/etc' },
    };
    const lines = [
      [],
      ['lint'],
      ['lint', '--json'],
      ['lint', '--format', 'sarif'],
      ['lint', 'loop'],
      ['lint', 'file'],
      ['lint', `${'n'.repeat(300)}`],
      ['validate', 'demo', '--json'],
      ['validate', 'odd'],
      ['config', '--show-origin'],
      ['config', 'gateway.auto_build', 'maybe'],
      ['explain', 'SKL101'],
      ['lint', '--no-fix', '--profile'],
      ['lnt', '--json'],
    ];
    const cwd = makeDirectory(tree);
    for (const words of lines)
      expect(runProcess(native, words, { cwd }), words.join(' ')).toEqual(runProcess(script, words, { cwd }));
  });
});

describe('output', () => {
  /** Skills whose findings take more than a megabyte as JSON. */
  const cwd = makeSharedDirectory(
    Object.fromEntries(
      Array.from({ length: 600 }, (_, index) => [`${'long-'.repeat(40)}${index}/SKILL.md`, bad]),
    ),
  );

  const shell = (line: string) => runProcess('bash', ['--norc', '-c', line, 'bash', builtSkc], { cwd });

  test('is complete, however large, into a pipe', () => {
    const direct = runProcess(builtSkc, ['lint', '--json'], { cwd });
    expect([direct.status, direct.stderr]).toEqual([1, '']);
    expect(direct.stdout.length).toBeGreaterThan(1024 * 1024);
    const report = JSON.parse(direct.stdout);
    expect([report.skills, report.findings.length]).toEqual([600, report.errors + report.warnings]);
    expect(shell('"$1" lint --json | cat').stdout).toBe(direct.stdout);
    // A parent that uses the pipe as a stream leaves it in non-blocking mode to its children.
    const parent = `process.stdout.write(''); require('node:child_process').spawnSync(process.argv[1], ['lint', '--json'], { stdio: 'inherit' })`;
    expect(shell(`"${process.execPath}" -e "${parent}" "$1" | cat`).stdout).toBe(direct.stdout);
  });

  test('ends quietly when the reader goes away', () => {
    expect(shell('("$1" lint --json; echo $? >&2) | head -n 1')).toEqual({
      status: 0,
      stdout: '{\n',
      stderr: '1\n',
    });
    expect(shell('("$1" --help; echo $? >&2) | true')).toEqual({ status: 0, stdout: '', stderr: '0\n' });
  });

  test.runIf(existsSync('/dev/full'))('fails when it cannot be written', () => {
    const stderr =
      "error[E016]: cannot write 'standard output': no space left on the disk\nhelp: free some space, or choose another place. The old content is unchanged\n";
    expect(shell('"$1" version > /dev/full')).toEqual({ status: 1, stdout: '', stderr });
    expect(shell('"$1" version --json > /dev/full')).toEqual({ status: 1, stdout: '', stderr });
    expect(shell('"$1" nonsense 2> /dev/full')).toEqual({ status: 1, stdout: '', stderr: '' });
  });

  test('has no colour in a pipe', () => {
    const help = (env: Record<string, string>) => runProcess(builtSkc, ['--help'], { env }).stdout;
    expect(help({})).not.toContain('\u001b');
    expect(help({ FORCE_COLOR: '1' })).toContain('\u001b');
  });
});

describe('odd surroundings', () => {
  test('a working directory that is gone', () => {
    const cwd = makeDirectory({ gone: { directory: true } });
    const line = 'cd gone && rmdir ../gone && "$1" lint x';
    const { status, stdout, stderr } = runProcess('bash', ['--norc', '-c', line, 'bash', builtSkc], { cwd });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  test('a relative SKC_HOME', () => {
    const cwd = makeDirectory({ 'h/.skillc/config.toml': '[gateway]\nauto_build = true\n' });
    const { stdout } = runProcess(builtSkc, ['config', 'gateway.auto_build'], {
      cwd,
      env: { SKC_HOME: 'h' },
    });
    expect(stdout).toBe('gateway.auto_build = true\n');
  });

  test('no home at all', () => {
    const { status, stderr } = runProcess('env', ['-u', 'HOME', '-u', 'SKC_HOME', builtSkc, 'version']);
    expect([status, stderr]).toEqual([0, '']);
  });
});
