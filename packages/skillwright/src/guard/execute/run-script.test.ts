import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeDirectory, type Tree, writeTree } from '../../../test/make-directory.ts';
import { listTree } from '../../../test/make-world.ts';
import { requireProgram } from '../../../test/required-program.ts';
import { smallLimits } from '../../../test/sandbox-contract.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { findProgram } from '../../base/files/start-child.ts';
import { openSandbox } from './open-sandbox.ts';
import { prepareSkill, type SkillCopy } from './prepare-skill.ts';
import { type RunScriptOptions, runDynamicIn, runScript, scriptFailure } from './run-script.ts';
import type { Sandbox } from './sandbox.ts';
import { grantToSkill, readSkillGrants, skillAccess } from './skill-access.ts';

beforeEach((context) => requireProgram(context, 'bwrap'));

const { PATH = '' } = process.env;
const bun = join(import.meta.dirname, '../../../../../node_modules/bun/bin/bun.exe');

function makeSkill(files: Tree, sandbox?: string): { dir: string; home: string } {
  const metadata = sandbox === undefined ? '' : `metadata:\n  sandbox: ${JSON.stringify(sandbox)}\n`;
  const root = makeDirectory({
    'skill/SKILL.md': `---\nname: demo\ndescription: x\n${metadata}---\n`,
    home: { directory: true },
  });
  writeTree(join(root, 'skill'), files);
  return { dir: join(root, 'skill'), home: join(root, 'home') };
}

async function run(
  { dir, home }: { dir: string; home: string },
  script: string,
  options: Partial<RunScriptOptions> = {},
) {
  const sandbox = options.sandbox ?? (await openSandbox({ env: { PATH } }));
  const envelope = await runScript(dir, script, {
    home,
    env: { PATH },
    limits: smallLimits,
    ...options,
    sandbox,
  });
  const { durationMs, ...rest } = envelope;
  expect(Number.isInteger(durationMs)).toBe(true);
  return rest;
}

function prepare({ dir, home }: { dir: string; home: string }): SkillCopy {
  const skill = prepareSkill(dir, { home, sandbox: { relocates: true } });
  onTestFinished(skill.remove);
  return skill;
}

/** Command lines of all processes on this machine, as any user can read them. */
function commandLines(): string[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      return /^\d+$/.test(name) ? [readFileSync(`/proc/${name}/cmdline`, 'utf8')] : [];
    } catch {
      return [];
    }
  });
}

const fine = { exitCode: 0, ok: true, stderr: '', truncated: false, timedOut: false, sandbox: 'bubblewrap' };

describe('an envelope', () => {
  test('of a script that succeeds', async () => {
    const skill = makeSkill({ 'scripts/a.sh': 'echo "$1"; cat; pwd\n' });
    expect(await run(skill, 'a', { args: ['x y'], stdin: 'in\n' })).toEqual({
      ...fine,
      stdout: `x y\nin\n${skill.dir}\n`,
    });
  });

  test('of a script that fails, and its error', async () => {
    const skill = makeSkill({ 'scripts/a.sh': 'echo out; echo err >&2; exit 7\n' });
    const failed = { ...fine, ok: false, exitCode: 7, stdout: 'out\n', stderr: 'err\n' };
    expect(await run(skill, 'a.sh')).toEqual(failed);
    const envelope = { ...failed, durationMs: 5, sandbox: 'bubblewrap' as const };
    expect(scriptFailure(envelope, 'a.sh')).toMatchObject({
      code: 'E073',
      message: "script failed: 'a.sh'",
      help: 'it ended with status 7',
      detail: '--- stdout\nout\n--- stderr\nerr',
      data: envelope,
    });
    expect(scriptFailure({ ...envelope, ok: true }, 'a.sh')).toBeUndefined();
    expect(scriptFailure({ ...envelope, timedOut: true, truncated: true }, 'a.sh')?.code).toBe('E071');
    expect(scriptFailure({ ...envelope, truncated: true }, 'a.sh')?.code).toBe('E072');
  });

  test('with output parsed as JSON', async () => {
    const skill = makeSkill({
      'scripts/a.sh': `printf '\\357\\273\\277{"a": [1]}'\n`,
      'scripts/b.sh': 'echo no\n',
    });
    expect(await run(skill, 'a', { json: true })).toEqual({
      ...fine,
      stdout: '\ufeff{"a": [1]}',
      data: { a: [1] },
    });
    await expect(run(skill, 'b', { json: true })).rejects.toMatchObject({
      code: 'E073',
      help: expect.stringContaining('its output is not JSON: '),
      data: { ok: false, stdout: 'no\n' },
    });
  });

  test('invalid UTF-8 becomes replacement characters', async () => {
    const skill = makeSkill({ 'scripts/a.sh': `printf '\\377\\000x'\n` });
    expect((await run(skill, 'a')).stdout).toBe('\ufffd\0x');
  });
});

