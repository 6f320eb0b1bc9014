// The states of up to a hundred installed versions in one request.

import { prerelease, satisfies } from 'semver';
import {
  parseAddress,
  type StatesRequest,
  type StatesResponse,
  type VersionState,
} from 'skillwright/registry-protocol';
import { type Caller, maySee } from '../access/index.ts';
import {
  installableOf,
  loadFacts,
  lookUpSkills,
  ratingOf,
  type SkillFacts,
  versionsIn,
  viewOf,
} from '../catalog/index.ts';
import type { Registry } from '../registry.ts';
import { settleSkills } from './refresh-skill.ts';

/** The states in the order of the request. Versions the caller may not see are unknown. Nothing counts as a download. */
export async function readStates(
  registry: Registry,
  caller: Caller,
  { installed }: StatesRequest,
): Promise<StatesResponse> {
  const addresses = installed.map(({ name }) => parseAddress(name)!);
  const now = registry.now();
  const look = async () =>
    (
      await lookUpSkills(
        registry,
        addresses.map((address) => ({ caller, address })),
      )
    ).map((row) => (row && maySee(caller, row) ? row : undefined));
  let skills = await look();
  const due = skills.filter((row) => row?.settleAt != null && row.settleAt <= now);
  for (const row of due) await settleSkills(registry, row!.id);
  if (due.length > 0) skills = await look();
  const facts = await loadFacts(registry, [
    ...new Map(skills.flatMap((row) => (row === undefined ? [] : [[row.id, row] as const]))).values(),
  ]);
  return {
    states: installed.map((asked, at) => {
      const skill = skills[at];
      return skill === undefined ? unknown(asked) : stateOf(facts.get(skill.id)!, { caller, asked, now });
    }),
  };
}

type Asked = StatesRequest['installed'][number];

function unknown({ name, version }: Asked): VersionState {
  return {
    name,
    version,
    known: false,
    latest: null,
    deprecated: null,
    installable: null,
    level: null,
    rating: null,
    downloads: null,
    versions: [],
    advisories: [],
  };
}

function stateOf(
  facts: SkillFacts,
  { caller, asked, now }: { caller: Caller; asked: Asked; now: Date },
): VersionState {
  const { skill } = facts;
  const versions = versionsIn(facts, viewOf(caller, skill));
  const row = versions.find(({ version }) => version === asked.version);
  return {
    name: asked.name,
    version: asked.version,
    known: row !== undefined,
    latest: skill.latest,
    deprecated: skill.deprecated,
    installable: row === undefined ? null : installableOf(row, now),
    level: skill.level,
    rating: ratingOf(skill),
    downloads: skill.downloads,
    versions: versions
      .filter((one) => installableOf(one, now).answer === 'yes')
      .map(({ version }) => version),
    advisories: facts.advisories.filter(({ affected }) => affects(affected, asked.version)),
  };
}

/** Whether a range names a version; prereleases count as the versions they are. */
function affects(range: string, version: string): boolean {
  return satisfies(version, range, { includePrerelease: prerelease(version) !== null });
}
