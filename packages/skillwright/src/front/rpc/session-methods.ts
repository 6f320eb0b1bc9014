// Methods about the conversation: its state, what survives it, and what the user allows.

import * as z from 'zod';
import { LoadedSkill, SavedSession, wireSkill } from '../../host/runtime/index.ts';
import { PermissionRule } from '../../skill/config/index.ts';
import { defineMethod } from './define-method.ts';
import { SkillCatalog, SkillMetadata, wireCatalog, withReference } from './wire-shapes.ts';

const Use = z.strictObject({ used: z.int(), limit: z.int() });

/** `context.inspect` */
export const inspectContext = defineMethod({
  summary: 'Show the state: what was loaded, how full the prompt is, and the catalogs',
  params: z.strictObject({ include_skills: z.boolean().default(false) }),
  result: z.strictObject({
    session_id: z.string(),
    cwd: z.string(),
    trusted: z.boolean(),
    loadedSkillVersions: z.array(LoadedSkill),
    budget: z.strictObject({
      entries: Use,
      bytes: Use,
      tokens: z.strictObject({ used: z.int(), limit: z.int().nullable() }),
      shortened: z.int().describe('Skills with a shortened description'),
      missing: z.int().describe('Skills without room in the prompt'),
    }),
    skillsCatalogByCwd: z
      .record(z.string(), SkillCatalog)
      .optional()
      .describe('With include_skills: every directory that was asked about'),
  }),
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

/** `context.compacted` */
export const contextCompacted = defineMethod({
  summary: 'Say that the conversation was shortened, so that texts are sent again when they are asked for',
  params: z.strictObject({}),
  result: z.strictObject({
    skills: z.array(LoadedSkill),
    text: z
      .string()
      .describe('For the shortened conversation: which skills were in use; empty when none was'),
  }),
  run: async (_params, connection) => (await connection.session()).compacted(),
});

/** `session.save` */
export const saveSession = defineMethod({
  summary: 'Get what is needed to take the session up later',
  params: z.strictObject({}),
  result: SavedSession,
  run: async (_params, connection) => (await connection.session()).save(),
});

/** `session.resume` */
export const resumeSession = defineMethod({
  summary: 'Take a saved session up, and hear what has changed since',
  params: z.strictObject({ saved: SavedSession.describe('What session.save gave') }),
  result: z.strictObject({
    unchanged: z.array(LoadedSkill),
    changed: z.array(LoadedSkill).describe('Another text now'),
    vanished: z.array(LoadedSkill).describe('Removed, switched off, denied or unreadable now'),
    added: z.array(SkillMetadata).describe('Not there then'),
  }),
  async run({ saved }, connection) {
    const { added, ...rest } = await (await connection.session()).resume(saved);
    return { ...rest, added: added.map(wireSkill) };
  },
});

/** `permissions.check` */
export const checkPermission = defineMethod({
  summary: 'Ask what the rules say about a tool, and about a skill',
  params: z.strictObject({
    tool: z.string().min(1).default('skill_load'),
    name: z.string().optional(),
    path: z.string().optional(),
  }),
  result: z.strictObject({
    effect: z.enum(['allow', 'deny', 'confirm']),
    layer: z.enum(['built-in', 'user', 'project', 'default']).describe('Who made the rule'),
    rule: PermissionRule.nullable(),
  }),
  run: async (question, connection) => (await connection.session()).permissions.check(question),
});

/** `permissions.remember` */
export const rememberPermission = defineMethod({
  summary: 'Allow a skill that the user has confirmed',
  params: withReference({
    persist: z.boolean().default(true).describe('False: for this session and the text of now alone'),
  }),
  result: z.strictObject({ remembered: z.boolean().describe('False when it holds for this session alone') }),
  async run({ persist, ...reference }, connection) {
    const { permissions } = await connection.session();
    return { remembered: await permissions.remember(reference, { persist }) };
  },
});
