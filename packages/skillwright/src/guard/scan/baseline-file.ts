// Reads baselines: JSON files of one version, written by skc and kept in a project.

import type * as z from 'zod';
import { describeIssue, orUndefined, SkillwrightError } from '../../base/diagnostics/index.ts';
import { readRegularFile } from '../../base/files/index.ts';

/** The content of a baseline; undefined for a missing one that may be new. Otherwise the code says why it is unusable. */
export function readBaselineFile<Content>(
  path: string,
  options: {
    readonly schema: z.ZodType<Content>;
    readonly maxBytes: number;
    readonly code: 'E223' | 'E261';
    readonly isNew: boolean;
  },
): Content | undefined {
  const { schema, maxBytes, code, isNew } = options;
  const unusable = (why: string) => SkillwrightError.of(code, { path, why });
  let bytes: Buffer | undefined;
  try {
    bytes = readRegularFile(path, { maxBytes });
  } catch (error) {
    throw unusable(error instanceof Error ? error.message : 'it cannot be read');
  }
  if (bytes === undefined) {
    if (isNew) return undefined;
    throw unusable('it does not exist');
  }
  const json = orUndefined(() => JSON.parse(bytes.toString('utf8')) as unknown);
  if (json === undefined) throw unusable('not JSON');
  const version = typeof json === 'object' && json !== null && 'version' in json ? json.version : undefined;
  if (typeof version === 'number' && version > 1) throw unusable('a newer skc wrote it');
  const { data, error } = schema.safeParse(json);
  if (data !== undefined) return data;
  const issue = error!.issues[0]!;
  const place = issue.path.join('.');
  throw unusable(`${place === '' ? 'it' : place} ${describeIssue(issue)}`);
}
