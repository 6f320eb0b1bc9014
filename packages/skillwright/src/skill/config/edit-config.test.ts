import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { type SkcOptions, skc } from '../../../test/run-in-process.ts';

const project = { '.skillc': { directory: true } } as const;

const run = async (words: readonly string[], options: SkcOptions = {}) => {
  const { status, stdout, stderr } = await skc(['config', ...words], options);
  return { status, stdout, stderr };
};

const failure = (stderr: string) => ({ status: 1, stdout: '', stderr });

describe('listing', () => {
  test('every key with its value', async () => {
    expect(await run([])).toEqual({
      status: 0,
      stdout: `skills.enabled = true
search.tokenizer = "porter"
search.default_limit = 8
search.max_limit = 50
gateway.auto_build = false
gateway.budget = 2000
server.timeout = 60
build.targets = ["claude"]
build.trusted_targets = []
build.scope = "auto"
build.deploy = "auto"
lint.profile = "spec"
catalog.roots = []
catalog.markers = [".git",".jj",".skillc"]
catalog.max_depth = 6
catalog.max_directories = 2000
catalog.max_entries = 200
catalog.max_bytes = 32768
permissions.allow = []
permissions.deny = []
permissions.confirm = []
scripts.timeout = 60
scripts.max_output = 1048576
scripts.max_memory = 536870912
scripts.max_processes = 128
scripts.max_file = 104857600
scripts.unsandboxed = false
usage.enabled = true
report.licences = {"allow":[],"deny":[]}
network.allow_private = []
network.timeout = 10
network.max_bytes = 104857600
network.max_unpacked = 104857600
network.max_entries = 10000
network.git_url = "https://github.com"
network.github_url = "https://api.github.com"
network.npm_url = "https://registry.npmjs.org"
network.domains = []
registry.url = unset
registry.key = unset
registry.owner = unset
registry.trusted = []
registry.witnesses = []
registry.quorum = unset
cache.max_bytes = 1073741824
`,
      stderr: '',
    });
  });

  test('where values come from', async () => {
    const files = {
      '.skillc/config.toml': '[lint]\nprofile = "strict"\n[lint.rules]\nSKL101 = "off"\n',
      '~/.skillc/config.toml': '[lint]\nprofile = "upload"\n[gateway]\nauto_build = true\n',
    };
    const env = { SKC_USAGE_ENABLED: 'false', SKC_LINT_RULES: '{ SKL102 = "off" }' };
    const { stdout } = await run(['--show-origin'], { files, env });
    expect(stdout.split('\n').filter((line) => /^(gateway|lint|usage|registry)/.test(line))).toEqual([
      'gateway.auto_build = true  # <home>/.skillc/config.toml',
      'gateway.budget = 2000  # default',
      'lint.profile = "strict"  # <cwd>/.skillc/config.toml',
      'lint.rules.SKL101 = "off"  # <cwd>/.skillc/config.toml',
      'lint.rules.SKL102 = "off"  # SKC_LINT_RULES',
      'usage.enabled = false  # SKC_USAGE_ENABLED',
      'registry.url = unset  # default',
      'registry.key = unset  # default',
      'registry.owner = unset  # default',
      'registry.trusted = []  # default',
      'registry.witnesses = []  # default',
      'registry.quorum = unset  # default',
    ]);
  });

  test('one key, one table, one key that is not set', async () => {
    const files = {
      '~/.skillc/config.toml': 'lint.rules.SKL101 = "off"\nlint.rules.SKL102 = { severity = "info" }\n',
    };
    expect((await run(['gateway.auto_build'])).stdout).toBe('gateway.auto_build = false\n');
    expect((await run(['lint.rules'], { files })).stdout).toBe(
      'lint.rules.SKL101 = "off"\nlint.rules.SKL102 = {"severity":"info"}\n',
    );
    expect((await run(['lint.rules.SKL999'])).stdout).toBe('lint.rules.SKL999 = unset\n');
    expect((await skc(['config', 'registry.url', '--json'])).json()).toEqual({
      entries: [{ key: 'registry.url', value: null, layer: 'default', place: null }],
      written: null,
      dry_run: false,
      show_origin: false,
    });
  });

  test('warnings are printed next to the result', async () => {
    const files = { '~/.skillc/config.toml': '[gateway]\nauto_bild = true\n', ...project };
    expect(await run(['gateway.auto_build'], { files })).toEqual({
      status: 0,
      stdout: 'gateway.auto_build = false\n',
      stderr:
        'warning[W110]: unknown configuration key: <home>/.skillc/config.toml:2: gateway.auto_bild\nhelp: did you mean gateway.auto_build?\n',
    });
  });

  test('a rule name cannot write to the terminal', async () => {
    const files = { '.skillc/config.toml': '[lint.rules]\n"\\u001b[2J" = "off"\n' };
    expect((await run(['lint.rules'], { files })).stdout).toBe('lint.rules.\\u001b[2J = "off"\n');
  });

  test.each([
    [
      ['gateway.auto_bild'],
      "unknown configuration key 'gateway.auto_bild'",
      'did you mean gateway.auto_build?',
    ],
    [['nonsense'], "unknown configuration key 'nonsense'", "run 'skc config' to list the keys"],
    [['lint.rules.a.b'], "unknown configuration key 'lint.rules.a.b'", 'did you mean lint.rules?'],
    [['--unset'], 'missing <key>', undefined],
  ])('%j fails', async (words, why, help) => {
    const text = `error[E100]: ${why}\nhelp: ${help ?? 'run `skc config --help` to see the options'}\n`;
    expect(await run(words)).toEqual(failure(text));
  });
});

