// Measures the token cost of a whole skill.

import { join } from 'node:path';
import { attempt } from '../../base/diagnostics/index.ts';
import { isEvalFile, readTextInside, walkTree } from '../../base/files/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import { buildRecord } from '../../skill/skill/index.ts';
import { OWN_DIRECTORY } from '../../skill/workspace/index.ts';
import { type FileRow, indexPath, isSameStat, readIndexedFiles, statSkillFile } from '../index/index.ts';
import type { UsedSkill } from './read-usage.ts';

/**
 * Tokens of all current text files of a skill except its evals; 0 when it cannot be read. With the runtime directory, files that are
 * unchanged since they were indexed are not read again.
 */
export function measureSkill(dir: string, compiled?: CompiledPlace): number {
  const known = compiled && indexedFiles(dir, compiled);
  let tokens = 0;
  for (const { path, kind } of walkTree(dir).entries)
    if (kind === 'file' && !isEvalFile(path))
      tokens += knownTokens(dir, known?.get(path)) ?? measureFile(dir, path);
  return tokens;
}

type CompiledPlace = Pick<UsedSkill, 'runtime' | 'home'>;

/** Without a usable index that skc made, every file is read. */
function indexedFiles(dir: string, { runtime, home }: CompiledPlace) {
  if (home === undefined) return undefined;
  const path = indexPath(join(runtime, OWN_DIRECTORY), dir);
  return attempt(() => readIndexedFiles(path, { sourceDir: dir, record: buildRecord(home) }));
}

function knownTokens(dir: string, row: FileRow | undefined): number | undefined {
  const stat = row && attempt(() => statSkillFile(dir, row.path));
  return stat && isSameStat(stat, row) ? row.tokens : undefined;
}

function measureFile(dir: string, path: string): number {
  // An unreadable file cannot be loaded either.
  const text = attempt(() => readTextInside(dir, path));
  return text === undefined ? 0 : estimateTokens(text);
}
