// Where the user's machine keeps what it knows of a registry: the newest checkpoint of its log, and indexes.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { quoteWord } from '../../base/diagnostics/index.ts';
import { readRegularFile, removePath, sha256, writeFileAtomic } from '../../base/files/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import { registryKeys } from './registry-of.ts';

/**
 * The directory for one log, or for one address while no key is pinned. It is in the user's home, where no project can
 * write, and with another key it is another: a project's key cannot touch what belongs to yours.
 */
export function registryMemory(
  { url, key }: { readonly url: string; readonly key?: string | undefined },
  { user }: Pick<Workspace, 'user'>,
): string {
  return join(user.root, 'registries', sha256(key ?? url).slice(0, 32));
}

const keyFile = (url: string, workspace: Pick<Workspace, 'user'>) =>
  join(registryMemory({ url }, workspace), 'key.txt');

/** The first key that this machine saw of the log of a registry; undefined before that. */
export function rememberedKey(url: string, workspace: Pick<Workspace, 'user'>): string | undefined {
  return readRegularFile(keyFile(url, workspace), { maxBytes: 1024 })?.toString('utf8').trim() || undefined;
}

/** Remembers the key of a registry as the first one seen. */
export function rememberKey(
  { url, key }: { readonly url: string; readonly key: string },
  workspace: Pick<Workspace, 'user'>,
): void {
  writeFileAtomic(keyFile(url, workspace), `${key}\n`);
}

/** The command that makes this machine forget a registry, for help lines. */
export function forgettingCommand(url: string): string {
  return `skc cache --forget ${quoteWord(url)}`;
}

/**
 * Forgets the newest checkpoint and the indexes of a registry, so that the next contact is like the first: the user accepts
 * that its log started again. Returns the directories that it removes, or would remove.
 */
export async function forgetRegistry(
  url: string,
  workspace: Workspace,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<string[]> {
  const keys = [undefined, rememberedKey(url, workspace), ...(await registryKeys(url, workspace))];
  const dirs = [...new Set(keys.map((key) => registryMemory({ url, key }, workspace)))].filter(existsSync);
  if (!isDryRun) for (const dir of dirs) removePath(dir, { recursive: true, force: true });
  return dirs;
}
