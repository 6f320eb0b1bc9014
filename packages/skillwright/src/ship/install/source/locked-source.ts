// Sources in the lock: spelled the same for every machine, fetched again exactly, and checked for tags that moved.

import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catchCoded, diagnose, hideSecrets, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { isInside } from '../../../base/files/index.ts';
import { type Config, writeConfigValue } from '../../../skill/config/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import { registryAt, registryOf, spellRegistrySource, unconfirmedRegistry } from '../../network/index.ts';
import { spellAddress } from '../../protocol/index.ts';
import { type Origin, showOrigin } from '../../results/index.ts';
import type { SourceAnswer } from '../fetch/fetch-source.ts';
import type { LockedSkill } from '../lock/lock.ts';
import type { InstallContext, InstallPlace } from '../place/install-place.ts';
import { diagnoseNotice } from '../place/remembered.ts';
import type { FetchContext, FetchedSource, Resolution, SkillSource } from './fetched-source.ts';
import { readSource, spellDiskRepository } from './read-source.ts';

/** Environment for fetching a locked source. */
export interface SourceOptions {
  readonly context: InstallContext;
  readonly config: Config;
  /** Never touches the network. */
  readonly offline: boolean;
  /** Names of the wanted skills, for sources that can fetch them alone; all without them. */
  readonly only?: readonly string[] | undefined;
  /** A marketplace's statement about the source. */
  readonly plugin?: FetchContext['plugin'];
}

/** A source as the lock spells it: local paths are relative to the project or the home directory. */
export function spellForLock(source: SkillSource, place: Pick<InstallPlace, 'base' | 'home'>): string {
  if (source.kind === 'git' && source.url.startsWith('file:'))
    return spellDiskRepository(spellPlace(fileURLToPath(source.url), place), source);
  const path = source.kind === 'path' ? source.path : source.kind === 'archive' ? source.location : undefined;
  return path === undefined || /^https?:/i.test(path) ? spellSource(source) : spellPlace(path, place);
}

function spellPlace(path: string, { base, home }: Pick<InstallPlace, 'base' | 'home'>): string {
  if (base !== home && isInside(base, path)) return ['.', ...partsOf(base, path)].join('/');
  if (isInside(home, path)) return ['~', ...partsOf(home, path)].join('/');
  return partsOf(base, path).join('/');
}

const partsOf = (from: string, to: string) =>
  relative(from, to)
    .split(sep)
    .filter((part) => part !== '');

/** The facts of a resolution that the lock has. */
export function lockedResolution(resolution: Resolution): LockedSkill['resolution'] {
  const { commit, tag, version, digest, document } = resolution;
  return { commit, tag, version, digest, document };
}

/** The source of a locked skill. E210 when it is no longer valid, such as a deleted directory. */
export async function lockedSource(
  name: string,
  entry: Pick<LockedSkill, 'source'>,
  { place, options }: { place: InstallPlace; options: SourceOptions },
): Promise<SkillSource> {
  const { context, config } = options;
  const { workspace } = context;
  const help = `if it has moved, install it from its new place with --force, or remove it: skc uninstall ${name} --scope ${place.scope}`;
  const read = catchCoded(
    () => readSource(entry.source, { cwd: place.base, home: workspace.home, config }),
    (error): never => {
      throw error.withHelp(help);
    },
  );
  if (read.kind !== 'registry') return read;
  // A lock without a registry means the user's: otherwise a project could substitute its own.
  const source = read.url === undefined ? await chooseRegistry(read, { scope: 'user', workspace }) : read;
  if (read.url === undefined && source.url !== undefined)
    context.report(diagnose('W217', { skill: name, url: source.url }));
  await confirmRegistry(source, { place, context });
  return source;
}

/** A registry source with the registry that serves its owner; any other source as it is. */
export async function chooseRegistry<Source extends SkillSource>(
  source: Source,
  { scope, workspace }: { readonly scope: InstallPlace['scope']; readonly workspace: Workspace },
): Promise<Source> {
  if (source.kind !== 'registry' || source.url !== undefined) return source;
  const chosen = await registryOf({ owner: source.owner, scope }, workspace);
  return chosen === undefined ? source : { ...source, url: chosen.url };
}

