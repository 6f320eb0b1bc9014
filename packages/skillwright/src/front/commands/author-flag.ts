// `--author`, the same on every command that gives content.

import * as z from 'zod';

/** Somebody reads what they wrote themselves. */
export const author = z.boolean().default(false).describe('Skip the quiz, because you wrote the skill');
