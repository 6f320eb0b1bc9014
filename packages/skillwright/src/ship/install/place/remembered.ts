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
type RememberedVerdict = z.output<typeof Verdict>;

const verdicts: RememberedTable = { file: 'verdicts.json', field: 'verdicts', max: 5000 };

/** The remembered verdicts of this version's scanner, by digest. Empty when the file cannot be used. */
export function readVerdicts(
  workspace: Pick<Workspace, 'user'>,
): (digest: string) => RememberedVerdict | undefined {
  const known = readTable(verdicts, workspace);
  return (digest) => Verdict.safeParse(known(verdictKey(digest))).data;
}

const verdictKey = (digest: string) => `${toolVersion} ${digest}`;

/** Remembers the verdicts on content that entered a place. A failed write is ignored. */
export function rememberVerdicts(
  scanned: readonly { readonly digest: string; readonly verdict: RememberedVerdict }[],
  workspace: Pick<Workspace, 'user'>,
): void {
  if (scanned.length === 0) return;
  const known = readVerdicts(workspace);
  const news = scanned.filter(({ digest, verdict }) => known(digest) !== verdict);
  addToTable(
    verdicts,
    workspace,
    news.map(({ digest, verdict }) => [verdictKey(digest), verdict]),
  );
}

const news: RememberedTable = { file: 'news.json', field: 'skills', max: 1000 };
const MAX_TEXT = 300;
const MAX_NOTICES = 5;

const News = z.object({
  /** Digest of the files installed at that time: other files make the entry stale. */
  digest: z.string(),
  checked_at: z.string(),
  /** The version update would install, if it differs. */
  wanted: z.string().nullable(),
  latest: z.string().nullable(),
  notices: z.array(Notice),
});

/** Remembered news of one installed skill. */
export type SourceNews = z.output<typeof News>;

/** The news of all installed skills. */
interface NewsReader {
  /** Undefined when there is no news of the installed version. */
  of(skill: InstalledName): SourceNews | undefined;
}

/** An installed skill, identified by its lock. */
export interface InstalledName {
  readonly lock: string;
  readonly name: string;
  readonly entry: Pick<LockedSkill, 'digest'>;
}

const newsKey = ({ lock, name }: Pick<InstalledName, 'lock' | 'name'>) => `${lock}#${name}`;

/** Reads the remembered news. An unusable file counts as empty: it is a cache. */
export function readNews(workspace: Pick<Workspace, 'user'>): NewsReader {
  const heard = readTable(news, workspace);
  return {
    of(skill) {
      const last = News.safeParse(heard(newsKey(skill))).data;
      return last?.digest === skill.entry.digest ? last : undefined;
    },
  };
}

/** Remembers news, also that there is none. A failed write is ignored: this is a cache. */
export function rememberNews(
  heard: readonly (InstalledName & Pick<SourceNews, 'wanted' | 'latest'> & { notices: readonly Notice[] })[],
  { workspace, now }: { readonly workspace: Pick<Workspace, 'user'>; now(): Date },
): void {
  const entries = heard.map(({ wanted, latest, notices, ...skill }) => {
    const kept = notices
      .slice(0, MAX_NOTICES)
      .map(({ kind, text }) => ({ kind, text: text.slice(0, MAX_TEXT) }));
    const { digest } = skill.entry;
    return [
      newsKey(skill),
      { digest, checked_at: now().toISOString(), wanted, latest, notices: kept },
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
