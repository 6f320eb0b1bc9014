// Remembers the last answers of sources about installed skills, for commands that do not use the network.

import * as z from 'zod';
import { type Diagnostic, diagnose, makeVisible } from '../../../base/diagnostics/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import { noticeKinds, noticeLine } from '../../network/index.ts';
import type { LockedSkill } from '../lock/lock.ts';
import { addToTable, type RememberedTable, readTable } from '../place/remembered-table.ts';
import type { SourceNotice } from './fetched-source.ts';

const news: RememberedTable = { file: 'news.json', field: 'skills', max: 1000 };
const MAX_TEXT = 300;
const MAX_NOTICES = 5;

const Notice = z.object({
  kind: z.enum(noticeKinds),
  text: z.string(),
});

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
interface InstalledName {
  readonly lock: string;
  readonly name: string;
  readonly entry: Pick<LockedSkill, 'digest'>;
}

const keyOf = ({ lock, name }: Pick<InstalledName, 'lock' | 'name'>) => `${lock}#${name}`;

/** Reads the remembered news. An unusable file counts as empty: it is a cache. */
export function readNews(workspace: Pick<Workspace, 'user'>): NewsReader {
  const heard = readTable(news, workspace);
  return {
    of(skill) {
      const last = News.safeParse(heard(keyOf(skill))).data;
      return last?.digest === skill.entry.digest ? last : undefined;
    },
  };
}

/** Remembers news, also that there is none. A failed write is ignored: this is a cache. */
export function rememberNews(
  heard: readonly (InstalledName &
    Pick<SourceNews, 'wanted' | 'latest'> & { notices: readonly SourceNotice[] })[],
  { workspace, now }: { readonly workspace: Pick<Workspace, 'user'>; now(): Date },
): void {
  const entries = heard.map(({ wanted, latest, notices, ...skill }) => {
    const kept = notices
      .slice(0, MAX_NOTICES)
      .map(({ kind, text }) => ({ kind, text: text.slice(0, MAX_TEXT) }));
    const { digest } = skill.entry;
    return [
      keyOf(skill),
      { digest, checked_at: now().toISOString(), wanted, latest, notices: kept },
    ] as const;
  });
  addToTable(news, workspace, entries);
}

/** W224 for each warning. */
export function diagnoseNotice(what: string, { kind, text }: SourceNotice): Diagnostic {
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
export function noticeWords(kind: SourceNotice['kind']): string {
  const words: Partial<Record<SourceNotice['kind'], string>> = {
    advisory: 'under an advisory',
    pending: 'not approved yet',
    scan: 'refused by the scan',
    'too-young': 'very new',
  };
  return words[kind] ?? kind;
}
