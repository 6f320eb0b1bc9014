// Measures the token cost of a skill and its files.

import { join } from 'node:path';
import { attempt } from '../../base/diagnostics/index.ts';
import { isEvalFile, readTextInside, walkTree } from '../../base/files/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import { buildRecord } from '../../skill/skill/index.ts';
import { OWN_DIRECTORY } from '../../skill/workspace/index.ts';
import { type FileRow, indexPath, isSameStat, readIndexedFiles, statSkillFile } from '../index/index.ts';
import type { UsedSkill } from './read-usage.ts';

/** Tokens of all current text files of a skill except its evals; 0 when it cannot be read. */
export function measureSkill(dir: string): number {
  let tokens = 0;
  for (const { path, kind } of walkTree(dir).entries)
    if (kind === 'file' && !isEvalFile(path)) tokens += measureFile(dir, path) ?? 0;
  return tokens;
}

/**
 * A function that measures the files of a skill, each once: the tokens of a text file, undefined for any other. Files that
 * are unchanged since they were indexed are not read again.
 */
export function createFileMeasure({ dir, runtime, home }: UsedSkill): (file: string) => number | undefined {
  const measured = new Map<string, number | undefined>();
  // Without a usable index that skc made, every file is read.
  const index = () => {
    const path = indexPath(join(runtime, OWN_DIRECTORY), dir);
    const record = home === undefined ? undefined : buildRecord(home);
    return record && attempt(() => readIndexedFiles(path, { sourceDir: dir, record }));
  };
  let known: ReturnType<typeof index> | null = null;
  return (file) => {
    if (!measured.has(file)) {
      known = known === null ? index() : known;
      measured.set(file, knownTokens(dir, known?.get(file)) ?? measureFile(dir, file));
    }
    return measured.get(file);
  };
}

function knownTokens(dir: string, row: FileRow | undefined): number | undefined {
  const stat = row && attempt(() => statSkillFile(dir, row.path));
  return stat && isSameStat(stat, row) ? row.tokens : undefined;
}

/** Undefined for a file that cannot be read: it cannot be loaded either. */
function measureFile(dir: string, path: string): number | undefined {
  const text = attempt(() => readTextInside(dir, path));
  return text === undefined ? undefined : estimateTokens(text);
}
