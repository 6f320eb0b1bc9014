// Operations of a session: context.prompt, context.inspect, context.compacted.

import * as z from 'zod';
import { LoadedSkill } from '../../../host/runtime/index.ts';
import { type CatalogFormat, catalogRenderers } from '../../../read/catalog/index.ts';
import { defineOperation } from '../define-command.ts';
import { listsSkills, SkillCatalog, wireCatalog } from './wire-shapes.ts';

const formats = Object.keys(catalogRenderers) as [CatalogFormat, ...CatalogFormat[]];

/** Returns the text to inject. */
export const showPrompt = defineOperation({
  input: z.strictObject({
    renderer: z.enum(formats).default('available-skills').describe('Format of the list'),
    budgets: z
      .strictObject({
        entries: z.int().nonnegative().optional(),
        bytes: z.int().nonnegative().optional(),
        tokens: z.int().nonnegative().optional(),
      })
      .default({})
      .describe('Upper limits of the list; the configuration sets those you leave out'),
  }),
  output: z.strictObject({
    text: z.string().describe('Text for the system prompt; empty when there are no skills'),
    shown: z.int().describe('Skills in the text'),
    shortened: z.int().describe('Skills with a shortened description'),
    missing: z.int().describe('Skills that do not fit; the text says how to find them'),
    incomplete: z
      .boolean()
      .describe('Whether a limit cut discovery short, so that a search cannot find the rest'),
    bytes: z.int(),
    tokens: z.int().describe('Estimated tokens'),
  }),
  ...listsSkills,
  writes: ['cache'],
  async run({ renderer, budgets: { entries, bytes, tokens } }, connection) {
    const budgets = {
      ...(entries === undefined ? {} : { entries }),
      ...(bytes === undefined ? {} : { bytes }),
      ...(tokens === undefined ? {} : { tokens }),
    };
    return (await connection.session()).prompt({ renderer, budgets });
  },
});

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
  ...listsSkills,
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

/** Forgets which texts the model has, except those the host kept. */
export const contextCompacted = defineOperation({
  input: z.strictObject({
    kept: z
      .array(z.string())
      .default([])
      .describe('Skills whose text is still in the conversation, by name or path'),
  }),
  output: z.strictObject({
    skills: z.array(LoadedSkill).describe('Skills whose text is gone; loading them sends it again'),
    kept: z.array(LoadedSkill),
    unknown: z.array(z.string()).describe('Entries of kept that match no loaded skill, or more than one'),
    text: z
      .string()
      .describe(
        'Add it to the shortened conversation: it lists the skills in use; empty when there are none',
      ),
  }),
  ...listsSkills,
  async run(params, connection) {
    const { skills, kept, unknown, text } = (await connection.session()).compacted(params);
    return { skills: [...skills], kept: [...kept], unknown: [...unknown], text };
  },
});
