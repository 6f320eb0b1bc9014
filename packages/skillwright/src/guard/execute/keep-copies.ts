// Private copies of checked files, to be shown in the place of what may have changed since.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeError } from '../../base/files/index.ts';
import type { CheckedFile } from './sandbox.ts';

/** Where the copies are, in the order of the files, and how they are removed. */
export interface KeptCopies {
  readonly paths: readonly string[];
  remove(): void;
}

/** Copies files into a directory that nobody else can enter. E016 when there is no space for them. */
export function keepCopies(files: readonly CheckedFile[]): KeptCopies {
  if (files.length === 0) return { paths: [], remove: () => {} };
  try {
    const directory = mkdtempSync(join(tmpdir(), 'skc-run-'));
    const paths = files.map(({ bytes }, index) => {
      const path = join(directory, String(index));
      writeFileSync(path, bytes, { mode: 0o444 });
      return path;
    });
    return { paths, remove: () => rmSync(directory, { recursive: true, force: true }) };
  } catch (error) {
    throw writeError(tmpdir(), error);
  }
}
