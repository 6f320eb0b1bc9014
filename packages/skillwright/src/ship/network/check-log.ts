// Checks that the log of a registry contains a version.

import { type Diagnostic, diagnose, orUndefined, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import {
  checkProof,
  type LogKey,
  type OpenedCheckpoint,
  openCheckpoint,
  type ProvedEntry,
  parseVerifierKey,
  spellVerifierKey,
} from '../log/index.ts';
import { parseAddress } from '../protocol/index.ts';
import { advanceKnown, checkAgainstKnown, hasKnown } from './known-checkpoint.ts';
import type { OpenRegistry } from './open-registry.ts';
import type { RegistryClient } from './registry-client.ts';
import { forgettingCommand, registryMemory, rememberedKey, rememberKey } from './registry-memory.ts';
import { type ChosenRegistry, pinningCommand } from './registry-of.ts';

/** A version as its leaf in the log describes it. */
interface LoggedVersion {
  /** `@owner/name`. */
  readonly name: string;
  readonly version: string;
  readonly document: string;
  readonly archive: string;
  /** Whether the registry calls the skill public; undefined where nobody asks it. */
  readonly isPublic?: boolean | undefined;
}

/**
 * Fetches the proof of a version and checks it: signature, inclusion of exactly this version, and that the log has the past
 * that was seen before. Returns the proof, if a key is pinned, and remarks for the user. E230 to E233, E242 to E244. Without a configured key the first one that the registry offers is pinned,
 * which W239 says.
 */
export async function checkLogged(
  logged: LoggedVersion,
  { client, key: configured, url, witnesses }: Pick<OpenRegistry, 'client' | 'key' | 'url' | 'witnesses'>,
  { workspace, signal }: { readonly workspace: Workspace; readonly signal: AbortSignal },
): Promise<{ readonly proof?: string; readonly remarks: readonly Diagnostic[] }> {
  const address = parseAddress(logged.name)!;
  const asking = { client, owner: address.owner, workspace, signal };
  const pinned = configured ?? (await pinFirst(asking, url));
  if (pinned === undefined) return { remarks: [unchecked(client.url)] };
  const first = configured === undefined ? [pinnedNow(client.url, pinned)] : [];
  const what = `${logged.name}@${logged.version}`;
  const key = parseVerifierKey(pinned);
  const isWitnessed = witnesses !== undefined;
  const proof = await client
    .proof(address, logged.version, { signal, isWitnessed })
    .catch((error: unknown) => {
      if (!(error instanceof SkillwrightError) || error.code !== 'E201') throw error;
      throw noProof(what, 'the registry has none', error);
    });
  try {
    const { checkpoint, isPrivate } = proofOf(logged, proof, { key, url, witnesses });
    if (isPrivate && (logged.isPublic !== false || !client.hasToken))
      throw noProof(
        what,
        'the skill is public, and the log hides its entry: nobody could notice a second one',
      );
    const dir = registryMemory({ url, key: pinned }, workspace);
    const remarks = await advanceKnown(checkpoint, { key, dir, client, signal });
    return { proof, remarks: [...first, ...remarks] };
  } catch (error) {
    const isOtherKey = error instanceof SkillwrightError && error.code === 'E230';
    throw isOtherKey ? await otherKey(error, { ...asking, key }) : error;
  }
}

/**
 * Compares the newest checkpoint of a registry with the one this machine has seen, before its answers are believed. Asks nothing
 * where none was seen. E230 to E233 and E242; W237 when the registry shows an older state.
 */
export async function checkNewest(
  { client, key: pinned, url }: Pick<OpenRegistry, 'client' | 'key' | 'url'>,
  { workspace, signal }: { readonly workspace: Workspace; readonly signal: AbortSignal },
): Promise<Diagnostic[]> {
  if (pinned === undefined) return [];
  const log = { key: parseVerifierKey(pinned), dir: registryMemory({ url, key: pinned }, workspace) };
  if (!hasKnown(log)) return [];
  const note = Buffer.from(await client.log('log/newest', { signal })).toString();
  return advanceKnown(openCheckpoint(note, log), { ...log, client, signal });
}

/** Checks a kept proof without the network. E230 to E233, E243, E244. */
export function checkKeptProof(
  logged: LoggedVersion,
  proof: string,
  {
    key: pinned,
    url,
    witnesses,
    workspace,
  }: Pick<ChosenRegistry, 'url' | 'witnesses'> & {
    readonly key: string;
    readonly workspace: Pick<Workspace, 'user'>;
  },
): void {
  const key = parseVerifierKey(pinned);
  const { checkpoint } = proofOf(logged, proof, { key, url, witnesses });
  checkAgainstKnown(checkpoint, { key, dir: registryMemory({ url, key: pinned }, workspace) });
}

/** E243 when the proof is of another entry, E244 when too few witnesses saw its checkpoint. */
function proofOf(
  logged: LoggedVersion,
  proof: string,
  { key, url, witnesses }: Pick<ChosenRegistry, 'url' | 'witnesses'> & { readonly key: LogKey },
): ProvedEntry {
  const proved = checkProof(proof, { key, witnesses: (witnesses?.keys ?? []).map(parseVerifierKey) });
  demandQuorum(proved.checkpoint, { url, witnesses });
  const { entry } = proved;
  const what = `${logged.name}@${logged.version}`;
  if (entry.kind !== 'version') throw noProof(what, `the proof is of an entry of kind ${entry.kind}`);
  if (entry.name !== logged.name || entry.version !== logged.version)
    throw noProof(what, `the proof is of ${entry.name}@${entry.version}`);
  for (const part of ['document', 'archive'] as const)
    if (entry[part] !== logged[part])
      throw noProof(what, `the log has another ${part}: ${entry[part]}, not ${logged[part]}`);
  return proved;
}

function demandQuorum(
  { cosignatures }: OpenedCheckpoint,
  { url, witnesses }: Pick<ChosenRegistry, 'url' | 'witnesses'>,
): void {
  const count = new Set(cosignatures.map(({ key }) => spellVerifierKey(key))).size;
  if (witnesses === undefined || count >= witnesses.quorum) return;
  const data = { registry: url, count: String(count), quorum: String(witnesses.quorum) };
  throw SkillwrightError.of('E244', data, { data });
}

function noProof(what: string, why: string, cause?: unknown): SkillwrightError {
  return SkillwrightError.of('E243', { what, why }, { data: { what, why }, cause });
}

interface KeyAsking {
  readonly client: Pick<RegistryClient, 'url' | 'log'>;
  readonly owner: string;
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
}

/** Pins the key that the registry offers, if this machine has not seen another one before. Undefined when it offers none. */
async function pinFirst(asking: KeyAsking, url: string): Promise<string | undefined> {
  const { client, workspace } = asking;
  const known = rememberedKey(url, workspace);
  if (known !== undefined) return known;
  const key = await readLogKey(client, asking);
  if (key !== undefined) rememberKey({ url, key }, workspace);
  return key;
}

function unchecked(registry: string): Diagnostic {
  return diagnose('W236', { registry }, { data: { registry, key: null } });
}

function pinnedNow(registry: string, key: string): Diagnostic {
  const help = `compare it with the key its operators publish; if it is another: ${forgettingCommand(registry)}`;
  return diagnose('W239', { registry, key }, { help, data: { registry, key } });
}

/** E230 with the key that the registry offers now. */
async function otherKey(
  { data, detail }: SkillwrightError,
  asking: KeyAsking & { readonly key: LogKey },
): Promise<SkillwrightError> {
  const { client, owner, workspace, key } = asking;
  const offered = await readLogKey(client, asking);
  const isNew = offered !== undefined && offered !== spellVerifierKey(key);
  const help = isNew
    ? `it offers another key now; only if its operators confirm it: ${await pinningCommand({ url: client.url, owner, key: offered }, workspace)}`
    : 'tell the people who run the registry';
  return SkillwrightError.of(
    'E230',
    { origin: key.name },
    { help, detail, data: { ...data, registry: client.url, key: offered ?? null } },
  );
}

/** The key that the registry offers, normalised; undefined when it offers none that can be used. */
export async function readLogKey(
  client: Pick<RegistryClient, 'log'>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<string | undefined> {
  const bytes = await client
    .log('log/key', signal === undefined ? {} : { signal })
    .catch((error: unknown) => {
      if (error instanceof SkillwrightError) return undefined;
      throw error;
    });
  return bytes && orUndefined(() => spellVerifierKey(parseVerifierKey(Buffer.from(bytes).toString())));
}
