// Operations of a session: session.save, session.resume.

import * as z from 'zod';
import { ActiveSkill, LoadedSkill, SavedSession, wireSkill } from '../../../host/runtime/index.ts';
import { defineOperation } from '../define-command.ts';
import { listsSkills, Remark, SkillMetadata } from './wire-shapes.ts';

/** Returns the input of resumeSession. */
export const saveSession = defineOperation({
  input: z.strictObject({}),
  output: SavedSession,
  ...listsSkills,
  run: async (_params, connection) => (await connection.session()).save(),
});

/** Resumes a session and reports what changed. */
export const resumeSession = defineOperation({
  input: z.strictObject({ saved: z.record(z.string(), z.unknown()).describe('The result of session.save') }),
  output: z.strictObject({
    unchanged: z.array(LoadedSkill),
    changed: z.array(LoadedSkill).describe('Skills whose text has changed'),
    vanished: z.array(LoadedSkill).describe('Skills that are now removed, disabled, denied or unreadable'),
    added: z.array(SkillMetadata).describe('Skills added since'),
    active: z.array(ActiveSkill).describe('Skills whose tools are active again'),
    diagnostics: z.array(Remark).describe('Saved items that no longer hold, and why'),
  }),
  ...listsSkills,
  async run({ saved }, connection) {
    const { added, ...rest } = await (await connection.session()).resume(saved);
    return { ...rest, added: added.map(wireSkill) };
  },
});