/**
 * Lets a project use a registry that the user chose or has confirmed, and asks once for any other. Skills installed for
 * the user come from registries the user named. E220 when it is not confirmed.
 */
export async function confirmRegistry(
  source: SkillSource,
  { place, context }: { place: Pick<InstallPlace, 'scope'>; context: InstallContext },
): Promise<void> {
  if (source.kind !== 'registry' || source.url === undefined || place.scope === 'user') return;
  const { workspace, ask } = context;
  const { url, owner } = source;
  if (confirmedNow.has(`${workspace.user.root} ${url}`)) return;
  const { isConfirmed, mayBeTrusted } = await registryAt({ url, owner }, workspace);
  if (isConfirmed) return;
  const isAgreed =
    mayBeTrusted &&
    (await ask?.confirm(`This project uses the registry ${url}, which you have not used before. Use it?`));
  if (isAgreed !== true) throw await unconfirmedRegistry({ url, owner }, workspace);
  const { trusted } = (await workspace.config()).registry;
  writeConfigValue(workspace.user.config, 'registry.trusted', [...trusted, url]);
  // The configuration of this run was read earlier and does not have it.
  confirmedNow.add(`${workspace.user.root} ${url}`);
}

const confirmedNow = new Set<string>();

/** The source without its version: the newest. */
export function newestOf(source: SkillSource): SkillSource {
  if (source.kind === 'git') return { ...source, ref: undefined };
  return source.kind === 'npm' || source.kind === 'registry' ? { ...source, range: undefined } : source;
}

/** True for a source on this machine. */
function isLocal(source: SkillSource): boolean {
  if (source.kind === 'archive') return !/^https?:/i.test(source.location);
  return source.kind === 'path' || (source.kind === 'git' && source.url.startsWith('file:'));
}

/**
 * Fetches a source; with a resolution exactly that state. E217 when that needs the network and the command is
 * offline.
 */
export async function fetchUnlessOffline(
  source: SkillSource,
  options: SourceOptions,
  resolution?: Resolution,
): Promise<FetchedSource> {
  const { context, offline } = options;
  if (offline && !isLocal(source))
    throw SkillwrightError.of('E217', { what: showSource(spellSource(source)) });
  const { fetchSource } = await import('../fetch/fetch-source.ts');
  const fetched = await fetchSource(source, fetchContextOf(options), resolution);
  for (const notice of fetched.notices ?? []) context.report(diagnoseNotice(labelOf(fetched), notice));
  for (const remark of fetched.remarks ?? []) context.report(remark);
  return fetched;
}

/** The source's current version. Undefined when only fetching can tell. E217 as above. */
export async function askUnlessOffline(
  source: SkillSource,
  name: string,
  options: SourceOptions,
): Promise<SourceAnswer | undefined> {
  if (isLocal(source)) return undefined;
  if (options.offline) throw SkillwrightError.of('E217', { what: showSource(spellSource(source)) });
  const { askSource } = await import('../fetch/fetch-source.ts');
  return askSource(source, name, fetchContextOf(options));
}

/** The context for fetching. */
export function fetchContextOf({ context, config, only, plugin }: SourceOptions): FetchContext {
  const { workspace, signal } = context;
  const { cwd, home, env } = workspace;
  const progress = (text: string) => context.progress(text);
  return { workspace, cwd, home, env, config, signal, progress, only, plugin };
}

/** The skill or package and its version, for notices. */
function labelOf({ source, resolution }: Pick<FetchedSource, 'source' | 'resolution'>): string {
  const name =
    source.kind === 'registry'
      ? spellAddress(source)
      : source.kind === 'npm'
        ? source.name
        : spellSource(source);
  return resolution.version === undefined ? name : `${name}@${resolution.version}`;
}

