// Answers in the user's cache that need not be asked for again: verdicts of scans, and what sources last said about
// installed skills. Bounded tables; losing one costs a question.

import { join } from 'node:path';
import * as z from 'zod';
import { type Diagnostic, diagnose, makeVisible, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { toolVersion } from '../../../base/version.ts';
import { readState, updateState, type Workspace } from '../../../skill/workspace/index.ts';
import { noticeLine } from '../../network/index.ts';
import { Notice } from '../../results/index.ts';
import type { LockedSkill } from '../lock/lock.ts';

/** A table, and its field in its file. */
export interface RememberedTable {
  readonly file: string;
  readonly field: string;
  /** The oldest entries beyond it are dropped. */
  readonly max: number;
}

/** The entries of a table. An unusable file counts as empty. */
export function readTable(
  { file, field }: RememberedTable,
  { user }: Pick<Workspace, 'user'>,
): (key: string) => unknown {
  const known = tableOf(readState(join(user.cache, file)).state[field]);
  return (key) => (Object.hasOwn(known, key) ? known[key] : undefined);
}

/** Adds entries, as the newest. A failed write is ignored. */
export function addToTable(
  { file, field, max }: RememberedTable,
  { user }: Pick<Workspace, 'user'>,
  entries: readonly (readonly [key: string, value: unknown])[],
): void {
  if (entries.length === 0) return;
  try {
    updateState(join(user.cache, file), (state) => {
      const added = Object.fromEntries(entries);
      const others = Object.entries(tableOf(state[field])).filter(([key]) => !Object.hasOwn(added, key));
      const all = [...others, ...Object.entries(added)].slice(-max);
      return { ...state, [field]: Object.fromEntries(all) };
    });
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
  }
}

function tableOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

const Verdict = z.enum(['clean', 'caution', 'danger']);
/** The result of a scan. */
type Verdict = z.output<typeof Verdict>;

const news: RememberedTable = { file: 'news.json', field: 'skills', max: 2500 };
const MAX_TEXT = 300;
const MAX_NOTICES = 5;

const News = z.object({
  /** Digest of the files installed at that time: other files make the entry stale. */
  digest: z.string(),
  /** When its source was asked; null when nobody asked it. */
  checked_at: z.string().nullable(),
  /** The version update would install, if it differs. */
  wanted: z.string().nullable().default(null),
  latest: z.string().nullable().default(null),
  notices: z.array(Notice).default([]),
  /** The verdict of this scanner on what entered the place. */
  verdict: z.object({ by: z.string(), is: Verdict }).optional(),
});
type News = z.output<typeof News>;

/** Remembered news of one installed skill, whose source was asked. */
export type SourceNews = News & { readonly checked_at: string };

/** The remembered facts of all installed skills. */
interface NewsReader {
  /** Undefined when there is no news of the installed version. */
  of(skill: InstalledName): SourceNews | undefined;
  /** The verdict of this version's scanner when it was installed. */
  verdictOf(skill: InstalledName): Verdict | undefined;
}

/** An installed skill, identified by its lock. */
interface InstalledName {
  readonly lock: string;
  readonly name: string;
  readonly entry: Pick<LockedSkill, 'digest'>;
}

const newsKey = ({ lock, name }: Pick<InstalledName, 'lock' | 'name'>) => `${lock}#${name}`;

/** Reads what is remembered. An unusable file counts as empty: it is a cache. */
export function readNews(workspace: Pick<Workspace, 'user'>): NewsReader {
  const heard = readTable(news, workspace);
  const last = (skill: InstalledName) => {
    const known = News.safeParse(heard(newsKey(skill))).data;
    return known?.digest === skill.entry.digest ? known : undefined;
  };
  return {
    of(skill) {
      const known = last(skill);
      return known?.checked_at == null ? undefined : { ...known, checked_at: known.checked_at };
    },
    verdictOf(skill) {
      const { verdict } = last(skill) ?? {};
      return verdict?.by === toolVersion ? verdict.is : undefined;
    },
  };
}

/** Something to remember of an installed skill: its verdict, or an answer of its source, also that there is nothing new. */
export type Heard = InstalledName & {
  readonly verdict?: Verdict;
  readonly answer?: Pick<SourceNews, 'wanted' | 'latest'> & { readonly notices: readonly Notice[] };
};

/** Remembers verdicts and answers. A failed write is ignored: this is a cache. */
export function rememberNews(
  heard: readonly Heard[],
  { workspace, now }: { readonly workspace: Pick<Workspace, 'user'>; now(): Date },
): void {
  if (heard.length === 0) return;
  const known = readTable(news, workspace);
  const entries = heard.map(({ verdict, answer, ...skill }) => {
    const { digest } = skill.entry;
    const before = News.safeParse(known(newsKey(skill))).data;
    const kept = answer?.notices
      .slice(0, MAX_NOTICES)
      .map(({ kind, text }) => ({ kind, text: text.slice(0, MAX_TEXT) }));
    return [
      newsKey(skill),
      {
        ...(before?.digest === digest ? before : { digest, checked_at: null }),
        ...(answer && { ...answer, checked_at: now().toISOString(), notices: kept }),
        ...(verdict && { verdict: { by: toolVersion, is: verdict } }),
      },
    ] as const;
  });
  addToTable(news, workspace, entries);
}

/** W224 for each warning. */
export function diagnoseNotice(what: string, { kind, text }: Notice): Diagnostic {
  return diagnose(
    'W224',
    {
      what: makeVisible(what),
      kind: noticeWords(kind),
      why: noticeLine(text),
    },
    { data: { what, notice: kind } },
  );
}

/** The state that a warning means, after "is". */
export function noticeWords(kind: Notice['kind']): string {
  const words: Partial<Record<Notice['kind'], string>> = {
    advisory: 'under an advisory',
    pending: 'not approved yet',
    scan: 'refused by the scan',
    'too-young': 'very new',
  };
  return words[kind] ?? kind;
}
