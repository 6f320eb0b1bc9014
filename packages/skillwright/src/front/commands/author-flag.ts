// `--author`, the same on every command that returns content.

import * as z from 'zod';

/** Says that the caller wrote the skill. */
export const author = z.boolean().default(false).describe('Skip the quiz, because you wrote the skill');
