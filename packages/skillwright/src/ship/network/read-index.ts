// Reads an index of skills. A bad entry does not affect the others, and common mistakes get a precise message.

import * as z from 'zod';
import {
  catchCoded,
  type Diagnostic,
  diagnose,
  makeVisible,
  type SkillwrightError,
} from '../../base/diagnostics/index.ts';
import { isMapping, isSkillName } from '../../skill/format/index.ts';
import { checkUrl } from './check-url.ts';
import { misunderstood, showUrl } from './network-error.ts';
import { isSafePath } from './safe-path.ts';

/** One checked skill of a domain: its name is safe as a path, its address is absolute. */
export type WellKnownSkill = {
  readonly name: string;
  readonly description: string;
} & (
  | {
      /** One SKILL.md. No digest in conventions that lack one. */
      readonly type: 'skill-md';
      readonly url: string;
      readonly digest?: string | undefined;
    }
  | {
      /** A `.tar.gz` or `.zip` with SKILL.md at its root. */
      readonly type: 'archive';
      readonly url: string;
      /** `sha256:` and 64 hex digits. */
      readonly digest: string;
    }
  | {
      /** Single files below a directory. */
      readonly type: 'files';
      /** The directory, ending with `/`. */
      readonly url: string;
      /** Safe relative paths, including SKILL.md. */
      readonly files: readonly string[];
    }
);

/** Convention a domain follows; null when its index cannot be used. */
type WellKnownVersion = '0.2.0' | '0.1.0' | 'default' | null;

