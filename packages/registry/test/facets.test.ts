// Values that filters offer: counted rarely, and never while somebody waits for a page.

import { expect, test } from 'vitest';
import { anonymous } from '../src/access/caller.ts';
import { readFacets } from '../src/search/read-facets.ts';
import { insertSkill } from './insert-skill.ts';
import { onBothDatabases } from './open-test-registry.ts';

onBothDatabases('facets', (open) => {
  test('are shown while the next are counted, and counted again when they are too old to show', async (context) => {
    const { registry, pass } = await open(context);
    const tags = async () => (await readFacets(registry, anonymous)).tags;
    await insertSkill(registry, { name: 'moon', tags: ['night'] });
    expect(await tags()).toEqual(['night']);
    await insertSkill(registry, { name: 'sun', tags: ['day'] });
    expect(await tags()).toEqual(['night']);
    pass(20_000);
    expect(await tags()).toEqual(['night']);
    await expect.poll(tags).toEqual(['day', 'night']);
    await insertSkill(registry, { name: 'rain', tags: ['day'] });
    await insertSkill(registry, { name: 'dusk', tags: ['evening'] });
    pass(70_000);
    expect(await tags()).toEqual(['day', 'evening', 'night']);
  });
});
