// Checks that the log of a registry contains a version.

import { type Diagnostic, diagnose, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import {
  checkProof,
  type LogKey,
  type ProvedEntry,
  parseVerifierKey,
  spellVerifierKey,
} from '../log/index.ts';
import { parseAddress } from '../protocol/index.ts';
import { advanceKnown, checkAgainstKnown } from './known-checkpoint.ts';
import type { OpenRegistry } from './open-registry.ts';
import { readLogKey } from './read-log-key.ts';
import type { RegistryClient } from './registry-client.ts';
import { registryMemory } from './registry-memory.ts';
import { pinningCommand } from './registry-of.ts';

/** A version as its leaf in the log describes it. */
interface LoggedVersion {
  /** `@owner/name`. */
  readonly name: string;
  readonly version: string;
  readonly document: string;
  readonly archive: string;
}

/** The proof, if a key is pinned, and remarks for the user. */
interface LogCheck {
  readonly proof?: string | undefined;
  readonly remarks: readonly Diagnostic[];
}

/**
 * Fetches the proof of a version and checks it: signature, inclusion of exactly this version, and that the log has the past
 * that was seen before. E230 to E233, E242, E243. Without a pinned key nothing is checked, which W236 says.
 */
export async function checkLogged(
  logged: LoggedVersion,
  { client, key: pinned, url }: Pick<OpenRegistry, 'client' | 'key' | 'url'>,
  { workspace, signal }: { readonly workspace: Workspace; readonly signal: AbortSignal },
): Promise<LogCheck> {
  const address = parseAddress(logged.name)!;
  const asking = { client, owner: address.owner, workspace, signal };
  if (pinned === undefined) return { remarks: [await unpinned(asking)] };
  const what = `${logged.name}@${logged.version}`;
  const key = parseVerifierKey(pinned);
  const proof = await client.proof(address, logged.version, { signal }).catch((error: unknown) => {
    if (!(error instanceof SkillwrightError) || error.code !== 'E201') throw error;
    throw noProof(what, 'the registry has none', error);
  });
  try {
    const { checkpoint } = proofOf(logged, proof, key);
    const dir = registryMemory({ url, key: pinned }, workspace);
    return { proof, remarks: await advanceKnown(checkpoint, { key, dir, client, signal }) };
  } catch (error) {
    const isOtherKey = error instanceof SkillwrightError && error.code === 'E230';
    throw isOtherKey ? await otherKey(error, { ...asking, key }) : error;
  }
}

/** Checks a kept proof without the network. E230 to E233, E243. */
export function checkKeptProof(
  logged: LoggedVersion,
  proof: string,
  {
    key: pinned,
    url,
    workspace,
  }: { readonly key: string; readonly url: string; readonly workspace: Pick<Workspace, 'user'> },
): void {
  const key = parseVerifierKey(pinned);
  const { checkpoint } = proofOf(logged, proof, key);
  checkAgainstKnown(checkpoint, { key, dir: registryMemory({ url, key: pinned }, workspace) });
}

/** E243 when the proof is of another entry. */
function proofOf(logged: LoggedVersion, proof: string, key: LogKey): ProvedEntry {
  const proved = checkProof(proof, { key });
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

function noProof(what: string, why: string, cause?: unknown): SkillwrightError {
  return SkillwrightError.of('E243', { what, why }, { data: { what, why }, cause });
}

interface KeyAsking {
  readonly client: Pick<RegistryClient, 'url' | 'log'>;
  readonly owner: string;
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
}

async function unpinned(asking: KeyAsking): Promise<Diagnostic> {
  const { client, owner, workspace } = asking;
  const key = await readLogKey(client, asking);
  const help =
    key === undefined
      ? 'it offers no key'
      : `it offers this key; compare it with the one its operators publish, then pin it: ${await pinningCommand({ url: client.url, owner, key }, workspace)}`;
  return diagnose(
    'W236',
    { registry: client.url },
    { help, data: { registry: client.url, key: key ?? null } },
  );
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
