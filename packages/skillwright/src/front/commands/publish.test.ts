import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { SECRET } from '../../../test/account-server.ts';
import { makeWorld, skillText } from '../../../test/make-world.ts';
import { makeRegistryWorld, type RegistryWorld } from '../../../test/registry-world.ts';

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
        'published a (1 file, 152 bytes, sha256:#…)',
        'published b (2 files, 259 bytes, sha256:#…)',
        'published c (1 file, 152 bytes, sha256:#…)',
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
    // Published files carry their checksum, which installing checks.
    expect(world.read('site/.well-known/skills/default/skill.md')).toMatch(
      /^---\nname: a\ndescription: .*\nmetadata:\n {2}checksum: "sha256:[0-9a-f]{64}"\n---\n/,
    );
    expect(world.read('a/SKILL.md')).toBe(skillText('a'));
  });

  test('--default chooses among many', async () => {
    const world = makeWorld({ 'skills/a/SKILL.md': skillText('a'), 'skills/b/SKILL.md': skillText('b') });
    expect((await world.run(['publish', '--static', 'site', 'skills', '--default', 'b'])).status).toBe(0);
    expect(world.read('site/.well-known/skills/default/skill.md')).toContain('\nname: b\n');
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

describe('the first publication', () => {
  const bare = '---\nname: pdf-forms\ndescription: Use when filling a form.\n---\n\n# Forms\n';
  const MIT = 'Permission is hereby granted, free of charge, to any person obtaining a copy\n';

  test('names everything that is missing at once', async () => {
    const world = await makeRegistryWorld({ isConfigured: false, files: { 'pdf-forms/SKILL.md': bare } });
    const { status, stderr } = await world.skc(['publish', 'pdf-forms']);
    expect(status).toBe(1);
    for (const said of [
      "missing 'license'",
      "missing 'version'",
      "missing 'author'",
      "missing 'tags'",
      "'pdf-forms' does not say whose skill it is; pass --owner",

      'no registry is set',
      "'skc publish pdf-forms --fill' writes version 1.0.0, tags 'pdf, forms' into pdf-forms/SKILL.md",
    ])
      expect(stderr).toContain(said);
    const complete = await makeRegistryWorld({
      isConfigured: false,
      files: { 'pdf/SKILL.md': skill('pdf') },
    });
    const both = await complete.skc(['publish', 'pdf']);
    expect(both.stderr).toMatch(/^error\[E239\][\s\S]*no registry is set/);
  });

  test('--fill writes what can be known, and publishes', async () => {
    const files = { 'pdf-forms/SKILL.md': bare, 'pdf-forms/LICENSE': MIT };
    const world = await makeRegistryWorld({ files });
    const env = { SKC_TOKEN: SECRET };
    const run = await world.skc(['publish', 'pdf-forms', '--owner', '@acme', '--fill'], { env });
    expect([run.status, [...world.server.world.published.keys()]]).toEqual([0, ['@acme/pdf-forms@1.0.0']]);
    expect(run.stderr).toContain(
      "wrote license MIT, version 1.0.0, author acme, tags 'pdf, forms' into pdf-forms/SKILL.md",
    );
    expect(world.read('pdf-forms/SKILL.md')).toBe(
      [
        '---',
        'name: pdf-forms',
        'description: Use when filling a form.',
        'license: "MIT"',
        'metadata:',
        '  tags: "pdf, forms"',
        '  author: "acme"',
        '  version: "1.0.0"',
        '---',
        '',
        '# Forms',
        '',
      ].join('\n'),
    );
  });

  test('--fill chooses no licence for the author, and repairs no field that is there', async () => {
    const world = await makeRegistryWorld({ files: { 'pdf-forms/SKILL.md': bare } });
    const env = { SKC_TOKEN: SECRET };
    const words = ['publish', 'pdf-forms', '--owner', 'acme', '--fill'];
    const none = await world.skc(words, { env });
    expect([none.status, none.stderr]).toEqual([1, expect.stringContaining("missing 'license'")]);
    expect(none.stderr).not.toContain("missing 'tags'");
    expect(world.server.world.published.size).toBe(0);
    const filled = world.read('pdf-forms/SKILL.md');
    const named = await world.skc([...words, '--license', 'Apache-2.0'], { env });
    expect([named.status, world.read('pdf-forms/SKILL.md')]).toEqual([
      0,
      filled.replace('\n---\n\n#', '\nlicense: "Apache-2.0"\n---\n\n#'),
    ]);
  });

  test.each([[['--fill', '--dry-run']], [['--fill', '--static', 'site']], [['--license', 'MIT']]])(
    '%j is refused, and changes nothing',
    async (flags) => {
      const world = await makeRegistryWorld({ files: { 'pdf-forms/SKILL.md': bare } });
      const run = await world.skc(['publish', 'pdf-forms', ...flags]);
      expect([run.status, run.stderr.slice(0, 11)]).toEqual([1, 'error[E100]']);
      expect(world.read('pdf-forms/SKILL.md')).toBe(bare);
    },
  );
});

describe('to a registry', () => {
  const env = { SKC_TOKEN: SECRET, SKC_REGISTRY_OWNER: 'acme' };
  const pdf = { 'pdf/SKILL.md': skill('pdf', '1.2.0') };
  const shorten = (text: string) => text.replaceAll(/\d+ bytes, sha256:\w+/g, '# bytes, sha256:#');

  test('once, and not again', async () => {
    const world = await makeRegistryWorld({ files: pdf });
    const first = await world.skc(['publish', 'pdf'], { env });
    expect([first.status, shorten(first.stdout)]).toEqual([
      0,
      'published @acme/pdf@1.2.0 (1 file, # bytes, sha256:#…)\nregistry: <registry>/\n',
    ]);
    expect([...world.server.world.published.keys()]).toEqual(['@acme/pdf@1.2.0']);
    const again = await world.skc(['publish', 'pdf'], { env });
    expect([again.status, again.stderr]).toEqual([
      1,
      "error[E203]: version exists: '@acme/pdf@1.2.0'\n  @acme/pdf@1.2.0 exists and is never replaced\n",
    ]);
  });

  test('with the token of a login, for another owner', async () => {
    const world = await makeRegistryWorld({ files: pdf });
    await world.skc(['login']);
    const run = await world.skc(['publish', 'pdf', '--owner', '@tools']);
    expect([run.status, [...world.server.world.published.keys()]]).toEqual([0, ['@tools/pdf@1.2.0']]);
    expect(run.stdout + run.stderr).not.toContain(SECRET);
  });

  test('a version that waits for its review says so', async () => {
    const world = await makeRegistryWorld({ files: pdf });
    world.server.world.isReviewed = true;
    const run = await world.skc(['publish', 'pdf'], { env });
    expect(shorten(run.stdout)).toBe(
      'published @acme/pdf@1.2.0 (1 file, # bytes, sha256:#…)\n  pending: waits for a reviewer\nregistry: <registry>/\n',
    );
    world.write({ 'pdf/SKILL.md': skill('pdf', '1.3.0') });
    expect((await world.skc(['publish', 'pdf', '--json'], { env })).json()).toMatchObject({
      published: [
        {
          name: 'pdf',
          address: '@acme/pdf',
          version: '1.3.0',
          installable: { answer: 'no', reasons: [{ code: 'pending', message: 'waits for a reviewer' }] },
        },
      ],
    });
  });

  test('--version stands in for a missing one, in the published file only', async () => {
    const text = skill('pdf').replace('  version: "1.0.0"\n', '');
    const world = await makeRegistryWorld({ files: { 'pdf/SKILL.md': text } });
    const none = await world.skc(['publish', 'pdf'], { env });
    expect(none.stderr).toContain("missing 'version'");
    const run = await world.skc(['publish', 'pdf', '--version', '2.0.0'], { env });
    expect([run.status, run.stderr]).toEqual([0, '']);
    const archive = world.server.world.published.get('@acme/pdf@2.0.0')!;
    expect(gunzipSync(archive).toString()).toContain('\n  version: "2.0.0"\n');
    expect(world.read('pdf/SKILL.md')).toBe(text);
    world.write(pdf);
    const other = await world.skc(['publish', 'pdf', '--version', '2.0.0'], { env });
    expect(other.stderr).toBe(
      'error[E100]: --version 2.0.0: pdf is version 1.2.0 in its SKILL.md\nhelp: change the file, or leave out the flag\n',
    );
  });

  test('--visibility is set after the publication, and a failure says that it is published', async () => {
    const world = await makeRegistryWorld({ files: pdf });
    expect((await world.skc(['publish', 'pdf', '--visibility', 'public'], { env })).status).toBe(0);
    expect(world.server.world.skill.visibility).toBe('public');
    world.write({ 'pdf/SKILL.md': skill('pdf', '1.3.0') });
    world.server.world.interrupt = ({ method }, response) =>
      method === 'PATCH' && Boolean(response.writeHead(403).end());
    const run = await world.skc(['publish', 'pdf', '--visibility', 'private'], { env });
    expect([run.status, run.stderr]).toEqual([
      1,
      "error[E251]: not allowed: '@acme/pdf': status 403\nhelp: the version is published; set its visibility with 'skc access @acme/pdf private'\n",
    ]);
    expect(world.server.world.published.has('@acme/pdf@1.3.0')).toBe(true);
  });

  test('printed commands name a registry that is not configured', async () => {
    const world = await makeRegistryWorld({ files: pdf, isConfigured: false });
    await world.skc(['login', world.registry]);
    const publish = async (...flags: string[]) =>
      (await world.skc(['publish', 'pdf', '--owner', 'acme', '--registry', world.registry, ...flags])).stderr;
    const refuse = (refused: string, status: number) => {
      world.server.world.interrupt = ({ method }, response) =>
        method === refused && Boolean(response.writeHead(status).end());
    };
    refuse('PUT', 404);
    expect(await publish()).toBe(
      "error[E201]: not found: '@acme/pdf@1.2.0'\nhelp: create the owner with 'skc owner create @acme --registry <registry>/', or ask one of its admins for the role publisher\n",
    );
    refuse('PATCH', 403);
    expect(await publish('--visibility', 'private')).toBe(
      "error[E251]: not allowed: '@acme/pdf': status 403\nhelp: the version is published; set its visibility with 'skc access @acme/pdf private --registry <registry>/'\n",
    );
  });

  test('skills a registry would refuse are not sent', async () => {
    const world = await makeRegistryWorld({ files: { 'a/SKILL.md': skillText('a') } });
    const { status, stderr } = await world.skc(['publish', 'a'], { env });
    expect([status, world.server.requests]).toEqual([1, []]);
    expect(stderr).toContain("missing 'version'");
  });

  test('a dry run sends nothing, and needs no token', async () => {
    const world = await makeRegistryWorld({ files: pdf });
    const { status, stdout } = await world.skc(['publish', 'pdf', '--dry-run', '--owner', 'acme']);
    expect([status, shorten(stdout), world.server.requests]).toEqual([
      0,
      'would publish @acme/pdf@1.2.0 (1 file, # bytes, sha256:#…)\nregistry: <registry>/\n',
      [],
    ]);
  });

  test('without a registry, an owner or a token; with a registry of the project', async () => {
    const world = await makeRegistryWorld({ isConfigured: false, files: pdf });
    const none = await world.skc(['publish', 'pdf'], { env });
    expect(none.stderr).toBe(
      "error[E110]: invalid configuration: registry.url: no registry is set\nhelp: set one with 'skc config registry.url https://…', or write files with --static <dir>\n",
    );
    const named = ['--registry', world.registry];
    const ownerless = await world.skc(['publish', 'pdf', ...named]);
    expect(ownerless.stderr).toBe(
      "error[E239]: 'pdf' does not say whose skill it is\n  not logged in to '<registry>/'; run `skc login <registry>/`, or put a token into SKC_TOKEN\nhelp: pass --owner, as in 'skc publish pdf --owner acme --registry <registry>/', or set one for all: 'skc config registry.owner acme --scope user'\n",
    );
    const tokenless = await world.skc(['publish', 'pdf', '--owner', 'acme', ...named]);
    expect(tokenless.stderr).toBe(
      "error[E247]: not logged in to '<registry>/'\nhelp: run `skc login <registry>/`, or put a token into SKC_TOKEN\n",
    );
    world.write({ '.skillc/config.toml': '[registry]\nurl = "https://stranger.example"\n' });
    const stranger = await world.skc(['publish', 'pdf'], { env });
    expect(stranger.stderr).toBe(
      "error[E247]: not logged in to 'https://stranger.example/'\nhelp: the project chose this registry; confirm it with 'skc config registry.url https://stranger.example/ --scope user'\n",
    );
    expect(world.server.requests).toEqual([]);
  });

  test.each([
    '--owner=a',
    '--version=1.0.0',
    '--visibility=public',
    '--trusted',
    '--registry=https://x.example',
  ])('%s excludes --static', async (flag) => {
    const world = makeWorld(pdf);
    const { stderr } = await world.run(['publish', 'pdf', '--static', 'site', flag]);
    expect(stderr).toContain(`error[E100]: ${flag.split('=')[0]} excludes --static\n`);
  });

  describe('from CI', () => {
    const identity = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJyZXBvIn0.c2ln';
    const job = { SKC_ID_TOKEN: identity, SKC_REGISTRY_OWNER: 'acme' };
    const published = (world: RegistryWorld) => [...world.server.world.published.keys()];

    test('without a token, the identity of the job is exchanged', async () => {
      const world = await makeRegistryWorld({ files: pdf });
      world.server.world.identities.add(identity);
      const run = await world.skc(['publish', 'pdf'], { env: job });
      expect([run.status, run.stderr, published(world)]).toEqual([
        0,
        'publishing @acme/pdf with the identity of this CI job\n',
        ['@acme/pdf@1.2.0'],
      ]);
      expect(world.server.requests).toEqual(['POST /oauth/token', 'PUT /api/v1/skills/@acme/pdf/1.2.0']);
      expect(run.stdout + run.stderr).not.toMatch(new RegExp(`${SECRET}|${identity}`));
    });

    test('a token wins, unless --trusted', async () => {
      const world = await makeRegistryWorld({ files: pdf });
      const withToken = { ...job, SKC_TOKEN: SECRET };
      await world.skc(['publish', 'pdf'], { env: withToken });
      expect(world.server.requests).toEqual(['PUT /api/v1/skills/@acme/pdf/1.2.0']);
      const refused = await world.skc(['publish', 'pdf', '--trusted', '--json'], { env: withToken });
      expect(refused.json()).toMatchObject({
        error: {
          code: 'E249',
          message:
            'no identity for trusted publishing: the registry refused it: no publisher matches this identity',
        },
      });
    });

    test('--trusted outside CI', async () => {
      const world = await makeRegistryWorld({ files: pdf });
      const { stderr } = await world.skc(['publish', 'pdf', '--trusted'], { env });
      expect([stderr.split(':')[0], world.server.requests]).toEqual(['error[E249]', []]);
    });

    test('the identity never goes to a registry that only the project names', async () => {
      const world = await makeRegistryWorld({ isConfigured: false, files: pdf });
      world.server.world.identities.add(identity);
      world.write({ '.skillc/config.toml': `[registry]\nurl = "${world.registry}"\n` });
      for (const flags of [[], ['--trusted']]) {
        const { stderr } = await world.skc(['publish', 'pdf', ...flags], { env: job });
        expect(stderr).toBe(
          "error[E220]: registry not confirmed: '<registry>/'\nhelp: name the registry in the job, with --registry or the variable SKC_REGISTRY_URL\n",
        );
      }
      expect(world.server.requests).toEqual([]);
      const named = { ...job, SKC_REGISTRY_URL: world.registry };
      expect((await world.skc(['publish', 'pdf'], { env: named })).status).toBe(0);
    });
  });
});
