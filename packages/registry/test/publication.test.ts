import { gzipSync } from 'node:zlib';
import { DIGEST_HEADER } from 'skillwright/registry-protocol';
import { canonicalJson } from 'skillwright/transparency-log';
import { expect, test } from 'vitest';
import { makeTar, makeTarGz } from '../../skillwright/test/make-archive.ts';
import { onBothDatabases } from './open-test-registry.ts';
import { addAccount, digestOfBytes, openSkillWorld, packedSkill, skillText } from './skill-world.ts';

onBothDatabases('publication', (open) => {
  test('makes a version that can be found, read and fetched', async (context) => {
    const world = await openSkillWorld(open, context);
    const archive = packedSkill({ name: 'alpha', version: '1.0.0', files: { 'notes/a.md': '# A\n' } });
    const published = await world.publish('@acme/alpha@1.0.0', { archive });
    const version = {
      version: '1.0.0',
      archive: digestOfBytes(archive),
      document: expect.stringMatching(/^sha256:/),
      published: expect.any(String),
      yanked: null,
      quarantined: null,
      purged: null,
      installable: { answer: 'yes', reasons: [] },
    };
    expect(published).toEqual({ status: 201, value: version });
    expect(await world.call('reader', 'GET skills/@acme/alpha')).toEqual({
      status: 200,
      value: {
        schema: 1,
        name: '@acme/alpha',
        description: 'Checks alpha files. Use when a alpha file changes.',
        visibility: 'private',
        level: 'community',
        rating: null,
        downloads: 0,
        latest: '1.0.0',
        license: 'MIT',
        repository: null,
        homepage: null,
        tags: ['files', 'checks'],
        category: 'development',
        deprecated: null,
        created: published.value.published,
        updated: expect.any(String),
        versions: [published.value],
        advisories: [],
      },
    });
    const document = await world.ask('reader', 'GET skills/@acme/alpha/1.0.0');
    const text = await document.text();
    expect(digestOfBytes(Buffer.from(text))).toBe(published.value.document);
    expect(canonicalJson(JSON.parse(text))).toBe(text);
    expect(JSON.parse(text)).toEqual({
      schema: 1,
      name: '@acme/alpha',
      version: '1.0.0',
      description: 'Checks alpha files. Use when a alpha file changes.',
      license: 'MIT',
      client: null,
      archive: { digest: digestOfBytes(archive), size: archive.length },
      unpacked: Buffer.byteLength(skillText({ name: 'alpha', version: '1.0.0' })) + 4,
      files: [
        {
          path: 'SKILL.md',
          digest: digestOfBytes(Buffer.from(skillText({ name: 'alpha', version: '1.0.0' }))),
          size: Buffer.byteLength(skillText({ name: 'alpha', version: '1.0.0' })),
        },
        { path: 'notes/a.md', digest: digestOfBytes(Buffer.from('# A\n')), size: 4 },
      ],
      scan: {
        verdict: 'clean',
        engine: expect.stringMatching(/^skillwright \d/),
        scanned: published.value.published,
        flags: [],
      },
      published: published.value.published,
      publishedBy: 'publisher',
      provenance: null,
    });
    const fetched = await world.ask('reader', `GET archives/${digestOfBytes(archive)}`);
    expect(Buffer.from(await fetched.arrayBuffer()).equals(archive)).toBe(true);
    const audit = await world.registry.database.query(
      `select actor, action, version, details from audit where action = 'version.publish'`,
    );
    expect(audit).toEqual([
      {
        actor: 'publisher',
        action: 'version.publish',
        version: '1.0.0',
        details: { archive: digestOfBytes(archive), verdict: 'clean', review: 'approved' },
      },
    ]);
  });

  test('refuses archives that are not a clean skill, and leaves nothing behind', async (context) => {
    const world = await openSkillWorld(open, context, { maxFiles: 20, maxArchiveBytes: 200_000 });
    const text = skillText({ name: 'alpha', version: '1.0.0' });
    const good = packedSkill({ name: 'alpha', version: '1.0.0' });
    const rows: [string, Uint8Array, number, string, string][] = [
      ['not an archive', Buffer.from('hello'), 422, 'invalid_skill', 'must be a .tar.gz'],
      ['a tar that is not packed', makeTar({ 'SKILL.md': text }), 422, 'invalid_skill', 'must be a .tar.gz'],
      ['cut off', good.subarray(0, 200), 422, 'invalid_skill', 'damaged'],
      ['empty', new Uint8Array(0), 422, 'invalid_skill', 'must be a .tar.gz'],
      ['without SKILL.md', makeTarGz({ 'a.md': 'a' }), 422, 'invalid_skill', 'missing SKILL.md'],
      [
        'in a folder',
        makeTarGz({ 'alpha/SKILL.md': text }),
        422,
        'invalid_skill',
        'at the top of the archive',
      ],
      [
        'a bomb',
        makeTarGz({ 'SKILL.md': text, 'big.txt': 'a'.repeat(30_000_000) }),
        422,
        'invalid_skill',
        'more than 100 times its own size',
      ],
      [
        'many entries',
        makeTarGz(Array.from({ length: 100_000 }, (_, at) => ({ name: `f${at}` }))),
        413,
        'too_large',
        'more than 200000 bytes',
      ],
      [
        'more entries than allowed',
        makeTarGz([
          { name: 'SKILL.md', body: text },
          ...Array.from({ length: 50 }, (_, at) => ({ name: `f${at}` })),
        ]),
        422,
        'invalid_skill',
        'more than 40 entries',
      ],
      [
        'more files than allowed',
        makeTarGz([
          { name: 'SKILL.md', body: text },
          ...Array.from({ length: 25 }, (_, at) => ({ name: `f${at}` })),
        ]),
        422,
        'invalid_skill',
        'more than 20 files',
      ],
      [
        'a link out',
        archiveWith(text, { name: 'x', type: '2', link: '../../etc/passwd' }),
        422,
        'invalid_skill',
        'points outside',
      ],
      [
        'a link inside',
        archiveWith(text, { name: 'x.md', type: '2', link: 'SKILL.md' }),
        422,
        'invalid_skill',
        "'x.md' is a link",
      ],
      [
        'a hard link',
        archiveWith(text, { name: 'x', type: '1', link: 'SKILL.md' }),
        422,
        'invalid_skill',
        'x',
      ],
      ['a device', archiveWith(text, { name: 'x', type: '3' }), 422, 'invalid_skill', 'x'],
      ['a pipe', archiveWith(text, { name: 'x', type: '6' }), 422, 'invalid_skill', 'x'],
      [
        'a way out',
        archiveWith(text, { name: '../x', body: 'x' }),
        422,
        'invalid_skill',
        "escapes with '..'",
      ],
      [
        'an absolute path',
        archiveWith(text, { name: '/etc/x', body: 'x' }),
        422,
        'invalid_skill',
        'absolute path',
      ],
      [
        'a collision',
        makeTarGz({ 'SKILL.md': text, 'a.md': 'a', 'A.md': 'b' }),
        422,
        'invalid_skill',
        'same name on some systems',
      ],
      [
        'a hidden file',
        makeTarGz({ 'SKILL.md': text, '.env': 'A=1' }),
        422,
        'invalid_skill',
        "'.env' cannot be published",
      ],
      [
        'a name that reads backwards',
        makeTarGz({ 'SKILL.md': text, 'references/a\u202edm.exe': 'x' }),
        422,
        'invalid_skill',
        'its name has characters nobody can see',
      ],
      [
        'a name with an invisible character',
        makeTarGz({ 'SKILL.md': text, 'read\u200bme.md': 'x' }),
        422,
        'invalid_skill',
        'its name has characters nobody can see',
      ],
      [
        'a manifest without licence',
        makeTarGz({ 'SKILL.md': text.replace('license: MIT\n', '') }),
        422,
        'invalid_skill',
        "missing 'license'",
      ],
      [
        'a manifest whose faults are silenced',
        makeTarGz({ 'SKILL.md': `${text.replace('license: MIT\n', '')}\n<!-- skc-disable -->\n` }),
        422,
        'invalid_skill',
        "missing 'license'",
      ],
      ['another name', packedSkill({ name: 'beta', version: '1.0.0' }), 422, 'invalid_skill', 'beta'],
      [
        'another version',
        packedSkill({ name: 'alpha', version: '1.0.1' }),
        422,
        'invalid_skill',
        "version '1.0.1'",
      ],
      [
        'a NUL in the description',
        makeTarGz({
          'SKILL.md': skillText({ name: 'alpha', version: '1.0.0', description: '"a\\0b and more words"' }),
        }),
        422,
        'invalid_skill',
        'NUL',
      ],
    ];
    const answers = [];
    for (const [what, archive, , , words] of rows) {
      const { status, value } = await world.publish('@acme/alpha@1.0.0', { archive });
      const said = JSON.stringify(value.error);
      answers.push([
        what,
        status,
        value.error?.code,
        said.includes(JSON.stringify(words).slice(1, -1)) ? words : said,
      ]);
    }
    expect(answers).toEqual(rows.map(([what, , status, code, words]) => [what, status, code, words]));
    const { database } = world.registry;
    expect(await database.query('select * from skills')).toEqual([]);
    expect(await database.query('select * from blobs')).toEqual([]);
  });

  test('refuses wrong headers and bodies before it looks inside', async (context) => {
    const world = await openSkillWorld(open, context, { uploadSeconds: 0.05, maxArchiveBytes: 2000 });
    const archive = packedSkill({ name: 'alpha', version: '1.0.0' });
    const send = async (body: unknown, headers: Record<string, string>) => {
      const response = await world.ask('publisher', 'PUT skills/@acme/alpha/1.0.0', { body, headers });
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      return [response.status, error.code, error.message];
    };
    const digest = { [DIGEST_HEADER]: digestOfBytes(archive) };
    const never = new ReadableStream({ start: (stream) => stream.enqueue(Uint8Array.of(0x1f)) });
    const endless = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(500)) });
    const broken = new ReadableStream({ pull: (stream) => stream.error(new Error('gone')) });
    expect([
      await send(archive, {}),
      await send(archive, { [DIGEST_HEADER]: 'sha256:x' }),
      await send(archive, { [DIGEST_HEADER]: digestOfBytes(Buffer.from('other')) }),
      await send(archive, { ...digest, 'content-length': '999999' }),
      await send(archive, { ...digest, 'content-length': '10' }),
      await send(never, digest),
      await send(endless, digest),
      await send(broken, digest),
    ]).toEqual([
      [400, 'bad_request', 'the header skill-digest must have the digest of the archive'],
      [400, 'bad_request', 'the header skill-digest must have the digest of the archive'],
      [422, 'digest_mismatch', 'the archive does not have the digest in the header'],
      [413, 'too_large', 'the body has more than 2000 bytes'],
      [400, 'bad_request', `the body has ${archive.length} bytes; its header says 10`],
      [400, 'bad_request', 'the body did not arrive within 0.05 seconds'],
      [413, 'too_large', 'the body has more than 2000 bytes'],
      [400, 'bad_request', 'the body broke off'],
    ]);
  });

  test('takes only plain semantic versions and names', async (context) => {
    const world = await openSkillWorld(open, context);
    const statuses: Record<string, number> = {};
    for (const version of [
      '1.0.0+build',
      '1.0',
      'v1.0.0',
      '01.0.0',
      '99999999999999999999.0.0',
      `1.0.0-${'a'.repeat(80)}`,
      '1.0.0%2F..',
      '1.0.0%00',
      "1.0.0'--",
    ])
      statuses[version] = (
        await world.ask('publisher', `PUT skills/@acme/alpha/${version}`, {
          body: packedSkill({ name: 'alpha', version: '1.0.0' }),
          headers: { [DIGEST_HEADER]: digestOfBytes(packedSkill({ name: 'alpha', version: '1.0.0' })) },
        })
      ).status;
    expect(statuses).toEqual({
      '1.0.0+build': 400,
      '1.0': 404,
      'v1.0.0': 404,
      '01.0.0': 404,
      '99999999999999999999.0.0': 400,
      [`1.0.0-${'a'.repeat(80)}`]: 400,
      '1.0.0%2F..': 404,
      '1.0.0%00': 404,
      "1.0.0'--": 404,
    });
    const names: Record<string, number> = {};
    for (const name of ['Alpha', 'a--b', '-a', 'a%2fb', 'а', 'a'.repeat(65), '..'])
      names[name] = (
        await world.ask('publisher', `PUT skills/@acme/${name}/1.0.0`, {
          body: packedSkill({ name: 'alpha', version: '1.0.0' }),
          headers: { [DIGEST_HEADER]: digestOfBytes(packedSkill({ name: 'alpha', version: '1.0.0' })) },
        })
      ).status;
    expect(new Set(Object.values(names))).toEqual(new Set([404]));
  });

  test('refuses names that look like another of the namespace', async (context) => {
    const world = await openSkillWorld(open, context);
    expect((await world.publish('@acme/pdf-tools@1.0.0')).status).toBe(201);
    for (const name of ['pdf-t0ols', 'pdftools', 'pdf-too1s', 'p-d-f-tools'])
      expect(await world.publish(`@acme/${name}@1.0.0`)).toEqual({
        status: 409,
        value: {
          error: {
            code: 'name_taken',
            message: `'${name}' looks like 'pdf-tools', which exists; choose another name`,
          },
        },
      });
    expect(await world.registry.database.query('select name from skills')).toEqual([{ name: 'pdf-tools' }]);
  });

  test('never changes a version', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/alpha@1.0.0');
    const same = await world.publish('@acme/alpha@1.0.0');
    const other = await world.publish('@acme/alpha@1.0.0', { files: { 'a.md': 'a' } });
    expect([same.status, same.value.error, other.status, other.value.error]).toEqual([
      409,
      {
        code: 'version_exists',
        message: 'version 1.0.0 exists already, with the same archive; nothing is left to do',
      },
      409,
      {
        code: 'version_exists',
        message:
          'version 1.0.0 exists already, with another archive; a version never changes: publish a higher one',
      },
    ]);
  });

  test('gives a version to one of twenty who publish it at once, and keeps twenty different ones', async (context) => {
    const world = await openSkillWorld(open, context, { maxUploads: 20 });
    // An account sends two archives at a time.
    const tokens: string[] = [];
    for (let at = 0; at < 10; at++)
      tokens.push(
        await addAccount(world.registry, `publisher-${at}`, { roles: [[world.ownerId, 'publisher']] }),
      );
    const by = (at: number) => ({
      by: 'anonymous' as const,
      headers: { authorization: `Bearer ${tokens[at % tokens.length]}` },
    });
    const raced = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        world.publish('@acme/alpha@1.0.0', { files: { 'a.md': `text ${at}\n` }, ...by(at) }),
      ),
    );
    expect(raced.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(409)]);
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, at) => world.publish(`@acme/alpha@2.${at}.0`, by(at))),
    );
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201]));
    const { value } = await world.call('reader', 'GET skills/@acme/alpha');
    expect([value.latest, value.versions.map(({ version }: { version: string }) => version)]).toEqual([
      '2.19.0',
      [...Array.from({ length: 20 }, (_, at) => `2.${19 - at}.0`), '1.0.0'],
    ]);
  });

  test('needs the right to publish', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/open@1.0.0');
    await world.call('admin', 'PATCH skills/@acme/open', { visibility: 'public' });
    const readOnly = await addAccount(world.registry, 'read-only', {
      roles: [[world.ownerId, 'publisher']],
      scopes: ['read'],
    });
    const statuses = async (address: string) => ({
      anonymous: (await world.publish(address, { by: 'anonymous' })).status,
      stranger: (await world.publish(address, { by: 'stranger' })).status,
      reader: (await world.publish(address, { by: 'reader' })).status,
      reviewer: (await world.publish(address, { by: 'reviewer' })).status,
      elsewhere: (await world.publish(address, { by: 'elsewhere' })).status,
      readOnly: (
        await world.publish(address, { by: 'anonymous', headers: { authorization: `Bearer ${readOnly}` } })
      ).status,
    });
    const hidden = {
      anonymous: 401,
      stranger: 404,
      reader: 403,
      reviewer: 403,
      elsewhere: 404,
      readOnly: 403,
    };
    expect([
      await statuses('@acme/fresh@1.0.0'),
      await statuses('@acme/open@2.0.0'),
      await statuses('@nobody/fresh@1.0.0'),
    ]).toEqual([
      hidden,
      { ...hidden, stranger: 403, elsewhere: 403 },
      { anonymous: 401, stranger: 404, reader: 404, reviewer: 404, elsewhere: 404, readOnly: 404 },
    ]);
    expect(await world.registry.database.query('select name from skills')).toEqual([{ name: 'open' }]);
  });

  test('lets a token for one skill publish that skill alone', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.registry.database.query(
      `update secrets set details = details || '{"skill": "alpha"}', owner_id = $1 where account_id = (select id from accounts where name = 'publisher')`,
      [world.ownerId],
    );
    const { status } = await world.publish('@acme/alpha@1.0.0');
    expect([status, (await world.publish('@acme/beta@1.0.0')).status]).toEqual([201, 404]);
    expect((await world.call('publisher', 'PATCH skills/@acme/alpha/1.0.0', { yanked: 'old' })).status).toBe(
      200,
    );
  });

  test('takes versions from trusted publishers only, where that is asked for', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/alpha@1.0.0');
    const demanded = await world.call('publisher', 'PATCH skills/@acme/alpha', { requireProvenance: true });
    const byHand = await world.publish('@acme/alpha@1.1.0');
    const undone = await world.call('publisher', 'PATCH skills/@acme/alpha', { requireProvenance: false });
    expect([demanded.status, byHand.status, byHand.value.error.code, undone.status]).toEqual([
      200,
      403,
      'forbidden',
      403,
    ]);
    const provenance = {
      kind: 'ci',
      issuer: 'https://ci.test',
      subject: 'repo:acme/alpha',
      repository: 'acme/alpha',
      repositoryId: '7',
      ownerId: '3',
      commit: 'abc',
      ref: 'refs/heads/main',
      workflow: 'publish.yml',
      run: 'https://ci.test/runs/1',
    };
    await world.registry.database.query(
      `update secrets set details = details || jsonb_build_object('provenance', $1::jsonb) where account_id = (select id from accounts where name = 'publisher')`,
      [JSON.stringify(provenance)],
    );
    expect((await world.publish('@acme/alpha@1.1.0')).status).toBe(201);
    expect((await world.call('reader', 'GET skills/@acme/alpha/1.1.0')).value.provenance).toEqual(provenance);
  });
});

function archiveWith(
  text: string,
  entry: { name: string; type?: string; link?: string; body?: string },
): Uint8Array {
  return gzipSync(makeTar([{ name: 'SKILL.md', body: text }, entry]));
}
