// Collects facts about a skill for its trust score, from its directory, its manifest and its source.

import { readdirSync } from 'node:fs';
import { findRegistryField, type SkillManifest } from '../../skill/format/index.ts';
import type { ScanResult } from './finding.ts';
import type { TrustFacts } from './score-trust.ts';

/** Facts that the installer knows about a skill. */
interface FetchFacts {
  readonly repository?: string | undefined;
  readonly registry?: TrustFacts['registry'];
  readonly verified: boolean;
  readonly scan?: Pick<ScanResult, 'verdict' | 'bytes'> | undefined;
}

/** The facts about the skill in `dir`. A `trust-level` in its own manifest does not count. */
export function trustFactsOf(dir: string, manifest: SkillManifest, fetched: FetchFacts): TrustFacts {
  const text = (field: string): string | undefined => {
    const value = findRegistryField(manifest, field)?.value;
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  return {
    registry: fetched.registry,
    repository: fetched.repository,
    claimedRepository: text('repository'),
    license: manifest.license ?? text('license') ?? licenseFile(dir),
    version: text('version'),
    author: text('author'),
    scan: fetched.scan?.verdict,
    bytes: fetched.scan?.bytes,
    verified: fetched.verified,
  };
}

/** The name of a licence file in the skill's directory. */
function licenseFile(dir: string): string | undefined {
  try {
    return readdirSync(dir).find((name) => /^(?:licen[cs]e|copying)(?:[-.]|$)/i.test(name));
  } catch {
    // An unreadable directory has no licence file.
    return undefined;
  }
}
