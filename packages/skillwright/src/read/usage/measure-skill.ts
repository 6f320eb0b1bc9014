// What a whole skill would cost a model.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { decodeText, MAX_TEXT_BYTES, readInside, walkTree } from '../../base/files/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';

/** The tokens of all text files of a skill as it is now; 0 when it cannot be read. */
export function measureSkill(dir: string): number {
  let tokens = 0;
  for (const { path, kind } of walkTree(dir).entries) if (kind === 'file') tokens += measureFile(dir, path);
  return tokens;
}

function measureFile(dir: string, path: string): number {
  try {
    const bytes = readInside(dir, path, { maxBytes: MAX_TEXT_BYTES });
    const decoded = bytes === undefined ? undefined : decodeText(bytes);
    return decoded === undefined || decoded.binary ? 0 : estimateTokens(decoded.text);
  } catch (error) {
    // What cannot be read cannot be loaded either.
    if (error instanceof SkillwrightError) return 0;
    throw error;
  }
}
