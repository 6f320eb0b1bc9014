// A catalogued skill as it is now: what the catalog knows may be older than the file.

import { realpathSync, statSync } from 'node:fs';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  decodeText,
  isMissing,
  MAX_TEXT_BYTES,
  readError,
  readInside,
  sha256,
} from '../../base/files/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { readFrontmatter } from '../../skill/format/index.ts';
import { SKILL_FILE } from '../../skill/places/index.ts';

/** The content of a SKILL.md. */
export interface ReadSkill {
  /** The whole file, without a byte order mark, lines ended by LF. */
  readonly text: string;
  /** What follows the frontmatter, lines ended by LF, blank lines around it removed. */
  readonly body: string;
  /** Line of the file where the body starts. */
  readonly bodyLine: number;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** SHA-256 of the bytes. */
  readonly digest: string;
  readonly mtimeMs: number;
}

/** Reads the SKILL.md of a record. E001 when it is gone, E012 when it leads out, E014 or E015 when it cannot be read. */
export function readSkill(record: SkillRecord): ReadSkill {
  // A directory that has become a link since it was listed is another skill, whatever it is called.
  if (realPath(record.dir) !== record.dir) throw vanished(record);
  const bytes = readInside(record.dir, SKILL_FILE, { maxBytes: MAX_TEXT_BYTES });
  if (bytes === undefined) throw vanished(record);
  const { text, valid } = decodeText(bytes);
  if (!valid || text.includes('\0'))
    throw SkillwrightError.of('E015', { path: record.path, why: 'it is not UTF-8 text' });
  const { data, body, bodyLine, problems } = readFrontmatter(text);
  if (data === undefined) {
    const why = problems.at(-1)?.message ?? 'no frontmatter';
    throw SkillwrightError.of('E014', { path: record.path, why });
  }
  const lines = unixLines(body);
  return {
    text: unixLines(text.replace(/^\ufeff/, '')),
    body: lines.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd(),
    bodyLine: bodyLine + (/^(?:[^\S\n]*\n)+/.exec(lines)?.[0].split('\n').length ?? 1) - 1,
    frontmatter: data,
    digest: sha256(bytes),
    mtimeMs: statSync(record.path, { throwIfNoEntry: false })?.mtimeMs ?? record.mtimeMs,
  };
}

/** E001 for a skill that was listed and is no longer there. */
function vanished(record: SkillRecord): SkillwrightError {
  return SkillwrightError.of(
    'E001',
    { skill: record.name },
    { help: 'it was removed after it was listed', data: { reason: 'vanished', path: record.path } },
  );
}

const unixLines = (text: string) => text.replace(/\r\n?/g, '\n');

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw readError(path, error);
  }
}