/** The canonical spelling of a source, for locks and messages: `readSource` parses it back. */
export function spellSource(source: SkillSource): string {
  switch (source.kind) {
    case 'path':
      return source.path;
    case 'archive':
      return source.location;
    case 'well-known':
      return source.url;
    case 'registry':
      if (source.url !== undefined) return spellRegistrySource({ ...source, url: source.url });
      return `${spellAddress(source)}${source.range === undefined ? '' : `@${source.range}`}`;
    case 'npm':
      return `npm:${source.name}${source.range === undefined ? '' : `@${source.range}`}`;
    case 'git': {
      const { url, ref = '', subpath } = source;
      const isPlain = /^(?:https?:\/\/.*\.git|ssh:\/\/.*)$/.test(url) || !/^[a-z+]+:\/\//.test(url);
      const part = subpath === undefined ? ref : `${ref}:${subpath}`;
      return `${isPlain ? '' : 'git+'}${url}${part === '' ? '' : `#${part}`}`;
    }
  }
}

/** A spelled source as results have it: without secrets, and with the registry and the name in it, if it has them. */
export function describeSource(spelled: string): { readonly source: string; readonly origin: Origin } {
  const source = hideSecrets(spelled);
  const [, registry, name] = /^registry\+([^#]*)#(@[^@]*)/s.exec(source) ?? [];
  return { source, origin: registry === undefined || name === undefined ? null : { registry, name } };
}

/** A spelled source as people read it: `@owner/name (https://registry/)` for a skill of a registry. */
export function showSource(spelled: string): string {
  return showOrigin(describeSource(spelled));
}

/** Starts work once for each key: others that ask wait for the same. */
export function createOnce<Result>() {
  const known = new Map<string, Promise<Result>>();
  return {
    get(key: unknown, start: () => Promise<Result>): Promise<Result> {
      const word = JSON.stringify(key);
      const before = known.get(word);
      if (before !== undefined) return before;
      const started = start();
      // The awaiting caller, if any, handles the failure.
      started.catch(() => {});
      known.set(word, started);
      return started;
    },
    all: () => known.values(),
  };
}

/** Sources by a key. */
export interface SourceCache {
  /** The source of a key, fetched on first use. */
  get(key: unknown, fetch: () => Promise<FetchedSource>): Promise<FetchedSource>;
  /** Removes fetched sources, including those still being fetched. */
  release(): void;
}

/** Makes an empty cache. */
export function createSourceCache(): SourceCache {
  const open = createOnce<FetchedSource>();
  return {
    get: open.get,
    release() {
      for (const fetching of open.all())
        fetching.then(
          (fetched) => fetched.release(),
          () => {},
        );
    },
  };
}

/** E221 when a locked tag or version was moved; undefined otherwise. `command` is the one that would install it. */
export function movedError(
  { source, resolution: before }: Pick<LockedSkill, 'source' | 'resolution'>,
  { after, command }: { readonly after: Resolution; readonly command: string },
): SkillwrightError | undefined {
  const moved = (what: string, installed: string, now: string) =>
    SkillwrightError.of(
      'E221',
      { what: hideSecrets(what) },
      {
        help: `ask its publisher; to accept the new content: ${command} --accept-moved`,
        detail: `  installed ${installed}\n  now       ${now}`,
        data: { before: installed, after: now },
      },
    );
  const isTag = before.tag === true || after.tag === true;
  if (isTag && before.commit !== undefined && after.commit !== undefined && before.commit !== after.commit)
    return moved(`tag ${refOf(source) ?? ''} of ${repositoryIn(source)}`, before.commit, after.commit);
  const isVersion = before.version !== undefined && before.version === after.version;
  if (
    isVersion &&
    before.digest !== undefined &&
    after.digest !== undefined &&
    before.digest !== after.digest
  )
    return moved(`version ${before.version} of ${source}`, before.digest, after.digest);
  return undefined;
}

/** Whether two sources, as locks spell them, name the same ref of the same repository. */
export function isSameRef(a: string, b: string): boolean {
  return repositoryIn(a) === repositoryIn(b) && refOf(a) !== undefined && refOf(a) === refOf(b);
}

const repositoryIn = (source: string) => source.split('#', 1)[0]!;

/** The ref after the `#` of a git source. */
function refOf(source: string): string | undefined {
  const ref = source.split('#')[1]?.split(':')[0];
  return ref === '' ? undefined : ref;
}
