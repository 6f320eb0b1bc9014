// Numbers of all access logs, kept up to date. A log is counted again when its files have changed.

import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { orUndefined, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { namesIn, realPath, statusAt } from '../../../base/files/index.ts';
import {
  createFileMeasure,
  type HourCount,
  logPath,
  type ReadAccess,
  readAccesses,
  readHours,
} from '../../../read/usage/index.ts';
import { buildRecord, listReadingPlaces, mayBeSkill } from '../../../skill/skill/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';

/** Numbers of one skill, or of all. */
export type UseCount = Omit<HourCount, 'hour'>;

/** Numbers in each part of a range, oldest first. */
export type UseChart = Readonly<Record<string, UseCount>>;

/** Time ranges of the pages. */
export const RANGES = ['24h', '7d', '30d', 'all'] as const;
export type RangeName = (typeof RANGES)[number];

/** A range, the one before it, and the parts of its chart. */
export interface TimeRange {
  readonly name: RangeName;
  /** First hour, and the first hour after it: `2026-01-02T03`, in UTC. Empty for the beginning of the log. */
  readonly from: string;
  readonly to: string;
  /** Where the period before it begins; undefined for the whole log. */
  readonly before: string | undefined;
  /** The hours or days of the chart, oldest first. */
  readonly parts: readonly string[];
}

const DAY_MS = 86_400_000;
const hourOf = (time: number) => new Date(time).toISOString().slice(0, 13);

/** A range up to now. Days are days in UTC; the first one is whole. The chart of the whole log has its last 30 days. */
export function timeRange(name: RangeName, now: Date): TimeRange {
  const step = name === '24h' ? DAY_MS / 24 : DAY_MS;
  const count = name === '24h' ? 24 : name === '7d' ? 7 : 30;
  const length = name === '24h' ? 13 : 10;
  const last = Math.floor(now.getTime() / step) * step;
  const start = last - (count - 1) * step;
  return {
    name,
    from: name === 'all' ? '' : hourOf(start),
    to: hourOf(last + step),
    before: name === 'all' ? undefined : hourOf(start - count * step),
    parts: Array.from({ length: count }, (_, at) => hourOf(start + at * step).slice(0, length)),
  };
}

/** An access, and the log it is in. */
export interface LoggedAccess extends ReadAccess {
  readonly runtime: string;
  /** Directory of the skill it counts for. */
  readonly owner: string;
}

/** New accesses of one log. */
type UseListener = (accesses: readonly LoggedAccess[]) => void;

/** Latest accesses that are kept. */
const KEPT_ACCESSES = 1000;

interface CountedLog {
  /** Look of its files when they were read. */
  readonly look: string;
  /** Id of the last row. */
  readonly last: number;
  readonly dirs: readonly string[];
}

const noUse: UseCount = {
  count: 0,
  reads: 0,
  error_count: 0,
  tokens_served: 0,
  tokens_saved: 0,
  zero_results: 0,
  last_access: null,
};

/** The numbers of the logs of a workspace: those below its runtime directories, and those of skills that are read in place. */
export class UsageCounts {
  /** By the directory of a skill, then by log. */
  readonly #uses = new Map<string, Map<string, readonly HourCount[]>>();
  /** Logs that cannot be read, and why. */
  readonly problems = new Map<string, string>();
  /** Logs to read and logs read, while all are counted for the first time. */
  progress = { read: 0, all: 0 };
  isComplete = false;
  /** How long the last look at all logs took. */
  lookedMs = 0;
  readonly #logs = new Map<string, CountedLog>();
  #recent: LoggedAccess[] = [];
  #listeners = new Set<UseListener>();
  #working: Promise<void> | undefined;
  #isClosed = false;

  /** The latest accesses, newest first. */
  get recent(): readonly LoggedAccess[] {
    return this.#recent;
  }

  /** Runtime directories with a log, as of the last look. */
  get logs(): readonly string[] {
    return [...this.#logs.keys()];
  }

  /** Numbers of the skill in a directory, from an hour on and up to another one. */
  of(dir: string, { from, to }: { readonly from: string; readonly to?: string } = { from: '' }): UseCount {
    let sum = noUse;
    for (const hours of this.#uses.get(dir)?.values() ?? [])
      for (const { hour, ...use } of hours)
        if (hour >= from && (to === undefined || hour < to)) sum = addUses(sum, use);
    return sum;
  }

  /** Numbers of all skills. */
  totals(range?: { readonly from: string; readonly to?: string }): UseCount {
    return [...this.#uses.keys()].reduce((sum, dir) => addUses(sum, this.of(dir, range)), noUse);
  }

  /** Numbers in each part of a range: of the skill in a directory, or of all. */
  chart({ parts }: Pick<TimeRange, 'parts'>, dir?: string): UseChart {
    const dirs = dir === undefined ? [...this.#uses.keys()] : [dir];
    const hours = dirs.flatMap((one) => [...(this.#uses.get(one)?.values() ?? [])].flat());
    const length = parts[0]?.length;
    const inPart = Map.groupBy(hours, ({ hour }) => hour.slice(0, length));
    return Object.fromEntries(
      parts.map((part) => [part, (inPart.get(part) ?? []).reduce((sum, use) => addUses(sum, use), noUse)]),
    );
  }

  /** Calls back with accesses logged from now on; returns a function that stops it. */
  listen(listener: UseListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
  }

  /** Looks at every log and counts what is new. Calls at the same time share one look. */
  update(workspace: Workspace): Promise<void> {
    this.#working ??= this.#lookAtAll(workspace).finally(() => {
      this.#working = undefined;
    });
    return this.#working;
  }

  async #lookAtAll(workspace: Workspace): Promise<void> {
    const started = performance.now();
    const pause = createPause();
    const runtimes = [
      ...workspace.stores.flatMap(({ runtime }) => namesIn(runtime).map((name) => join(runtime, name))),
      ...listReadingPlaces(workspace),
    ];
    if (!this.isComplete) this.progress = { read: 0, all: runtimes.length };
    let counted = 0;
    for (const runtime of runtimes) {
      if (this.#isClosed) return;
      if (this.#countLog(runtime, workspace.home)) counted += 1;
      if (!this.isComplete) this.progress = { ...this.progress, read: this.progress.read + 1 };
      await pause();
    }
    this.isComplete = true;
    if (counted === 0) this.lookedMs = performance.now() - started;
  }

  /** Counts a log if its files have changed; true if it read the log. */
  #countLog(runtime: string, home: string): boolean {
    const look = lookOfLog(runtime);
    const known = this.#logs.get(runtime);
    if (look === undefined || known?.look === look) return false;
    const place = { runtime, home };
    const source = builtSource(runtime, home);
    const owner = (path: string) => (mayBeSkill(path) ? path : (source ?? path));
    const counted = new Map<string, HourCount[]>();
    let last = 0;
    try {
      const read = readHours(place, (path) => createFileMeasure({ dir: owner(path), ...place }));
      last = read.last;
      for (const [path, hours] of read.hours)
        counted.set(owner(path), [...(counted.get(owner(path)) ?? []), ...hours]);
      this.problems.delete(runtime);
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      this.problems.set(runtime, error.message);
    }
    for (const dir of known?.dirs ?? []) this.#uses.get(dir)?.delete(runtime);
    for (const [dir, hours] of counted)
      this.#uses.set(dir, (this.#uses.get(dir) ?? new Map()).set(runtime, hours));
    this.#logs.set(runtime, { look, last, dirs: [...counted.keys()] });
    // Rows were deleted, and their ids may be used again.
    const isNew = known === undefined || last < known.last;
    if (known !== undefined && isNew) this.#recent = this.#recent.filter((one) => one.runtime !== runtime);
    const newest = [...counted.values()].flatMap((hours) => hours.at(-1)?.hour ?? []);
    if (this.isComplete || newest.some((hour) => `${hour}:60` > this.#oldest))
      this.#keepRecent(place, { after: Math.max(isNew ? 0 : known.last, last - KEPT_ACCESSES), owner });
    return true;
  }

  /** The time of the oldest access that is kept, once there are enough. */
  get #oldest(): string {
    return this.#recent[KEPT_ACCESSES - 1]?.timestamp ?? '';
  }

  #keepRecent(
    place: { runtime: string; home: string },
    { after, owner }: { after: number; owner: (path: string) => string },
  ): void {
    const fresh = orUndefined(() => readAccesses(place, { after, limit: KEPT_ACCESSES })) ?? [];
    const owned = fresh.map(
      (access): LoggedAccess => ({ ...access, runtime: place.runtime, owner: owner(access.path) }),
    );
    this.#recent = [...owned.toReversed(), ...this.#recent]
      .sort((a, b) => (a.timestamp < b.timestamp ? 1 : a.timestamp > b.timestamp ? -1 : 0))
      .slice(0, KEPT_ACCESSES);
    if (this.isComplete) for (const listener of this.#listeners) listener(owned);
  }
}

const addUses = (a: UseCount, b: UseCount): UseCount => ({
  count: a.count + b.count,
  reads: a.reads + b.reads,
  error_count: a.error_count + b.error_count,
  tokens_served: a.tokens_served + b.tokens_served,
  tokens_saved: a.tokens_saved + b.tokens_saved,
  zero_results: a.zero_results + b.zero_results,
  last_access: (a.last_access ?? '') > (b.last_access ?? '') ? a.last_access : b.last_access,
});

function builtSource(runtime: string, home: string): string | undefined {
  const recorded = buildRecord(home).runtime(runtime);
  return recorded === undefined ? undefined : realPath(recorded.source);
}

/** Identity, size and time of the files of a log; undefined without one. */
export function lookOfLog(runtime: string): string | undefined {
  const path = logPath(runtime);
  const status = statusAt(path);
  if (status === undefined || status.size === 0) return undefined;
  // Rows that writers have not merged yet. A reader creates this file too, but leaves it empty.
  const waiting = statusAt(`${path}-wal`);
  const rows = waiting === undefined || waiting.size === 0 ? '' : `${waiting.size} ${waiting.mtimeMs}`;
  return `${status.ino} ${status.size} ${status.mtimeMs} ${rows}`;
}

/** Work may keep the process busy for this long. */
const BUSY_MS = 8;

/** A function to await between small pieces of work, which lets requests through if they have had no turn for a while. */
export function createPause(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < BUSY_MS) return;
    await nextTurn();
    since = performance.now();
  };
}
