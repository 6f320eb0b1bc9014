// Record of everything skc made on this machine. It is in the user's home directory, where no project can write: a
// manifest or link that a project ships is not trusted until a build records it here.

import { basename, dirname, isAbsolute, join } from 'node:path';
import { orUndefined } from '../../base/diagnostics/index.ts';
import {
  namesIn,
  readRealPath,
  readRegularFile,
  removePath,
  sha256,
  statusAt,
  writeError,
  writeFileAtomic,
} from '../../base/files/index.ts';
import { OWN_DIRECTORY } from '../workspace/index.ts';
import { SKILL_FILE } from './skill-file.ts';

/** Entry of a runtime directory that skc made. */
interface RecordedRuntime {
  /** Real path of the source it was compiled from. */
  readonly source: string;
  /** SHA-256 of the stub skc wrote there; empty before the first. */
  readonly stub: string;
  /** SHA-256 of the previous stub, which is there until the new one is written. */
  readonly before: string;
}

/** Content of a place before a deployment: a link of skc to another skill, or, in a backup, anything else. */
export interface Before {
  readonly link?: string | undefined;
  readonly backup?: string | undefined;
}

/** The record of one home directory. Every entry is a separate file, so that builds do not wait for each other. */
export interface BuildRecord {
  readonly home: string;
  /** The entry of a runtime directory, by any path; undefined when skc did not make it. */
  runtime(dir: string): RecordedRuntime | undefined;
  /**
   * Records a runtime directory and the stub it is about to get; without a stub, keeps the known one. The directory
   * must exist. `index`: the mark of an index in it, in place of `addFile`. E016 when the record cannot be written.
   */
  addRuntime(
    dir: string,
    made: { readonly source: string; readonly stub?: string; readonly index?: string | undefined },
  ): void;
  /** Source of a runtime directory, or of a copy, whose stub is unchanged since skc wrote it; undefined for any other. */
  sourceOf(dir: string): string | undefined;
  /** Target of the link or copy skc put at a place, as given to `addPlace`; undefined when skc put none there. */
  place(path: string): string | undefined;
  /**
   * Records that skc put a link to `leads`, or a copy of it, at a place, and the content that agents had there before;
   * keeps what is known of it. Its directory must exist. E016.
   */
  addPlace(path: string, leads: string, before?: Before): void;
  /** Content that agents had at a place before. */
  before(path: string): Before;
  /** The directory from which skc imported a skill of a store; undefined for any other skill. */
  importedFrom(dir: string): string | undefined;
  /** Records an import. The directory must exist. E016. */
  addImport(dir: string, from: string): void;
  /** Whether skc wrote the file at a path, by a mark that tells it from a replacement. */
  hasFile(path: string, identity: string): boolean;
  /** Records a file, before or after it is written. Keeps earlier entries, because other processes may be writing. E016. */
  addFile(path: string, identity: string): void;
  /** Paths of entries last written before a moment, in milliseconds, that no longer exist. */
  forgotten(before: number): string[];
  /** Removes a runtime directory, a place or a file, whether it still exists or not. E016. */
  forget(path: string): void;
}

const VERSION = 1;
/** Concurrent builds each put a file in place. */
const MAX_FILES = 8;
/** Size limit; entries and stubs are far smaller. */
const MAX_BYTES = 1024 * 1024;

/** The directory of the record: one file per entry. */
export const recordDirectory = (home: string) => join(home, OWN_DIRECTORY, 'made');

