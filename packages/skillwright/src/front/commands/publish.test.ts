import { describe, expect, test } from 'vitest';
import { makeWorld, skillText } from '../../../test/make-world.ts';
import { serveRegistry } from '../../../test/registry-server.ts';

const skill = (name: string, version = '1.0.0') =>
  `---\nname: ${name}\ndescription: Use when testing ${name}.\nlicense: MIT\nmetadata:\n  version: "${version}"\n  author: me\n  tags: testing\n---\n\n# ${name}\n`;

describe('--static', () => {
  test('skills by directory and by name', async () => {
    const world = makeWorld({
      'skills/a/SKILL.md': skillText('a'),
      'skills/b/SKILL.md': skillText('b', '# b\n\nSee [x](x.md).\n'),
      'skills/b/x.md': '# x\n',
      'skills/b/.env': 'SECRET',
      '.skillc/skills/c/SKILL.md': skillText('c'),
    });
    const { status, stdout } = await world.run(['publish', '--static', 'site', 'skills', 'c']);
    expect([status, stdout.replaceAll(/sha256:\w+/g, 'sha256:#')]).toEqual([
      0,
      [
        'published a (1 file, 56 bytes, sha256:#…)',
        'published b (2 files, 186 bytes, sha256:#…)',
        'published c (1 file, 56 bytes, sha256:#…)',
        '<cwd>/site: 9 written, 0 unchanged, 0 removed',
        '',
      ].join('\n'),
    ]);
    const index = JSON.parse(world.read('site/.well-known/skills/index.json'));
    expect(index).toEqual({
      generator: 'skillwright',
      skills: [
        { name: 'a', description: 'Use when testing a.', files: ['SKILL.md'] },
        { name: 'b', description: 'Use when testing b.', files: ['SKILL.md', 'x.md'] },
        { name: 'c', description: 'Use when testing c.', files: ['SKILL.md'] },
      ],
    });
    expect(JSON.stringify(world.list())).not.toContain('.well-known/skills/b/.env');
  });

  test('the one in the working directory, with its default file', async () => {
    const world = makeWorld({ 'a/SKILL.md': skillText('a') });
    const run = await world.run(['publish', '--static', '../site', '--json'], { cwd: `${world.project}/a` });
    expect(run.json()).toMatchObject({
      published: [{ name: 'a', version: null, type: 'skill-md', files: 1 }],
      registry: null,
      unchanged: 0,
      removed: [],
      dry_run: false,
    });
    expect(world.read('site/.well-known/skills/default/skill.md')).toBe(skillText('a'));
  });

  test('--default chooses among many', async () => {
    const world = makeWorld({ 'skills/a/SKILL.md': skillText('a'), 'skills/b/SKILL.md': skillText('b') });
    expect((await world.run(['publish', '--static', 'site', 'skills', '--default', 'b'])).status).toBe(0);
    expect(world.read('site/.well-known/skills/default/skill.md')).toBe(skillText('b'));
    const { status, stderr } = await world.run(['publish', '--static', 'site', 'skills', '--default', 'x']);
    expect([status, stderr]).toEqual([
      1,
      "error[E100]: --default: 'x' is not among the skills\nhelp: run `skc publish --help` to see the options\n",
    ]);
  });

  test.each<[string, Record<string, string>, string[], string]>([
    ['lint errors', { 'a/SKILL.md': skillText('A_B') }, ['a'], 'E300'],
    ['a compiled skill', { 'a/SKILL.md': skillText('a'), 'a/.skillc/manifest.json': '{}' }, ['a'], 'E300'],
    ['one bad skill among many', { 's/a/SKILL.md': skillText('a'), 's/b/SKILL.md': '# b\n' }, ['s'], 'E300'],
    [
      'two of one name',
      { 'a/x/SKILL.md': skillText('x'), 'b/x/SKILL.md': skillText('x') },
      ['a', 'b'],
      'E100',
    ],
    ['nothing', { 'a/README.md': 'x' }, ['a'], 'E010'],
    ['no such skill', {}, ['none'], 'E001'],
    ['no skill here', {}, [], 'E010'],
  ])('%s is refused, and nothing is written', async (_, files, words, code) => {
    const world = makeWorld(files);
    const before = world.list();
    const run = await world.run(['publish', '--static', 'site', ...words, '--json']);
    expect([run.status, run.json()]).toEqual([1, { error: expect.objectContaining({ code }) }]);
    expect(world.list()).toEqual(before);
  });

  test('a dry run writes nothing', async () => {
    const world = makeWorld({ 'a/SKILL.md': skillText('a') });
    const before = world.list();
    const { stdout } = await world.run(['publish', '--static', 'site', 'a', '--dry-run']);
    expect(stdout).toMatch(/^would publish a .*\n<cwd>\/site: 5 written, 0 unchanged, 0 removed\n$/);
    expect(world.list()).toEqual(before);
  });
});

