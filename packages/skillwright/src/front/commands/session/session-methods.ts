// Methods about the session itself: prompt, context, saving, permissions, requests.

import * as z from 'zod';
import {
  CompactedSkills,
  LoadedSkill,
  ResumeReport,
  SavedSession,
  SessionStatus,
} from '../../../host/answers/index.ts';
import { wireSkill } from '../../../host/runtime/index.ts';
import { type CatalogFormat, catalogRenderers } from '../../../read/catalog/index.ts';
import { PermissionRule } from '../../../skill/config/index.ts';
import { listsSkills, method, onConnection, SkillCatalog, wireCatalog, withReference } from './method.ts';

const formats = Object.keys(catalogRenderers) as [CatalogFormat, ...CatalogFormat[]];

/** The methods, in the order a client meets them. */
export const sessionMethods = {
  'context.prompt': method({
    summary: 'Get the list of skills for the system prompt',
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
    answer: (how, session) => session.prompt(how),
  }),
  'context.inspect': method({
    summary: 'Show the state: loaded skills, prompt usage and catalogs',
    input: z.strictObject({ include_skills: z.boolean().default(false) }),
    output: SessionStatus.omit({ loaded_versions: true }).extend({
      loadedSkillVersions: z.array(LoadedSkill),
      skillsCatalogByCwd: z
        .record(z.string(), SkillCatalog)
        .optional()
        .describe('With include_skills: the catalog of every directory requested so far'),
    }),
    ...listsSkills,
    async answer({ include_skills }, own, connection) {
      const { loaded_versions: loadedSkillVersions, ...report } = await own.inspect();
      if (!include_skills) return { ...report, loadedSkillVersions };
      const sessions = [...(await connection.sessions())];
      const catalogs = await Promise.all(
        sessions.map(async ([cwd, session]) => [cwd, wireCatalog(await session.catalog())] as const),
      );
      return { ...report, loadedSkillVersions, skillsCatalogByCwd: Object.fromEntries(catalogs) };
    },
  }),
  'context.compacted': method({
    summary: 'Report that the conversation was shortened, so that skills are sent again when needed',
    input: z.strictObject({
      kept: z
        .array(z.string())
        .default([])
        .describe('Skills whose text is still in the conversation, by name or path'),
    }),
    output: CompactedSkills,
    ...listsSkills,
    answer: (params, session) => session.compacted(params),
  }),
  'session.save': method({
    summary: 'Get a snapshot to resume the session later',
    input: z.strictObject({}),
    output: SavedSession,
    ...listsSkills,
    answer: (_params, session) => session.save(),
  }),
  'session.resume': method({
    summary: 'Resume a saved session, and get what has changed since',
    input: z.strictObject({
      saved: z.record(z.string(), z.unknown()).describe('The result of session.save'),
    }),
    output: ResumeReport,
    ...listsSkills,
    async answer({ saved }, session) {
      const { added, ...rest } = await session.resume(saved);
      return { ...rest, added: added.map(wireSkill) };
    },
  }),
  'permissions.check': method({
    summary: 'Check the rules for a tool and a skill',
    input: z.strictObject({
      tool: z.string().min(1).default('skill_load'),
      name: z.string().optional(),
      path: z.string().optional(),
    }),
    output: z.strictObject({
      effect: z.enum(['allow', 'deny', 'confirm']),
      layer: z.enum(['built-in', 'user', 'project', 'default']).describe('Where the rule comes from'),
      rule: PermissionRule.nullable(),
    }),
    ...listsSkills,
    answer: (question, session) => session.permissions.check(question),
  }),
  'permissions.remember': method({
    summary: 'Allow a skill that the user has confirmed',
    input: withReference({
      tool: z
        .enum(['skill_load', 'skill_run'])
        .default('skill_load')
        .describe('The confirmed operation: tool in the data of E061'),
      persist: z.boolean().default(true).describe('False: only for this session and the current files'),
    }),
    output: z.strictObject({ remembered: z.boolean().describe('False when it holds for this session only') }),
    writes: ['state'],
    touches: { skill: 'name', operation: 'read' },
    answer: async ({ tool, persist, ...reference }, { permissions }) => ({
      remembered: await permissions.remember(reference, { tool, persist }),
    }),
  }),
  'requests.cancel': onConnection({
    summary: 'Cancel a running request and everything it started',
    input: z.strictObject({ id: z.union([z.string(), z.number()]).describe('Id of the request to cancel') }),
    output: z.strictObject({
      cancelled: z.boolean().describe('False when no such request is running'),
    }),
    writes: [],
    touches: 'nothing',
    async run({ id }, connection) {
      const request = connection.requests.get(id);
      request?.abort();
      return { cancelled: request !== undefined };
    },
  }),
};
