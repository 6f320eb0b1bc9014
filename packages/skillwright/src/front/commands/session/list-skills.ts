// skills.list: the catalog of a folder.

import * as z from 'zod';
import { defineOperation } from '../define-command.ts';
import { Directory, SkillCatalog, wireCatalog } from './wire-shapes.ts';

/** Lists the skills of a folder. */
export const listSkills = defineOperation({
  input: z.strictObject({
    cwd: Directory.optional().describe('Another directory; it is trusted if it is inside the trusted folder'),
    force_reload: z.boolean().default(false).describe('Read configuration and skills from disk again'),
  }),
  output: SkillCatalog,
  effect: 'read',
  writes: ['cache'],
  touches: { skills: 'list' },
  async run({ cwd, force_reload }, connection) {
    const session = await connection.session(cwd);
    return wireCatalog(await session.catalog({ reload: force_reload }));
  },
});