describe('to a registry', () => {
  const env = (url: string, token = 'secret') => ({
    SKC_NETWORK_ALLOW_PRIVATE: '127.0.0.1',
    SKC_REGISTRY_URL: url,
    SKC_REGISTRY_OWNER: 'acme',
    SKC_TOKEN: token,
  });

  test('once, and not again', async () => {
    const { url, archiveOf } = await serveRegistry({}, { token: 'secret' });
    const world = makeWorld({ 'pdf/SKILL.md': skill('pdf', '1.2.0') });
    const first = await world.run(['publish', 'pdf'], { env: env(url) });
    expect([first.status, first.stdout.replace(/sha256:\w+/, 'sha256:#')]).toEqual([
      0,
      `published pdf@1.2.0 (1 file, 255 bytes, sha256:#…)\nregistry: ${url}/\n`,
    ]);
    expect(archiveOf('@acme/pdf', '1.2.0')).toBeDefined();
    const again = await world.run(['publish', 'pdf'], { env: env(url) });
    expect([again.status, again.stderr]).toEqual([
      1,
      "error[E203]: version exists: '@acme/pdf@1.2.0'\n  @acme/pdf@1.2.0 exists and is never replaced\n",
    ]);
  });

  test('skills a registry would refuse are not sent', async () => {
    const { url, requests } = await serveRegistry({}, { token: 'secret' });
    const world = makeWorld({ 'a/SKILL.md': skillText('a') });
    const { status, stderr } = await world.run(['publish', 'a'], { env: env(url) });
    expect([status, requests]).toEqual([1, []]);
    expect(stderr).toContain("missing 'version'");
  });

  test('a dry run sends nothing', async () => {
    const { url, requests } = await serveRegistry({}, { token: 'secret' });
    const world = makeWorld({ 'pdf/SKILL.md': skill('pdf') });
    const { status, stdout } = await world.run(['publish', 'pdf', '--dry-run'], { env: env(url) });
    expect([status, stdout.slice(0, 23), requests]).toEqual([0, 'would publish pdf@1.0.0', []]);
  });

  test('without a registry, without a token, with a stranger\u2019s registry', async () => {
    const world = makeWorld({ 'pdf/SKILL.md': skill('pdf') });
    const none = await world.run(['publish', 'pdf']);
    expect(none.stderr).toBe(
      "error[E110]: invalid configuration: registry.url: no registry is set\nhelp: set one with 'skc config registry.url https://…', or write files with --static <dir>\n",
    );
    const tokenless = await world.run(['publish', 'pdf'], { env: env('https://registry.example', '') });
    expect(tokenless.stderr).toBe(
      "error[E202]: unauthorised: 'https://registry.example/'\nhelp: put your token for this registry into SKC_TOKEN\n",
    );
    world.write({ '.skillc/config.toml': '[registry]\nurl = "https://stranger.example"\n' });
    const stranger = await world.run(['publish', 'pdf'], { env: { SKC_TOKEN: 'secret' } });
    expect(stranger.stderr).toBe(
      "error[E202]: unauthorised: 'https://stranger.example/'\nhelp: the project chose this registry; confirm it with 'skc config registry.url https://stranger.example/ --scope user'\n",
    );
  });
});
