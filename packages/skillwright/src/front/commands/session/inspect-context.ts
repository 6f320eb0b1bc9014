// context.inspect: show the state of a session.

import * as z from 'zod';
import { LoadedSkill } from '../../../host/runtime/index.ts';
import { defineOperation } from '../define-command.ts';
import { SkillCatalog, wireCatalog } from './wire-shapes.ts';

const Use = z.strictObject({ used: z.int(), limit: z.int() });

/** Returns the state. */
export const inspectContext = defineOperation({
  input: z.strictObject({ include_skills: z.boolean().default(false) }),
  output: z.strictObject({
    session_id: z.string(),
    cwd: z.string(),
    trusted: z.boolean(),
    loadedSkillVersions: z.array(LoadedSkill),
    budget: z.strictObject({
      entries: Use,
      bytes: Use,
      tokens: z.strictObject({ used: z.int(), limit: z.int().nullable() }),
      shortened: z.int().describe('Skills with a shortened description'),
      missing: z.int().describe('Skills that do not fit into the prompt'),
    }),
    skillsCatalogByCwd: z
      .record(z.string(), SkillCatalog)
      .optional()
      .describe('With include_skills: the catalog of every directory requested so far'),
  }),
  effect: 'read',
  writes: [],
  touches: { skills: 'list' },
  async run({ include_skills }, connection) {
    const own = await connection.session();
    const { loaded_versions: loadedSkillVersions, ...report } = await own.inspect();
    if (!include_skills) return { ...report, loadedSkillVersions };
    const sessions = [...(await connection.sessions())];
    const catalogs = await Promise.all(
      sessions.map(async ([cwd, session]) => [cwd, wireCatalog(await session.catalog())] as const),
    );
    return { ...report, loadedSkillVersions, skillsCatalogByCwd: Object.fromEntries(catalogs) };
  },
});