describe('changing', () => {
  const read = (path: string) => readFileSync(path, 'utf8');

  test('the project by default, the user outside of one', async () => {
    const inside = await skc(['config', 'gateway.auto_build', 'true'], { files: project });
    expect(inside.stdout).toBe('wrote <cwd>/.skillc/config.toml\n');
    expect(read(`${inside.dir}/.skillc/config.toml`)).toBe('[gateway]\nauto_build = true\n');
    const outside = await skc(['config', 'build.targets', 'claude,codex']);
    expect(outside.stdout).toBe('wrote <home>/.skillc/config.toml\n');
    expect(read(`${outside.home}/.skillc/config.toml`)).toBe('[build]\ntargets = ["claude", "codex"]\n');
  });

  test('the scope you name', async () => {
    const user = await skc(['config', 'usage.enabled', 'false', '--scope', 'user', '--json'], {
      files: project,
    });
    expect(user.json()).toEqual({
      entries: [{ key: 'usage.enabled', value: false, layer: 'user', place: '<home>/.skillc/config.toml' }],
      written: '<home>/.skillc/config.toml',
      dry_run: false,
      show_origin: false,
    });
  });

  test("keys only the user may set go to the user's file", async () => {
    const result = await skc(['config', 'scripts.unsandboxed', 'true'], { files: project });
    expect(result.stdout).toBe('wrote <home>/.skillc/config.toml\n');
    expect(await run(['scripts.unsandboxed', 'true', '--scope', 'project'], { files: project })).toEqual(
      failure('error[E100]: a project may not set scripts.unsandboxed\nhelp: use --scope user\n'),
    );
  });

  test('one rule', async () => {
    const { dir } = await skc(['config', 'lint.rules.SKL107', 'off'], { files: project });
    expect(read(`${dir}/.skillc/config.toml`)).toBe('[lint.rules]\nSKL107 = "off"\n');
  });

  test('unsetting', async () => {
    const files = { '.skillc/config.toml': '# mine\n[gateway]\nauto_build = true # yes\n' };
    const result = await skc(['config', 'gateway.auto_build', '--unset'], { files });
    expect([result.status, result.stdout]).toEqual([0, 'wrote <cwd>/.skillc/config.toml\n']);
    expect(read(`${result.dir}/.skillc/config.toml`)).toBe('# mine\n[gateway]\n');
  });

  test('nothing is written when nothing changes', async () => {
    expect(await run(['gateway.auto_build', '--unset'], { files: project })).toEqual({
      status: 0,
      stdout: 'gateway.auto_build = false\n',
      stderr: '',
    });
  });

  test('a wrong value is repaired by a right one', async () => {
    const files = { '.skillc/config.toml': '[gateway]\nauto_build = "yes"\n' };
    expect((await run(['gateway.auto_build'], { files })).status).toBe(1);
    expect((await run(['gateway.auto_build', 'true'], { files })).status).toBe(0);
  });

  test.each([
    [['gateway.auto_build', 'yes'], 'gateway.auto_build cannot be yes: must be true or false'],
    [['gateway.auto_build', ''], 'gateway.auto_build cannot be an empty value: must be true or false'],
    [['gateway.auto_build', 'true', '--unset'], '--unset takes no value'],
    [
      ['permissions.deny', '[{ tool = "x", skil_name = "y" }]'],
      'permissions.deny cannot be [{ tool = "x", skil_name = "y" }]: Unrecognized key: "skil_name"',
    ],
  ])('%j is refused and writes nothing', async (words, why) => {
    const result = await skc(['config', ...words], { files: project });
    expect(result.stderr).toBe(`error[E100]: ${why}\nhelp: run \`skc config --help\` to see the options\n`);
    expect(() => read(`${result.dir}/.skillc/config.toml`)).toThrow('ENOENT');
  });

  test('--scope project needs a project', async () => {
    expect(await run(['gateway.auto_build', 'true', '--scope', 'project'])).toEqual(
      failure("error[E100]: not inside a project\nhelp: run 'skc init', or use --scope user\n"),
    );
  });

  test.each([
    [
      'the file',
      { '.skillc/config.toml': { link: '../../outside/x.toml' } },
      "error[E017]: refusing to follow the link '<cwd>/.skillc/config.toml'\nhelp: check where the link points. Delete it if it is not yours. If it is, replace it with a real file or directory\n",
    ],
    [
      'the directory',
      { '.skillc': { link: '../outside' } },
      "warning[W010]: ignored: '<cwd>/.skillc': it is a link, so the directory is not a project\nhelp: replace the link with a directory\n",
    ],
  ])('a link out of the project is not written through: %s', async (_, files, said) => {
    const root = makeDirectory({ 'outside/x.toml': 'x = 1\n', 'outside/config.toml': 'x = 1\n', 'p/a': '' });
    const result = await skc(['config', 'gateway.auto_build', 'true'], { files, cwd: `${root}/p` });
    expect(result.stderr).toBe(said);
    expect(read(`${root}/outside/x.toml`) + read(`${root}/outside/config.toml`)).toBe('x = 1\nx = 1\n');
  });
});
