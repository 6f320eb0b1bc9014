// Taking a saved session up.

import * as z from 'zod';
import { LoadedSkill, SavedSession, wireSkill } from '../../../host/runtime/index.ts';
import { defineOperation } from '../define-command.ts';
import { SkillMetadata } from './wire-shapes.ts';

/** Takes a session up and compares. */
export const resumeSession = defineOperation({
  input: z.strictObject({ saved: SavedSession.describe('What session.save gave') }),
  output: z.strictObject({
    unchanged: z.array(LoadedSkill),
    changed: z.array(LoadedSkill).describe('Another text now'),
    vanished: z.array(LoadedSkill).describe('Removed, switched off, denied or unreadable now'),
    added: z.array(SkillMetadata).describe('Not there then'),
  }),
  effect: 'read',
  writes: [],
  touches: { skills: 'list' },
  async run({ saved }, connection) {
    const { added, ...rest } = await (await connection.session()).resume(saved);
    return { ...rest, added: added.map(wireSkill) };
  },
});
