// Stores, finds and removes the user's token for a registry.

import { join } from 'node:path';
import type { Environment } from '../../base/files/index.ts';
import { storeAt } from '../../skill/workspace/index.ts';
import { changeLogins, type LoginEntry, readLogins } from './credentials-file.ts';
import { findKeyring, openKeyring } from './keyring.ts';

/** A login without its token. */
interface StoredLogin {
  /** Address of the registry; it ends with `/`. */
  readonly registry: string;
  readonly account: string;
  readonly expires: string | null;
  readonly keptIn: 'keyring' | 'file';
}

/** A token to store. */
interface NewLogin {
  readonly account: string;
  readonly token: string;
  readonly expires: string | null;
}

/** The user's logins. Every method fails with E246 when the file of logins cannot be trusted. */
export interface Credentials {
  /** The file that lists the logins. */
  readonly path: string;
  /** Logins without their tokens; asks no keyring. */
  list(): StoredLogin[];
  /** The token for a registry; `token` is undefined when the keyring does not give it. */
  find(registry: string): Promise<(StoredLogin & { readonly token: string | undefined }) | undefined>;
  /** Replaces the login of the registry. `triedKeyring`: there is a keyring, and it did not keep the token. */
  store(registry: string, login: NewLogin): Promise<StoredLogin & { readonly triedKeyring: boolean }>;
  /** The removed login; undefined when there was none. */
  remove(registry: string): Promise<StoredLogin | undefined>;
}

/** Opens the logins of a home directory. */
export function openCredentials({
  home,
  env,
}: {
  readonly home: string;
  readonly env: Environment;
}): Credentials {
  const path = join(storeAt('user', home).root, 'credentials.json');
  const keyringOf = ({ keyring }: LoginEntry) => keyring && openKeyring(keyring, { home, env });
  const entryOf = (registry: string) => readLogins(path).findLast((login) => login.registry === registry);
  const without = (registry: string) => (logins: LoginEntry[]) =>
    logins.filter((login) => login.registry !== registry);
  return {
    path,
    list: () => readLogins(path).map(describeLogin),
    async find(registry) {
      const entry = entryOf(registry);
      if (entry === undefined) return undefined;
      return { ...describeLogin(entry), token: entry.token ?? (await keyringOf(entry)?.find(registry)) };
    },
    async store(registry, { account, token, expires }) {
      // A file that cannot be used is reported before the keyring is touched.
      const before = entryOf(registry);
      const keyring = findKeyring({ home, env });
      const isKept = keyring !== undefined && (await keyring.store(registry, token));
      const entry: LoginEntry = {
        registry,
        account,
        expires,
        ...(isKept ? { keyring: keyring.program } : { token }),
      };
      changeLogins(path, (logins) => [...without(registry)(logins), entry]);
      // Nothing old stays behind in a keyring that no longer counts.
      if (!isKept) await (before && keyringOf(before))?.remove(registry);
      return { ...describeLogin(entry), triedKeyring: keyring !== undefined && !isKept };
    },
    async remove(registry) {
      const entry = entryOf(registry);
      if (entry === undefined) return undefined;
      changeLogins(path, without(registry));
      await keyringOf(entry)?.remove(registry);
      return describeLogin(entry);
    },
  };
}

function describeLogin({ registry, account, expires, keyring }: LoginEntry): StoredLogin {
  return { registry, account, expires, keptIn: keyring === undefined ? 'file' : 'keyring' };
}
