// Client for a registry: everything that only reads. It checks each answer against the one before: the index promises
// the digest of the version document, and that document the digest and size of the archive.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { removePath, sha256 } from '../../base/files/index.ts';
import {
  type IndexVersion,
  MAX_STATES,
  SearchPage,
  type SearchQuery,
  type SkillAddress,
  SkillIndex,
  StatesResponse,
  spellAddress,
  VersionDocument,
  type VersionState,
} from '../protocol/index.ts';
import { explainWithheld } from './choose-version.ts';
import { readJson } from './create-fetcher.ts';
import type { FetchOptions } from './fetcher.ts';
import { type IndexMemory, noMemory } from './index-memory.ts';
import { checkDigest, misunderstood } from './network-error.ts';
import { loginHelp, openPaths, type RegistryClientOptions, type RegistryPaths } from './registry-source.ts';

/** Options of one request. */
export type Asking = Pick<FetchOptions, 'signal' | 'timeout'>;

/** Reading operations of a registry. Each fails like the fetcher, and with E215 when the response breaks the protocol. */
export type RegistryClient = ReturnType<typeof createRegistryClient>;

const MAX_LOG_BYTES = 1024 * 1024;

/** A client for one registry. E206 when a token would be sent without https. */
export function createRegistryClient(
  options: RegistryClientOptions & { readonly memory?: IndexMemory | undefined },
) {
  const { fetcher, memory = noMemory } = options;
  const paths = openPaths(options);
  const { ifRefused = loginHelp(paths.base) } = options;
  const { at, headersFor } = paths;

  /** Runs a request; says what to do where the registry wants another token, or does not show the skill. */
  const explain = async <Value>(request: () => Promise<Value>, what?: string): Promise<Value> => {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof SkillwrightError) || error.help !== undefined) throw error;
      if (error.code === 'E202') throw error.withHelp(ifRefused);
      if (error.code !== 'E201' || what === undefined) throw error;
      const { detail, data } = error;
      const isOpen = options.token === undefined;
      const help = isOpen ? `check the name; if the skill is private, ${ifRefused}` : undefined;
      throw SkillwrightError.of('E201', { what }, { help, detail, data, cause: error });
    }
  };
  const getBytes = async (target: URL, asking: FetchOptions = {}) =>
    (await fetcher.get(target, { ...asking, headers: headersFor(target) })).body;

  return {
    url: paths.base.href,
    /** Whether the user's token goes along: a stranger sees public skills alone. */
    hasToken: options.token !== undefined,
    search(query: Partial<SearchQuery>, asking?: Asking): Promise<SearchPage> {
      const target = at('searchSkills');
      for (const [key, value] of Object.entries(query))
        if (value !== undefined && value !== '') target.searchParams.set(key, String(value));
      const options = { ...asking, headers: headersFor(target) };
      return explain(async () => (await fetcher.getJson(target, SearchPage, options)).value);
    },
    /** E201 when there is no such skill, E241 when it is older than one that was seen before. */
    async index(address: SkillAddress, asking?: Asking): Promise<SkillIndex> {
      const target = at('readSkill', address);
      const known = memory.read(target.href);
      const conditional = known === undefined ? {} : { 'if-none-match': known.etag };
      const request = () =>
        fetcher.get(target, {
          ...asking,
          accept: 'application/json',
          maxBytes: MAX_INDEX_BYTES,
          headers: { ...headersFor(target), ...conditional },
          expect: known === undefined ? [] : [304],
        });
      const answer = await explain(request, spellAddress(address));
      const body = answer.status === 304 && known !== undefined ? Buffer.from(known.body) : answer.body;
      const index = readJson(body, SkillIndex, answer.url);
      checkIndex(index, address, answer.url);
      if (answer.status !== 304)
        memory.keep(target.href, { index, etag: answer.headers.etag, body: Buffer.from(body).toString() });
      return index;
    },
    /** The document of a version in the index. E204 when it is not the one that the index promises. */
    async document(address: SkillAddress, version: IndexVersion, asking?: Asking): Promise<VersionDocument> {
      const target = at('readVersion', { ...address, version: version.version });
      const what = `${spellAddress(address)}@${version.version}`;
      const bytes = await explainWithheld(what, () => getBytes(target, asking));
      checkDigest(`the document of ${what}`, {
        promised: version.document,
        received: `sha256:${sha256(bytes)}`,
        url: target,
      });
      const document = readJson(bytes, VersionDocument, target.href);
      const { archive } = version;
      if (document.name !== spellAddress(address) || document.version !== version.version)
        throw misunderstood(target, `the document of ${document.name}@${document.version}, not of ${what}`);
      if (document.archive.digest !== archive)
        throw misunderstood(target, 'index and document name different archives');
      return document;
    },
    /** Downloads the archive to a new file. E204, and no file, when its digest differs. */
    async download(
      { name, version, archive }: VersionDocument,
      file: string,
      { maxBytes, ...asking }: Pick<FetchOptions, 'signal' | 'onProgress' | 'maxBytes'> = {},
    ) {
      const target = at('readArchive', { digest: archive.digest });
      const bound = Math.min(archive.size, maxBytes ?? archive.size);
      const what = `${name}@${version}`;
      const downloaded = await explainWithheld(what, () =>
        fetcher.download(target, file, { ...asking, headers: headersFor(target), maxBytes: bound }),
      );
      try {
        const received = `sha256:${downloaded.sha256}`;
        checkDigest(what, { url: target, promised: archive.digest, received });
      } catch (error) {
        removePath(file, { force: true });
        throw error;
      }
      return downloaded;
    },
    /** The states of installed versions, in their order. It never counts as a download. */
    async states(installed: Installed, asking?: Asking): Promise<VersionState[]> {
      const states: VersionState[] = [];
      for (let start = 0; start < installed.length; start += MAX_STATES) {
        const part = installed.slice(start, start + MAX_STATES);
        states.push(...(await explain(() => askStates(part, { paths, options, asking }))));
      }
      return states;
    },
    /** The proof that the log contains a version, as text. `isWitnessed`: with a checkpoint that witnesses have cosigned, if there is one. */
    async proof(
      address: SkillAddress,
      version: string,
      { isWitnessed = false, ...asking }: Asking & { readonly isWitnessed?: boolean } = {},
    ) {
      const target = at('proveVersion', { ...address, version });
      if (isWitnessed) target.searchParams.set('witnessed', 'yes');
      return Buffer.from(await getBytes(target, { ...asking, maxBytes: MAX_LOG_BYTES })).toString();
    },
    /** A resource of the log by its path below the registry: `log/key`, `log/tile/…`, `log/7/tile/…`. */
    log: (path: string, asking?: Asking): Promise<Uint8Array> =>
      getBytes(new URL(path, paths.base), { ...asking, maxBytes: MAX_LOG_BYTES }),
  };
}