/** Skills found at a domain. */
export interface WellKnown {
  readonly version: WellKnownVersion;
  /** Final URL after redirects. */
  readonly url: string;
  readonly skills: readonly WellKnownSkill[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Identifies version 0.2.0 of the convention. It is compared, never fetched. */
export const INDEX_SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

/** Entries read from one index. */
export const MAX_INDEX_ENTRIES = 10_000;
const MAX_DIAGNOSTICS = 100;
const MAX_FILES = 1000;
const DESCRIPTION_CUT = 4096;

/** The outer shape; entries are checked one by one. */
export const IndexShape = z.looseObject({ $schema: z.unknown().optional(), skills: z.array(z.unknown()) });

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Reads an index that came from `url`. A bad entry becomes a diagnostic. */
export function readIndex(index: z.output<typeof IndexShape>, url: string): WellKnown {
  const where = showUrl(url);
  const diagnostics: Diagnostic[] = [];
  const leave = (why: string, help?: string) =>
    diagnostics.push(diagnose('W215', { where, why }, help === undefined ? {} : { help }));
  const { $schema, skills: entries } = index;
  if ($schema !== undefined && $schema !== INDEX_SCHEMA) {
    leave(`unknown $schema ${quote($schema)}; the index is ignored`, `expected ${INDEX_SCHEMA}`);
    return { version: null, url, skills: [], diagnostics };
  }
  const version = $schema === undefined ? '0.1.0' : '0.2.0';
  if (entries.length > MAX_INDEX_ENTRIES)
    leave(`${entries.length} entries; only the first ${MAX_INDEX_ENTRIES} are read`);
  const skills = new Map<string, WellKnownSkill>();
  let silent = 0;
  for (const [position, entry] of entries.slice(0, MAX_INDEX_ENTRIES).entries()) {
    const read = version === '0.2.0' ? readEntry(entry, url) : readOldEntry(entry, url);
    const problem =
      'problem' in read ? read : skills.has(read.name) ? { problem: 'a duplicate name' } : undefined;
    if (problem === undefined) skills.set((read as WellKnownSkill).name, read as WellKnownSkill);
    else if (diagnostics.length < MAX_DIAGNOSTICS)
      leave(`entry ${position + 1}${mentionName(entry)}: ${problem.problem}`, problem.help);
    else silent += 1;
  }
  if (silent > 0) leave(`${silent} more entries`);
  return { version, url, skills: [...skills.values()], diagnostics };
}

interface Problem {
  readonly problem: string;
  readonly help?: string;
}

const quote = (value: unknown) => makeVisible((JSON.stringify(value) ?? String(value)).slice(0, 120));

function mentionName(entry: unknown): string {
  const name = isMapping(entry) ? entry.name : undefined;
  return typeof name === 'string' ? ` (${quote(name)})` : '';
}

/** The fields both versions share. */
function readCommon(
  entry: unknown,
): Problem | { name: string; description: string; fields: Record<string, unknown> } {
  if (!isMapping(entry)) return { problem: 'not an object' };
  const { name, description } = entry;
  if (typeof name !== 'string') return { problem: "no 'name'" };
  if (!isSkillName(name)) return { problem: 'the name is not a skill name' };
  if (typeof description !== 'string' || description.trim() === '') return { problem: "no 'description'" };
  return { name, description: description.trim().slice(0, DESCRIPTION_CUT), fields: entry };
}

function readEntry(entry: unknown, base: string): Problem | WellKnownSkill {
  const common = readCommon(entry);
  if ('problem' in common) return common;
  const { name, description, fields } = common;
  const { type, url, digest } = fields;
  if (type === undefined && Array.isArray(fields.files)) {
    const help = 'give type, url and digest, or leave out $schema';
    return { problem: "has 'files', which belongs to version 0.1.0", help };
  }
  if (type !== 'skill-md' && type !== 'archive') {
    const help = "the types are 'skill-md' and 'archive'";
    return { problem: type === undefined ? "no 'type'" : `unknown type ${quote(type)}`, help };
  }
  if (typeof url !== 'string' || url.trim() === '') return { problem: "no 'url'" };
  if (typeof digest !== 'string') {
    const help = "write it as digest: 'sha256:<64 hex digits>'";
    if (digest === undefined && fields.sha256 !== undefined)
      return { problem: "has 'sha256' where 'digest' belongs", help };
    return { problem: "no 'digest'", help };
  }
  if (!DIGEST.test(digest)) {
    const help = "write it as 'sha256:' and 64 lower-case hex digits";
    return { problem: `an invalid digest: ${quote(digest)}`, help };
  }
  const target = absolute(url, base);
  return typeof target === 'string' ? { name, description, type, url: target, digest } : target;
}

function readOldEntry(entry: unknown, base: string): Problem | WellKnownSkill {
  const common = readCommon(entry);
  if ('problem' in common) return common;
  const { name, description, fields } = common;
  const { files } = fields;
  if (!Array.isArray(files)) {
    const isNew = fields.url !== undefined || fields.digest !== undefined;
    const help = `an index of version 0.2.0 has "$schema": "${INDEX_SCHEMA}"`;
    return isNew ? { problem: "no 'files', and the index has no $schema", help } : { problem: "no 'files'" };
  }
  if (files.length > MAX_FILES) return { problem: `${files.length} files; at most ${MAX_FILES} are allowed` };
  const unsafe = files.find((file) => typeof file !== 'string' || !isSafePath(file));
  if (unsafe !== undefined) return { problem: `an unsafe path: ${quote(unsafe)}` };
  if (!files.includes('SKILL.md')) return { problem: "no SKILL.md among its 'files'" };
  if (new Set(files.map((file: string) => file.normalize('NFC').toLowerCase())).size < files.length)
    return { problem: 'two files whose paths differ only in case' };
  const target = absolute(`${name}/`, base);
  return typeof target === 'string' ? { name, description, type: 'files', url: target, files } : target;
}

/** A URL of the index, made absolute and checked by its spelling. */
function absolute(url: string, base: string): string | Problem {
  if (!URL.canParse(url, base)) return { problem: `an invalid url: ${quote(url)}` };
  const target = new URL(url, base);
  if (target.protocol === 'http:' && base.startsWith('https:'))
    return { problem: 'the url changes from https to http' };
  return catchCoded(
    () => checkUrl(target).href,
    ({ message, detail }) => ({ problem: `${message}: ${detail?.trim()}` }),
  );
}

/** E215 for an index whose outer shape is wrong, worded for its publisher. */
export function indexProblem(value: unknown, url: string): SkillwrightError {
  if (Array.isArray(value)) return misunderstood(url, "a list where an object with 'skills' belongs");
  if (!isMapping(value)) return misunderstood(url, "no object with 'skills'");
  return misunderstood(url, value.skills === undefined ? "no 'skills'" : "'skills' is not a list");
}
