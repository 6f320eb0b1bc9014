// Asks for the versions of a package without downloading one.

import { SkillwrightError } from '../../../../base/diagnostics/index.ts';
import type { SkillSource, SourceNotice } from '../../source/fetched-source.ts';
import type { SourceAnswer } from '../ask-source.ts';
import { makeFetcher } from '../download.ts';
import type { FetchContext } from '../fetch-context.ts';
import { chooseVersion, NpmPackage } from './npm-package.ts';
import { type NpmRegistry, readNpmRegistry } from './npm-registry.ts';

const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
const ACCEPT = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8';

/** The document of a package, and its registry. */
export async function readPackage(
  name: string,
  context: FetchContext,
): Promise<{ document: NpmPackage; registry: NpmRegistry }> {
  const registry = readNpmRegistry(name, context);
  const url = new URL(name.replace('/', '%2f'), registry.url).href;
  const { value } = await makeFetcher(context).getJson(url, NpmPackage, {
    accept: ACCEPT,
    headers: registry.headersFor(url),
    maxBytes: MAX_DOCUMENT_BYTES,
    signal: context.signal,
  });
  return { document: value, registry };
}

/** Asks for the versions of a package. E201 when none matches. */
export async function askNpm(
  { name, range }: Extract<SkillSource, { kind: 'npm' }>,
  context: FetchContext,
): Promise<SourceAnswer> {
  const { document } = await readPackage(name, context);
  return {
    wanted: { version: chooseVersion(name, document, range).version },
    latest: latestOf(name, document),
    noticesOf: (version) => npmNotices(document, version),
  };
}

/** A registry's warnings about a version. */
export function npmNotices({ versions }: NpmPackage, version: string | undefined): SourceNotice[] {
  const found = version !== undefined && Object.hasOwn(versions, version) ? versions[version] : undefined;
  const deprecated = found?.deprecated;
  return typeof deprecated === 'string' && deprecated.trim() !== ''
    ? [{ kind: 'deprecated', text: deprecated }]
    : [];
}

function latestOf(name: string, document: NpmPackage): SourceAnswer['latest'] {
  try {
    return { version: chooseVersion(name, document).version };
  } catch (error) {
    if (error instanceof SkillwrightError) return undefined;
    throw error;
  }
}
