// Makes the index of a version's sections, before its publication commits.

import type { Registry } from '../registry.ts';

/** Indexes the files in `directory` under the digest of their archive. */
export async function prepareVersion(
  _registry: Registry,
  _version: { readonly digest: string; readonly directory: string },
): Promise<void> {}

/** Forgets what was made of an archive that is gone. */
export async function forgetVersion(_registry: Registry, _digest: string): Promise<void> {}
