// What a whole skill would cost a model.

import { catchCoded } from '../../base/diagnostics/index.ts';
import { readTextInside, walkTree } from '../../base/files/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';

/** The tokens of all text files of a skill as it is now; 0 when it cannot be read. */
export function measureSkill(dir: string): number {
  let tokens = 0;
  for (const { path, kind } of walkTree(dir).entries) if (kind === 'file') tokens += measureFile(dir, path);
  return tokens;
}

function measureFile(dir: string, path: string): number {
  // What cannot be read cannot be loaded either.
  const text = catchCoded(
    () => readTextInside(dir, path),
    () => undefined,
  );
  return text === undefined ? 0 : estimateTokens(text);
}
