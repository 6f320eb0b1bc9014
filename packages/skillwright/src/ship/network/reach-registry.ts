// Requests to a registry that may be on a private network.

import type { Workspace } from '../../skill/workspace/index.ts';
import type { Fetcher, FetchOptions } from './fetcher.ts';
import { isTrustedRegistry } from './registry-of.ts';

/**
 * The fetcher for a registry. It reaches this registry on any network if the user names it (`isNamed`) or has configured
 * it. Everything else stays subject to the address checks: other origins, redirects, and a registry that only a project
 * names.
 */
export async function reachRegistry(
  fetcher: Fetcher,
  { url, isNamed = false }: { readonly url: string; readonly isNamed?: boolean },
  workspace: Workspace,
): Promise<Fetcher> {
  if (!isNamed && !(await isTrustedRegistry(url, workspace))) return fetcher;
  const named = new URL(url).origin;
  const own = <Options extends FetchOptions>(options: Options): Options => ({ ...options, named });
  return {
    get: (target, options = {}) => fetcher.get(target, own(options)),
    head: (target, options = {}) => fetcher.head(target, own(options)),
    getJson: (target, schema, options = {}) => fetcher.getJson(target, schema, own(options)),
    download: (target, file, options = {}) => fetcher.download(target, file, own(options)),
    send: (target, options) => fetcher.send(target, own(options)),
  };
}
