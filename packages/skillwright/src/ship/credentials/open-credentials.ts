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

/** Opens the user's logins in a home directory. Every method fails with E246 when the file of logins cannot be trusted. */
export function openCredentials({ home, env }: { readonly home: string; readonly env: Environment }) {
  const path = join(storeAt('user', home).root, 'credentials.json');
  const keyringOf = ({ keyring }: LoginEntry) => keyring && openKeyring(keyring, { home, env });
  const entryOf = (registry: string) => readLogins(path).findLast((login) => login.registry === registry);
  const without = (registry: string) => (logins: LoginEntry[]) =>
    logins.filter((login) => login.registry !== registry);
  return {
    /** The file that lists the logins. */
    path,
    /** Logins without their tokens; asks no keyring. */
    list: () => readLogins(path).map(describeLogin),
    /** The token for a registry; `token` is undefined when the keyring does not give it. */
    async find(registry: string) {
      const entry = entryOf(registry);
      if (entry === undefined) return undefined;
      return { ...describeLogin(entry), token: entry.token ?? (await keyringOf(entry)?.find(registry)) };
    },
    /** Replaces the login of the registry. `triedKeyring`: there is a keyring, and it did not keep the token. */
    async store(
      registry: string,
      { account, token, expires }: Pick<StoredLogin, 'account' | 'expires'> & { readonly token: string },
    ) {
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
    /** The removed login; undefined when there was none. */
    async remove(registry: string) {
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
