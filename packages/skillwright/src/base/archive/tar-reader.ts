// Reads a tar archive: PAX headers and long names included, with nothing hidden behind its end.

import { Parser } from 'tar/parse';
import type { ReadEntry } from 'tar/read-entry';
import { unsafeArchive } from './archive-format.ts';

/** A file, directory or link in an archive. */
export interface TarMember {
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'link';
  readonly mode: number;
  /** The target of a link. */
  readonly target: string;
}

/** Takes the content of one file. */
interface ContentSink {
  write(bytes: Uint8Array): void;
  close(): void;
}

interface TarReader {
  /** Reads more of the archive; throws the first fault, unless the reader goes on after faults. */
  write(chunk: Buffer): void;
  /** Reads what is left, and throws in the same way. */
  end(): void;
  /** Closes open files. */
  discard(): void;
  /** The first entry that must not be unpacked, or damage. */
  readonly fault: unknown;
}

const BLOCK = 512;
const MAX_META_BYTES = 64 * 1024;

/**
 * Creates a reader that calls `begin` for each entry, which may refuse it with an error. With `goesOn`, a fault is kept
 * and the entries after it are read, too.
 */
export function createTarReader(
  begin: (member: TarMember) => ContentSink | undefined,
  { goesOn = false }: { readonly goesOn?: boolean } = {},
): TarReader {
  let fault: unknown;
  let ended = false;
  let open: ContentSink | undefined;
  const fail = (error: unknown): void => {
    fault ??= error;
  };
  const close = (): void => {
    const finished = open;
    open = undefined;
    try {
      finished?.close();
    } catch (error) {
      fail(error);
    }
  };
  const isStopped = (): boolean => fault !== undefined && !goesOn;
  // Feed it block by block, to detect data after the end of the archive.
  const parser = new Parser({
    strict: true,
    maxMetaEntrySize: MAX_META_BYTES,
    onReadEntry(entry: ReadEntry) {
      try {
        // Everything is written synchronously; the parser emits the next entry when this one has ended.
        const target = isStopped() ? undefined : begin(memberOf(entry));
        open = target;
        entry.on('data', (chunk: Buffer) => {
          try {
            if (!isStopped()) target?.write(chunk);
          } catch (error) {
            fail(error);
          }
        });
        entry.on('end', close);
      } catch (error) {
        fail(error);
        entry.resume();
      }
    },
  });
  parser.on('error', fail);
  parser.on('ignoredEntry', (entry: ReadEntry) =>
    fail(unsafeArchive(`entry '${entry.path}' is neither a file nor a directory (${entry.type})`)),
  );
  parser.on('meta', (text: string) => {
    if (text.includes('GNU.sparse.')) fail(unsafeArchive('sparse files are not supported'));
    if (/^\d+ [^\0]*\0/.test(text)) fail(unsafeArchive('a name contains a control character'));
  });
  parser.on('eof', () => {
    ended = true;
  });
  const check = (): void => {
    if (isStopped()) throw fault;
  };

  return {
    write(chunk) {
      for (let at = 0; at < chunk.length; at += BLOCK) {
        const block = chunk.subarray(at, at + BLOCK);
        if (ended && block.some((byte) => byte !== 0))
          fail(unsafeArchive('data follows the end of the archive'));
        if (!ended) parser.write(block);
        check();
      }
    },
    end() {
      parser.end();
      check();
    },
    discard: close,
    get fault() {
      return fault;
    },
  };
}

function memberOf(entry: ReadEntry): TarMember {
  const { path, type, linkpath = '' } = entry;
  if (entry.header.size === undefined) throw unsafeArchive(`entry '${path}' has an impossible size`);
  const given = { path, mode: entry.mode ?? 0, target: linkpath };
  switch (type) {
    case 'File':
    case 'OldFile':
    case 'ContiguousFile':
      // Readers would disagree about its name, and so about the kind of file.
      if (path.endsWith('/')) throw unsafeArchive(`file '${path}' is named like a directory`);
      return { ...given, kind: 'file' };
    case 'Directory':
      return { ...given, kind: 'directory' };
    case 'SymbolicLink':
      return { ...given, kind: 'link' };
    case 'Link':
      throw unsafeArchive(`entry '${path}' is a hard link to '${linkpath}'`);
    default:
      throw unsafeArchive(`entry '${path}' is neither a file nor a directory (${type})`);
  }
}
