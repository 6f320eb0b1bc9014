// Checks the kept proofs that registries' logs contain the installed versions. It uses no network.

import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { checkKeptProof, registryAt } from '../../network/index.ts';
import { spellAddress } from '../../protocol/index.ts';
import type { InstallContext } from '../place/install-place.ts';
import { readProof } from '../place/log-proofs.ts';
import type { Installed } from '../plan/find-installed.ts';
import { readSource } from '../source/read-source.ts';

/** Whether the log contains an installed version. */
export interface LogState {
  readonly state:
    | 'ok'
    /** No proof is kept. */
    | 'missing'
    /** The proof is not of this version, or not signed by the pinned key. */
    | 'bad'
    /** No key is pinned, so nothing was checked. */
    | 'unpinned';
  /** A sentence about it. */
  readonly why: string;
  /** Code of the error. */
  readonly code: string | null;
}

/** The states of the skills that come from registries. */
export async function checkProofs(
  found: readonly Installed[],
  context: InstallContext,
): Promise<Map<Installed, LogState>> {
  const states = new Map<Installed, LogState>();
  for (const skill of found)
    if (skill.entry.source.startsWith('registry+')) states.set(skill, await checkOne(skill, context));
  return states;
}

async function checkOne({ name, place, entry }: Installed, { workspace }: InstallContext): Promise<LogState> {
  const reading = { cwd: place.base, home: workspace.home, config: await workspace.config() };
  const bad = (why: string, code: string | null = null): LogState => ({ state: 'bad', why, code });
  try {
    const source = readSource(entry.source, reading);
    const { version, digest: archive, document } = entry.resolution;
    if (source.kind !== 'registry' || source.url === undefined) return bad('the source is not of a registry');
    if (version === undefined || archive === undefined || document === undefined)
      return bad('the lock lacks the version or its digests');
    const { key, url } = await registryAt({ url: source.url, owner: source.owner }, workspace);
    if (key === undefined)
      return { state: 'unpinned', why: `no key of the log of ${url} is pinned`, code: null };
    const proof = readProof(name, place);
    if (proof === null)
      return { state: 'missing', why: `no proof is kept; 'skc update ${name}' fetches it`, code: null };
    checkKeptProof({ name: spellAddress(source), version, document, archive }, proof, {
      key,
      url,
      workspace,
    });
    return { state: 'ok', why: `the log of ${url} contains it`, code: null };
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return bad(error.message, error.code);
  }
}