describe('every language', () => {
  const scripts: [string, string][] = [
    ['a.sh', 'for word; do echo "$word"; done'],
    ['a.py', 'import sys\nfor word in sys.argv[1:]: print(word)'],
    ['a.js', 'for (const word of process.argv.slice(2)) console.log(word)'],
    ['a.mjs', "import { argv } from 'node:process'; for (const word of argv.slice(2)) console.log(word)"],
    ['a.ts', 'const words: string[] = process.argv.slice(2); for (const word of words) console.log(word)'],
  ];
  test.for(scripts)('%s', async ([name, text], context) => {
    if (name.endsWith('.py')) requireProgram(context, 'python3');
    const skill = makeSkill({ [`scripts/${name}`]: text });
    const env = { PATH, HOME: process.env.HOME };
    expect(await run(skill, name, { args: ['one', '$two'], env })).toEqual({
      ...fine,
      stdout: 'one\n$two\n',
    });
  });

  test.for(['a.ts', 'a.js'])('%s by Bun, without Node', async (name) => {
    const programs = makeDirectory({
      bun: { link: bun },
      bwrap: { link: findProgram('bwrap', process.env)! },
    });
    const skill = makeSkill({
      [`scripts/${name}`]: "import { value } from '../lib/b'; console.log(process.argv.slice(2), value)\n",
      'lib/b.ts': 'export const value: number = 5;\n',
    });
    const options = { args: ['one'], env: { PATH: programs } };
    expect(await run(skill, name, options)).toEqual({ ...fine, stdout: '[ "one" ] 5\n' });
  });

  test('a script finds the files of its skill', async () => {
    const skill = makeSkill({
      'scripts/a.mjs': "import { value } from '../lib/b.mjs'; console.log(value)",
      'lib/b.mjs': 'export const value = 5;',
    });
    expect((await run(skill, 'a')).stdout).toBe('5\n');
  });
});

describe('runs exactly the checked files', () => {
  /** The real sandbox, with an action before it starts. */
  async function afterCheck(happens: () => void): Promise<Sandbox> {
    const sandbox = await openSandbox({ env: { PATH } });
    return {
      ...sandbox,
      run(command) {
        happens();
        return sandbox.run(command);
      },
    };
  }

  test('a script overwritten after the check', async () => {
    const skill = makeSkill({ 'scripts/a.sh': 'echo checked\n' });
    const sandbox = await afterCheck(() => writeFileSync(join(skill.dir, 'scripts/a.sh'), 'echo swapped\n'));
    expect((await run(skill, 'a', { sandbox })).stdout).toBe('checked\n');
  });

  test('a script replaced by a link after the check', async () => {
    const skill = makeSkill({ 'scripts/a.sh': 'echo checked\n', 'scripts/b.sh': 'echo swapped\n' });
    const sandbox = await afterCheck(() => {
      rmSync(join(skill.dir, 'scripts/a.sh'));
      symlinkSync('b.sh', join(skill.dir, 'scripts/a.sh'));
    });
    expect((await run(skill, 'a', { sandbox })).stdout).toBe('checked\n');
  });

  test('a script whose directory is removed after the check', async () => {
    const skill = makeSkill({ 'scripts/a.sh': 'echo checked\n' });
    const sandbox = await afterCheck(() => renameSync(join(skill.dir, 'scripts'), join(skill.dir, 'gone')));
    expect((await run(skill, 'a', { sandbox })).stdout).toBe('checked\n');
  });

  test('an included file replaced after the check', async () => {
    const skill = makeSkill({ 'scripts/a.sh': '. scripts/lib.sh\n', 'scripts/lib.sh': 'echo checked\n' });
    const sandbox = await afterCheck(() => {
      writeFileSync(join(skill.dir, 'new'), 'echo swapped\n');
      renameSync(join(skill.dir, 'new'), join(skill.dir, 'scripts/lib.sh'));
    });
    expect((await run(skill, 'a', { sandbox })).stdout).toBe('checked\n');
  });

  test('also without a sandbox', async () => {
    const skill = makeSkill({ 'scripts/a.sh': '. scripts/lib.sh\n', 'scripts/lib.sh': 'echo checked\n' });
    const bare = await openSandbox({ env: { PATH }, unsandboxed: true });
    const sandbox: Sandbox = {
      ...bare,
      run(command) {
        writeFileSync(join(skill.dir, 'scripts/lib.sh'), 'echo swapped\n');
        return bare.run(command);
      },
    };
    expect((await run(skill, 'a', { sandbox })).stdout).toBe('checked\n');
  });
});