/** Opens the record in a home directory. Reads lazily. */
export function buildRecord(home: string): BuildRecord {
  const made = recordDirectory(home);
  const fileOf = (key: string) => join(made, `${sha256(key).slice(0, 32)}.json`);
  const read = (key: string | undefined) => (key === undefined ? undefined : readEntry(fileOf(key), key));
  const add = (key: string, fields: Readonly<Record<string, string>>, known: Entry | undefined): void => {
    if (known !== undefined && Object.entries(fields).every(([name, value]) => known[name] === value)) return;
    const text = `${JSON.stringify({ version: VERSION, path: key, ...fields })}\n`;
    writeFileAtomic(fileOf(key), text, { derived: true });
  };
  const record: BuildRecord = {
    home,
    runtime(dir) {
      return runtimeIn(read(directoryKey(dir)));
    },
    addRuntime(dir, { source, stub, index }) {
      const key = readRealPath(dir);
      const entry = read(key);
      const known = runtimeIn(entry);
      const isNew = stub !== undefined && stub !== known?.stub;
      const before = (isNew ? known?.stub : known?.before) ?? '';
      const files = filesWith(index, entry);
      const fields = { source, stub: stub ?? known?.stub ?? '', before, ...(files && { files }) };
      add(key, fields, entry);
    },
    sourceOf(dir) {
      const copied = record.place(dir);
      const known = record.runtime(dir) ?? (copied === undefined ? undefined : record.runtime(copied));
      if (known === undefined) return undefined;
      const hash = orUndefined(() =>
        sha256(readRegularFile(join(dir, SKILL_FILE), { maxBytes: MAX_BYTES })!),
      );
      return hash === known.stub || hash === known.before ? known.source : undefined;
    },
    place: (path) => read(placeKey(path))?.leads,
    addPlace(path, leads, before) {
      const key = placeKey(path) ?? path;
      const known = read(key);
      const { link, backup } = { ...beforeIn(known), ...before };
      add(key, { leads, ...(link && { link }), ...(backup && { backup }) }, known);
    },
    before: (path) => beforeIn(read(placeKey(path))),
    importedFrom: (dir) => read(placeKey(dir))?.imported,
    addImport(dir, from) {
      const key = placeKey(dir) ?? dir;
      add(key, { imported: from }, read(key));
    },
    hasFile(path, identity) {
      const key = placeKey(path);
      const around = key === undefined ? undefined : dirname(dirname(key));
      return [around, key].some((one) => identitiesOf(read(one)).includes(identity));
    },
    addFile(path, identity) {
      const key = placeKey(path) ?? path;
      const entry = read(key);
      if (!identitiesOf(entry).includes(identity)) add(key, { files: filesWith(identity, entry) }, entry);
    },
    forgotten: (before) =>
      namesIn(made, (name) => name.endsWith('.json')).flatMap((name) => {
        const file = join(made, name);
        const written = statusAt(file);
        if (written === undefined || !(written.mtimeMs < before)) return [];
        const path = pathIn(file);
        if (path === undefined) return [];
        // A place that cannot be checked is not gone.
        const isGone = orUndefined(() => statusAt(path) === undefined);
        return isGone === true ? [path] : [];
      }),
    forget(path) {
      try {
        for (const key of new Set([path, placeKey(path) ?? path])) removePath(fileOf(key), { force: true });
      } catch (error) {
        throw writeError(made, error);
      }
    },
  };
  return record;
}

type Entry = Readonly<Record<string, string | undefined>>;

function runtimeIn(entry: Entry = {}): RecordedRuntime | undefined {
  const { source, stub, before } = entry;
  return source === undefined || stub === undefined || before === undefined
    ? undefined
    : { source, stub, before };
}

const beforeIn = ({ link, backup }: Entry = {}): Before => ({
  ...(link && { link }),
  ...(backup && { backup }),
});

const identitiesOf = (entry: Entry | undefined) => entry?.files?.split(' ') ?? [];

/** The marks of an entry and a new one, as it is written. */
const filesWith = (identity: string | undefined, entry: Entry | undefined) =>
  [...new Set([...(identity === undefined ? [] : [identity]), ...identitiesOf(entry)])]
    .slice(0, MAX_FILES)
    .join(' ');

/** Resolves only the parent, because the place itself may be a link. Undefined when its directory is gone. */
function placeKey(path: string): string | undefined {
  const parent = directoryKey(dirname(path));
  return parent && join(parent, basename(path));
}

function directoryKey(dir: string): string | undefined {
  try {
    return readRealPath(dir);
  } catch {
    return undefined;
  }
}

/** Path of an entry. */
function pathIn(file: string): string | undefined {
  return orUndefined(() => {
    const text = readRegularFile(file, { maxBytes: MAX_BYTES })?.toString('utf8');
    const { path } = JSON.parse(text ?? '{}') as Record<string, unknown>;
    return typeof path === 'string' && isAbsolute(path) ? path : undefined;
  });
}

/** An unreadable entry counts as missing, to be safe; the next build writes it again. */
function readEntry(file: string, key: string): Entry | undefined {
  try {
    const text = readRegularFile(file, { maxBytes: MAX_BYTES })?.toString('utf8');
    const { version, ...fields } = JSON.parse(text ?? '{}') as Record<string, unknown>;
    const isEntry = version === VERSION && Object.values(fields).every((value) => typeof value === 'string');
    return isEntry && fields.path === key ? (fields as Record<string, string>) : undefined;
  } catch {
    return undefined;
  }
}