const MAX_INDEX_BYTES = 16 * 1024 * 1024;

/** E215 when the index is of another skill or contradicts itself. */
function checkIndex(index: SkillIndex, address: SkillAddress, url: string): void {
  if (index.name !== spellAddress(address))
    throw misunderstood(url, `the index of ${index.name}, not of ${spellAddress(address)}`);
  const names = index.versions.map(({ version }) => version);
  const twice = names.find((version, place) => names.indexOf(version) !== place);
  if (twice !== undefined) throw misunderstood(url, `version ${twice} is listed twice`);
  const latest = index.versions.find(({ version }) => version === index.latest);
  if (index.latest !== null && latest?.installable.answer !== 'yes')
    throw misunderstood(url, `latest is ${index.latest}, which the index does not offer`);
}

type Installed = readonly { readonly name: string; readonly version: string }[];

async function askStates(
  installed: Installed,
  {
    paths: { at, headersFor },
    options: { fetcher },
    asking,
  }: { paths: RegistryPaths; options: RegistryClientOptions; asking: Asking | undefined },
): Promise<readonly VersionState[]> {
  const target = at('readStates');
  const answer = await fetcher.send(target, {
    ...asking,
    method: 'POST',
    body: Buffer.from(JSON.stringify({ installed })),
    headers: { ...headersFor(target), accept: 'application/json', 'content-type': 'application/json' },
  });
  const { states } = readJson(answer.body, StatesResponse, answer.url);
  const isAnswer =
    states.length === installed.length &&
    states.every(({ name, version }, index) => {
      const asked = installed[index]!;
      return name === asked.name && version === asked.version;
    });
  if (!isAnswer) throw misunderstood(target, 'the states are not those that were asked for');
  return states;
}