describe('grants', () => {
  const wants = 'network write(out) env(TOKEN)';
  const script = {
    'scripts/a.sh': 'echo "[$TOKEN]"; mkdir -p out 2>/dev/null; echo x > out/file; cat out/file\n',
  };

  test('a declared need is missing, and reported, until it is granted', async () => {
    const skill = makeSkill(script, wants);
    const reports: Diagnostic[] = [];
    const options = {
      env: { PATH, TOKEN: 'secret' },
      report: (diagnostic: Diagnostic) => void reports.push(diagnostic),
    };
    expect(await run(skill, 'a', options)).toMatchObject({ ok: false, stdout: '[]\n' });
    expect(reports).toEqual([
      {
        code: 'W070',
        severity: 'warning',
        message: `not granted to the skill: ${wants}`,
        help: `the user can grant it on the command line: --grant '${wants}'`,
        data: { missing: ['network', 'write(out)', 'env(TOKEN)'] },
      },
    ]);
    reports.length = 0;
    expect(await run(skill, 'a', { ...options, grant: ['write(out) env(TOKEN)', 'network'] })).toEqual({
      ...fine,
      stdout: '[secret]\nx\n',
    });
    // Remembered, even after the script wrote files.
    expect(await run(skill, 'a', options)).toEqual({ ...fine, stdout: '[secret]\nx\n' });
    expect(reports).toEqual([]);
  });

  test.for([
    ['a script', 'scripts/a.sh', 'echo\n'],
    [
      'the manifest',
      'SKILL.md',
      `---\nname: demo\ndescription: x\nmetadata:\n  sandbox: ${wants} env(OTHER)\n---\n`,
    ],
    ['a hidden file', '.hidden/lib.sh', 'echo\n'],
    ['a module', 'node_modules/x/index.js', 'x\n'],
    ['a directory it may write', 'out/lib.sh', 'echo\n'],
    ['a repository in it', 'lib/.git/hooks/x', 'echo\n'],
  ] as const)('an edit revokes them: %s', ([, path, content]) => {
    const skill = makeSkill(script, wants);
    const granted = grantToSkill(readSkillGrants(skill.dir, skill), [wants], skill);
    expect(granted.granted).toEqual(granted.declared);
    expect(readSkillGrants(skill.dir, skill).granted).toEqual(granted.declared);
    writeTree(skill.dir, { '.git/HEAD': 'x' });
    expect(readSkillGrants(skill.dir, skill).granted).toEqual(granted.declared);
    writeTree(skill.dir, { [path]: content });
    expect(readSkillGrants(skill.dir, skill).granted).toEqual([]);
  });

  test('they belong to one path', () => {
    const [one, other] = [makeSkill(script, wants), makeSkill(script, wants)];
    grantToSkill(readSkillGrants(one.dir, one), ['network'], one);
    expect(readSkillGrants(other.dir, one).granted).toEqual([]);
  });

  test('an undeclared need cannot be granted, and is not remembered', () => {
    const skill = makeSkill(script, 'write(out)');
    const read = readSkillGrants(skill.dir, skill);
    expect(() => grantToSkill(read, ['network'], skill)).toThrow('the skill does not declare network');
    expect(() => grantToSkill(read, ['write(..)'], skill)).toThrow(
      'must be a visible directory of the skill',
    );
    expect(listTree(skill.home)).toEqual({});
  });

  test('a manipulated state file grants nothing', () => {
    const skill = makeSkill(script, wants);
    for (const grants of [
      'x',
      [],
      { [skill.dir]: 'network' },
      { [skill.dir]: { digest: 'x', granted: ['network'] } },
    ]) {
      writeTree(skill.home, { '.skillc/state.json': JSON.stringify({ version: 1, grants }) });
      expect(readSkillGrants(skill.dir, skill).granted).toEqual([]);
    }
    writeTree(skill.home, { '.skillc/state.json': '{' });
    expect(readSkillGrants(skill.dir, skill).granted).toEqual([]);
  });

  test('a directory that leads out is not writable', async () => {
    const skill = makeSkill({ ...script, out: { link: '../home' } }, wants);
    const granted = { ...prepare(skill), granted: [{ kind: 'write' as const, path: 'out' }] };
    const sandbox = await openSandbox({ env: { PATH } });
    expect(() => skillAccess(granted, { ...skill, sandbox, env: {} })).toThrow(
      "path escapes skill root: 'out'",
    );
  });

  test('a directory inside another writable one is not mounted separately', async () => {
    const skill = makeSkill(script, 'write(out/deep) write(out) write(outer)');
    const read = prepare(skill);
    const sandbox = await openSandbox({ env: { PATH } });
    const { shown } = skillAccess({ ...read, granted: read.declared }, { ...skill, sandbox, env: {} });
    expect(shown.filter(({ writable }) => writable).map(({ at }) => at)).toEqual(
      ['out', 'outer'].map((path) => join(skill.dir, path)),
    );
  });

  test('the value of a variable appears on no command line', async () => {
    const value = `secret-${crypto.randomUUID()}`;
    const skill = makeSkill({ 'scripts/a.sh': 'echo "[$TOKEN]"; read -r _\n' }, 'env(TOKEN)');
    const seen: string[] = [];
    const sandbox = await openSandbox({ env: { PATH } });
    const process = sandbox.start({
      ...skillAccess(
        { ...prepare(skill), granted: [{ kind: 'env', name: 'TOKEN' }] },
        { ...skill, sandbox, env: { TOKEN: value } },
      ),
      argv: ['/bin/sh', 'scripts/a.sh'],
      limits: smallLimits,
    });
    for await (const text of process.stdout.setEncoding('utf8')) {
      seen.push(text, ...commandLines().filter((line) => line.includes(value)));
      process.input.end();
    }
    expect(seen).toEqual([`[${value}]\n`]);
  });

  test('a skill that contains the home directory does not run', async () => {
    const { dir, home } = makeSkill(script);
    const skill = prepare({ dir, home });
    const sandbox = await openSandbox({ env: { PATH } });
    const refusal = `sandbox unavailable: the skill at '${dir}' contains the home directory`;
    expect(() => skillAccess(skill, { home: join(dir, 'scripts'), sandbox, env: {} })).toThrow(refusal);
    expect(() => skillAccess(skill, { home, sandbox, env: { HOME: dir } })).toThrow(refusal);
  });

  test('the repository of a skill is hidden', async () => {
    const skill = makeSkill({ 'scripts/a.sh': 'ls -A; cat .git/config\n', '.git/config': 'token' });
    expect(await run(skill, 'a')).toMatchObject({ ok: false, stdout: 'SKILL.md\nscripts\n' });
  });
});

describe('commands in a text', () => {
  test('run in the sandbox, with output cut at the limit', async () => {
    const skill = makeSkill({ 'notes.txt': 'some notes\n' });
    const sandbox = await openSandbox({ env: { PATH } });
    const dynamic = runDynamicIn(sandbox, {
      home: skill.home,
      env: { PATH },
      limits: { ...smallLimits, outputBytes: 10 ** 6 },
    });
    const of = (command: string) => dynamic({ command }, skill);
    expect(await of('cat notes.txt | tr a-z A-Z')).toEqual({ ok: true, output: 'SOME NOTES\n' });
    expect(await of('echo before; exit 3')).toEqual({ ok: false, output: 'before\n' });
    expect(await of('cat /etc/shadow')).toEqual({ ok: false, output: '' });
    expect(await of('yes')).toEqual({ ok: true, output: 'y\n'.repeat(32 * 1024) });
  });

  test('do not run without a sandbox', async () => {
    const bare = await openSandbox({ env: { PATH }, unsandboxed: true });
    expect(() => runDynamicIn(bare, { home: '/', env: {}, limits: smallLimits })).toThrow(
      'sandbox unavailable',
    );
  });
});
