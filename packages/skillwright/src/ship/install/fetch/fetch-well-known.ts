// Skills published by a domain.

import { join } from 'node:path';
import { type Diagnostic, diagnosticOf, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { discardTemporary, makeDirectory } from '../../../base/files/index.ts';
import {
  type Fetcher,
  fetchWellKnownSkill,
  readWellKnown,
  type WellKnownSkill,
} from '../../network/index.ts';
import type {
  FetchContext,
  FetchedSkill,
  FetchedSource,
  Resolution,
  SkillSource,
} from '../source/fetched-source.ts';
import { checkPinned, downloadOptions, makeFetcher, unpack } from './fetch-archive.ts';
import { type StagingWorld, stageTree } from './fetch-source.ts';

type WellKnownSource = Extract<SkillSource, { kind: 'well-known' }>;

/**
 * Fetches the skills of a domain, or only the wanted ones. One that does not match its index becomes a diagnostic, or
 * the error if none is left. E204 when the resolution has a digest that the index no longer promises.
 */
export async function fetchWellKnown(
  source: WellKnownSource,
  { context, staging }: StagingWorld,
  resolution: Resolution = {},
): Promise<FetchedSource> {
  const fetcher = makeFetcher(context);
  context.progress(`${source.url}: looking for skills`);
  const found = await readWellKnown(source.url, fetcher, { signal: context.signal });
  const offered = found.skills.filter(({ name }) => context.only?.includes(name) ?? true);
  const wanted = keepPinned(offered, resolution.digest, source.url);
  const skills: FetchedSkill[] = [];
  const diagnostics: Diagnostic[] = [...found.diagnostics];
  let verified = true;
  let failure: SkillwrightError | undefined;
  for (const skill of wanted) {
    try {
      const staged = await fetchOne(skill, { fetcher, context, staging });
      diagnostics.push(...staged.diagnostics);
      skills.push(...staged.skills);
      verified &&= staged.verified;
    } catch (error) {
      if (!(error instanceof SkillwrightError) || error.code === 'E016') throw error;
      failure ??= error;
      const help = error.help ?? `'${skill.name}' is left out`;
      diagnostics.push({ ...diagnosticOf(error), help, data: { ...error.data, skill: skill.name } });
    }
  }
  if (skills.length === 0 && failure !== undefined) throw failure;
  const [only] = skills;
  return {
    source,
    resolution: skills.length === 1 && only?.resolution !== undefined ? only.resolution : {},
    skills,
    ...(context.only === undefined ? {} : { offered: found.skills.map(({ name }) => name) }),
    diagnostics,
    verified: verified && skills.length > 0,
    release: () => staging.release(),
  };
}

/** The digest a domain's index promises for a skill. Undefined when it promises none or lacks the skill. */
export async function promisedDigest(
  source: WellKnownSource,
  name: string,
  context: FetchContext,
): Promise<string | undefined> {
  const { skills } = await readWellKnown(source.url, makeFetcher(context), { signal: context.signal });
  const [skill, ...others] = skills.filter((one) => one.name === name);
  return skill === undefined || skill.type === 'files' || others.length > 0 ? undefined : skill.digest;
}

/** The skills whose promised digest is the pinned one, and those without a digest. */
function keepPinned(
  offered: readonly WellKnownSkill[],
  pinned: string | undefined,
  url: string,
): readonly WellKnownSkill[] {
  if (pinned === undefined) return offered;
  const kept = offered.filter((skill) => skill.type === 'files' || (skill.digest ?? pinned) === pinned);
  const [other] = offered;
  if (kept.length === 0 && other !== undefined && other.type !== 'files' && other.digest !== undefined)
    checkPinned(`${other.name} at ${url}`, { pinned, received: other.digest });
  if (kept.length === 0) throw SkillwrightError.of('E201', { what: `${pinned} at ${url}` });
  return kept;
}

async function fetchOne(
  skill: WellKnownSkill,
  world: StagingWorld & { fetcher: Fetcher },
): Promise<{ skills: FetchedSkill[]; diagnostics: readonly Diagnostic[]; verified: boolean }> {
  const { fetcher, context, staging } = world;
  const dir = join(staging.dir, 'download', skill.name);
  makeDirectory(dir);
  let root = dir;
  const { digest, verified } = await fetchWellKnownSkill(skill, fetcher, {
    dir,
    ...downloadOptions(skill.name, context),
    maxBytes: context.config.network.max_bytes,
    async extract(file, target) {
      root = (await unpack(file, target, { context, label: skill.name })).root;
    },
  });
  const staged = stageTree(root, { rootName: skill.name, prefix: skill.name }, { context, staging });
  discardTemporary(dir);
  const [first] = staged.skills;
  if (first !== undefined && first.name !== skill.name)
    throw SkillwrightError.of('E215', {
      url: skill.url,
      why: `the index names it ${skill.name}, but its SKILL.md names it ${first.name}`,
    });
  const resolution = digest === undefined ? {} : { resolution: { digest } };
  return {
    skills: staged.skills.slice(0, 1).map((found) => ({ ...found, within: skill.name, ...resolution })),
    diagnostics: staged.diagnostics,
    verified,
  };
}
