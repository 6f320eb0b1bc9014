// Numbers of all access logs, kept up to date. Every row is counted once; after that a log is only looked at when its files
// have changed.

import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { namesIn, realPath, statusAt } from '../../../base/files/index.ts';
import {
  type CountedUpTo,
  countAccesses,
  createFileMeasure,
  type HourCount,
  logPath,
  type ReadAccess,
  readAccesses,
} from '../../../read/usage/index.ts';
import { buildRecord, mayBeSkill, SKILL_FILE } from '../../../skill/skill/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';

/** Numbers of one skill, or of all. */
export type UseCount = Omit<HourCount, 'path' | 'hour'> & { readonly tokens_saved: number };

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
  /** The beginning of an hour's name that is the name of its part of the chart. */
  readonly unit: 'hour' | 'day';
  /** All parts, oldest first. */
  readonly parts: readonly string[];
}

const DAY_MS = 86_400_000;
const hourOf = (time: number) => new Date(time).toISOString().slice(0, 13);

/** A range up to now. Days are days in UTC; the first one is whole. The chart of the whole log has its last 30 days. */
export function timeRange(name: RangeName, now: Date): TimeRange {
  const unit = name === '24h' ? 'hour' : 'day';
  const step = unit === 'hour' ? DAY_MS / 24 : DAY_MS;
  const count = name === '24h' ? 24 : name === '7d' ? 7 : 30;
  const length = unit === 'hour' ? 13 : 10;
  const last = Math.floor(now.getTime() / step) * step;
  const start = last - (count - 1) * step;
  return {
    ...{ name, unit },
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
const KEPT_ACCESSES = 200;

interface CountedLog {
  upTo: CountedUpTo;
  /** Look of its files when they were read. */
  look: string;
  /** Source of its runtime directory, if skc built it. */
  source: string | undefined;
  /** The first hour of each session, and the files that were counted for it. */
  readonly sessions: Map<string, { readonly hour: string; readonly files: Set<string> }>;
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

/** The numbers of the logs below a workspace's runtime directories. */
export class UsageCounts {
  /** By the directory of a skill, then by hour. */
  readonly #uses = new Map<string, Map<string, UseCount>>();
  /** Logs that cannot be read, and why. */
  readonly problems = new Map<string, string>();
  /** Logs to read and logs read, while all are counted for the first time. */
  progress = { read: 0, all: 0 };
  isComplete = false;
  /** How long the last look at all logs took. */
  lookedMs = 0;
  #logs = new Map<string, CountedLog>();
  #recent: LoggedAccess[] = [];
  #measures = new Map<string, ReturnType<typeof createFileMeasure>>();
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
    for (const [hour, use] of this.#uses.get(dir) ?? [])
      if (hour >= from && (to === undefined || hour < to)) sum = sumOf(sum, use);
    return sum;
  }

  /** Numbers of all skills. */
  totals(range?: { readonly from: string; readonly to?: string }): UseCount {
    return [...this.#uses.keys()].reduce((sum, dir) => sumOf(sum, this.of(dir, range)), noUse);
  }

  /** Accesses of a skill, or of all, in each part of a range. */
  chart({ unit, parts }: TimeRange, dir?: string): Readonly<Record<string, number>> {
    const counts = new Map(parts.map((part) => [part, 0]));
    const length = unit === 'hour' ? 13 : 10;
    for (const [path, hours] of this.#uses)
      if (dir === undefined || dir === path)
        for (const [hour, { count }] of hours) {
          const part = hour.slice(0, length);
          if (counts.has(part)) counts.set(part, counts.get(part)! + count);
        }
    return Object.fromEntries(counts);
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
    const runtimes = workspace.stores.flatMap(({ runtime }) =>
      namesIn(runtime).map((name) => join(runtime, name)),
    );
    if (!this.isComplete) this.progress = { read: 0, all: runtimes.length };
    let counted = 0;
    for (const runtime of runtimes) {
      if (this.#isClosed) return;
      if (this.#countLog(runtime, workspace.home)) {
        counted += 1;
        while (this.#hasMore(runtime)) {
          await pause();
          this.#countLog(runtime, workspace.home, true);
        }
      }
      if (!this.isComplete) this.progress = { ...this.progress, read: this.progress.read + 1 };
      await pause();
    }
    this.isComplete = true;
    if (counted === 0) this.lookedMs = performance.now() - started;
  }

  #unfinished = new Set<string>();

  #hasMore(runtime: string): boolean {
    return this.#unfinished.has(runtime) && !this.#isClosed;
  }

  /** Counts the next rows of a log if its files have changed; true if it read the log. */
  #countLog(runtime: string, home: string, goesOn = false): boolean {
    const look = lookOfLog(runtime);
    const known = this.#logs.get(runtime);
    if (look === undefined || (!goesOn && known?.look === look)) return false;
    const log = known ?? {
      ...{ upTo: { first: 0, last: 0 }, look, source: builtSource(runtime, home), sessions: new Map() },
    };
    this.#logs.set(runtime, log);
    log.look = look;
    const before = log.upTo.last;
    const owner = (path: string) => (mayBeSkill(path) ? path : (log.source ?? path));
    try {
      const step = countAccesses({ runtime, home }, log.upTo);
      if (step.isNew) return this.#startAgain();
      for (const { hour, path, ...use } of step.hours)
        this.#add(owner(path), hour, { ...use, tokens_saved: 0 });
      for (const { path, run, hour, served, files } of step.sessions) {
        const dir = owner(path);
        const measure = this.#measureOf(dir, { runtime, home });
        const whole = measure(SKILL_FILE);
        // Nobody knows what a skill that is gone would have cost.
        if (whole === undefined) continue;
        const key = `${dir}\0${run}`;
        const session = log.sessions.get(key) ?? { hour, files: new Set() };
        log.sessions.set(key, session);
        const fresh = [...new Set([SKILL_FILE, ...files])].filter((file) => !session.files.has(file));
        const tokens = fresh.reduce((sum, file) => sum + (measure(file) ?? 0), 0);
        for (const file of fresh) session.files.add(file);
        this.#add(dir, session.hour, { ...noUse, tokens_saved: tokens - served });
      }
      log.upTo = { first: step.first, last: step.last };
      if (step.hasMore) this.#unfinished.add(runtime);
      else this.#unfinished.delete(runtime);
      this.problems.delete(runtime);
      if (!step.hasMore && step.hours.length > 0 && this.#mayBeRecent(step.hours))
        this.#keepRecent({ runtime, home }, { before, last: step.last, owner });
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      this.#unfinished.delete(runtime);
      this.problems.set(runtime, error.message);
    }
    return true;
  }

  /** Rows were deleted: all numbers are counted again. */
  #startAgain(): true {
    this.#uses.clear();
    this.#logs.clear();
    this.#recent = [];
    this.#unfinished.clear();
    this.isComplete = false;
    return true;
  }

  /** False for a log whose accesses are all older than those that are kept. */
  #mayBeRecent(hours: readonly HourCount[]): boolean {
    const oldest = this.#recent.length < KEPT_ACCESSES ? '' : this.#recent.at(-1)!.timestamp;
    return this.isComplete || hours.some(({ last_access, hour }) => (last_access ?? `${hour}:60`) > oldest);
  }

  #keepRecent(
    place: { runtime: string; home: string },
    { before, last, owner }: { before: number; last: number; owner: (path: string) => string },
  ): void {
    const after = Math.max(before, last - KEPT_ACCESSES);
    const fresh = readAccesses(place, { after, limit: KEPT_ACCESSES }).map(
      (access): LoggedAccess => ({ ...access, runtime: place.runtime, owner: owner(access.path) }),
    );
    const oldest = this.#recent.length < KEPT_ACCESSES ? '' : this.#recent.at(-1)!.timestamp;
    const newer = fresh.filter(({ timestamp }) => timestamp > oldest);
    if (newer.length > 0)
      this.#recent = [...newer.toReversed(), ...this.#recent]
        .sort((a, b) => (a.timestamp < b.timestamp ? 1 : a.timestamp > b.timestamp ? -1 : 0))
        .slice(0, KEPT_ACCESSES);
    if (this.isComplete) for (const listener of this.#listeners) listener(fresh);
  }

  #add(dir: string, hour: string, use: UseCount): void {
    const hours = this.#uses.get(dir) ?? new Map<string, UseCount>();
    this.#uses.set(dir, hours);
    hours.set(hour, sumOf(hours.get(hour) ?? noUse, use));
  }

  #measureOf(dir: string, place: { runtime: string; home: string }): ReturnType<typeof createFileMeasure> {
    const known = this.#measures.get(dir) ?? createFileMeasure({ dir, ...place });
    this.#measures.set(dir, known);
    return known;
  }
}

const sumOf = (a: UseCount, b: UseCount): UseCount => ({
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
