// What sources said about installed skills the last time they were asked. Commands that do not use the network show it.

import { join } from 'node:path';
import * as z from 'zod';
import {
  type Diagnostic,
  diagnose,
  hideSecrets,
  makeVisible,
  SkillwrightError,
} from '../../../base/diagnostics/index.ts';
import { readState, updateState, type Workspace } from '../../../skill/workspace/index.ts';
import type { LockedSkill } from '../lock/lock.ts';
import type { SourceNotice } from './fetched-source.ts';

/** More skills than this are not remembered: the oldest go. */
const MAX_REMEMBERED = 1000;
const MAX_TEXT = 300;
const MAX_NOTICES = 5;

const Notice = z.object({
  kind: z.enum(['yanked', 'quarantined', 'deprecated', 'advisory']),
  text: z.string(),
});

const News = z.object({
  /** Of the files that were installed then: other files, other news. */
  digest: z.string(),
  checked_at: z.string(),
  /** What update would install, where that is something else. */
  wanted: z.string().nullable(),
  latest: z.string().nullable(),
  notices: z.array(Notice),
});

/** What was heard of one installed skill. */
export type SourceNews = z.output<typeof News>;

/** The news of all installed skills. */
export interface NewsReader {
  /** Undefined when nothing was heard of what is installed now. */
  of(skill: InstalledName): SourceNews | undefined;
}

/** An installed skill by the lock that has it. */
export interface InstalledName {
  readonly lock: string;
  readonly name: string;
  readonly entry: Pick<LockedSkill, 'digest'>;
}

const fileOf = ({ user }: Pick<Workspace, 'user'>) => join(user.cache, 'news.json');
const keyOf = ({ lock, name }: Pick<InstalledName, 'lock' | 'name'>) => `${lock}#${name}`;

/** Reads what was heard. A file that cannot be used says nothing: it is a cache. */
export function readNews(workspace: Pick<Workspace, 'user'>): NewsReader {
  const { state } = readState(fileOf(workspace));
  const heard = tableOf(state.skills);
  return {
    of(skill) {
      const key = keyOf(skill);
      const news = Object.hasOwn(heard, key) ? News.safeParse(heard[key]).data : undefined;
      return news?.digest === skill.entry.digest ? news : undefined;
    },
  };
}

/** Remembers what was heard; a skill with nothing to tell is forgotten. A cache that cannot be written is not. */
export function rememberNews(
  heard: readonly (InstalledName &
    Pick<SourceNews, 'wanted' | 'latest'> & { notices: readonly SourceNotice[] })[],
  { workspace, now }: { readonly workspace: Pick<Workspace, 'user'>; now(): Date },
): void {
  if (heard.length === 0) return;
  try {
    updateState(fileOf(workspace), (state) => {
      const skills = { ...tableOf(state.skills) };
      for (const { wanted, latest, notices, ...skill } of heard) {
        // A new entry is the last one.
        delete skills[keyOf(skill)];
        if (wanted === null && notices.length === 0) continue;
        skills[keyOf(skill)] = {
          digest: skill.entry.digest,
          checked_at: now().toISOString(),
          wanted,
          latest,
          notices: notices
            .slice(0, MAX_NOTICES)
            .map(({ kind, text }) => ({ kind, text: text.slice(0, MAX_TEXT) })),
        };
      }
      return { ...state, skills: Object.fromEntries(Object.entries(skills).slice(-MAX_REMEMBERED)) };
    });
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
  }
}

/** W224 for what is said against something. */
export function diagnoseNotice(what: string, { kind, text }: SourceNotice): Diagnostic {
  return diagnose(
    'W224',
    {
      what: makeVisible(what),
      kind: kind === 'advisory' ? 'under an advisory' : kind,
      why: noticeText(text),
    },
    { data: { what, notice: kind } },
  );
}

/** Words of a registry on one line, cut, with nothing in them that a terminal would obey. */
export function noticeText(text: string): string {
  const line = makeVisible(
    hideSecrets(
      text
        .slice(0, 4 * MAX_TEXT)
        .replace(/\s+/g, ' ')
        .trim(),
    ),
  );
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT).toWellFormed()}…` : line;
}

function tableOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
