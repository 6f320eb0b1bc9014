// Temporary directories with content, for tests; gone when the test is over.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** An entry at one path: a file's content, a link, or an empty directory. */
export type Content = string | Uint8Array | { readonly link: string } | { readonly directory: true };

/** Entries by path; missing directories are created. */
export type Tree = Readonly<Record<string, Content>>;

/** A new directory with this content, removed when the test is over. Its path is free of links. */
export function makeDirectory(tree: Tree = {}): string {
  const root = makeTemporary(tree);
  onTestFinished(() => removeTree(root));
  return root;
}

/** The same for tests that only read it: called beside them, removed when all of them are over. */
export function makeSharedDirectory(tree: Tree): string {
  const root = makeTemporary(tree);
  afterAll(() => removeTree(root));
  return root;
}

// A program that was told to stop may still write its last files.
function removeTree(root: string): void {
  rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

function makeTemporary(tree: Tree): string {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'skc-test-')));
  writeTree(root, tree);
  return root;
}

/** Adds content to a directory. */
export function writeTree(root: string, tree: Tree): void {
  for (const [path, content] of Object.entries(tree)) {
    const place = join(root, path);
    mkdirSync(dirname(place), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(place, content);
    else if ('link' in content) symlinkSync(content.link, place);
    else mkdirSync(place, { recursive: true });
  }
}
