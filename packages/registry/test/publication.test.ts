import { expect, test } from 'vitest';
import { onBothDatabases } from './open-test-registry.ts';
import { openSkillWorld } from './skill-world.ts';

onBothDatabases('publication', (open) => {
  test('makes a version that can be found, read and fetched', async (context) => {
    const world = await openSkillWorld(open, context);
    const published = await world.publish('@acme/alpha@1.0.0');
    expect(published).toEqual({
      status: 201,
      value: {
        version: '1.0.0',
        archive: expect.stringMatching(/^sha256:/),
        document: expect.stringMatching(/^sha256:/),
        published: expect.any(String),
        yanked: null,
        quarantined: null,
        purged: null,
        installable: { answer: 'yes', reasons: [] },
      },
    });
    const index = await world.call('reader', 'GET skills/@acme/alpha');
    expect(index).toEqual({
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
  });
});
