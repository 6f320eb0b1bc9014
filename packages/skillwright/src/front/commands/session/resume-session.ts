// Taking a saved session up.

import * as z from 'zod';
import { ActiveSkill, LoadedSkill, wireSkill } from '../../../host/runtime/index.ts';
import { defineOperation } from '../define-command.ts';
import { Remark, SkillMetadata } from './wire-shapes.ts';

/** Takes a session up and compares. */
export const resumeSession = defineOperation({
  input: z.strictObject({ saved: z.record(z.string(), z.unknown()).describe('What session.save gave') }),
  output: z.strictObject({
    unchanged: z.array(LoadedSkill),
    changed: z.array(LoadedSkill).describe('Another text now'),
    vanished: z.array(LoadedSkill).describe('Removed, switched off, denied or unreadable now'),
    added: z.array(SkillMetadata).describe('Not there then'),
    active: z.array(ActiveSkill).describe('Skills whose tools are there again'),
    diagnostics: z.array(Remark).describe('What was saved and does not hold again, and why'),
  }),
  effect: 'read',
  writes: [],
  touches: { skills: 'list' },
  async run({ saved }, connection) {
    const { added, ...rest } = await (await connection.session()).resume(saved);
    return { ...rest, added: added.map(wireSkill) };
  },
});
