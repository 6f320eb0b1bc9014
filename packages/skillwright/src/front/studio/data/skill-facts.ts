// Facts about one skill that the list and its page show. Read when they are needed, and kept until the skill changes.

import { basename, dirname, join } from 'node:path';
import { attempt } from '../../../base/diagnostics/index.ts';
import { readTextInside, realPath } from '../../../base/files/index.ts';
import { estimateTokens } from '../../../base/tokens/index.ts';
import { findRuntimeOf } from '../../../read/access/index.ts';
import type { SkillRecord } from '../../../read/catalog/index.ts';
import { type InstalledEntry, type InstallFacts, readInstallFacts } from '../../../ship/install/index.ts';
import { readSkillText } from '../../../skill/format/index.ts';
import { buildRecord, readBuildManifest, SKILL_FILE, scopeOf } from '../../../skill/skill/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import type { StudioSkill } from '../views/skills-view.ts';

/** The facts. */
export interface SkillFacts {
  readonly runtime: string;
  readonly form: StudioSkill['form'];
  readonly formWhy: string | null;
  readonly tokens: number | null;
  readonly stubTokens: number | null;
  readonly version: string | null;
  /** How it was installed; undefined for one of the user's own. */
  readonly install: InstallFacts | undefined;
}

/** Facts that change only with the skill or its build. */
type LastingFacts = Omit<SkillFacts, 'install' | 'version'>;

/** Facts that were read before, by the state of the skill. */
export type KeptFacts = Map<string, LastingFacts>;

/** Reads facts. */
export interface FactReader {
  of(skill: SkillRecord): Promise<SkillFacts>;
  /** Tokens of its SKILL.md, if they were counted before. */
  tokens(skill: SkillRecord): number | null;
  /** How it was installed; undefined for one of the user's own. */
  install(skill: SkillRecord): InstallFacts | undefined;
  /** The same, with its entry in the lock. */
  installed(skill: SkillRecord): InstalledEntry | undefined;
  /** Changes whenever locks or results of checks are read again. */
  readonly edition: object;
}

/** The locks, and the results of the last check for updates, are read again after this time. */
const INSTALL_MS = 10_000;

/** Facts of installed skills by path, as of one reading of the locks. */
interface InstalledSkills {
  readonly of: ReturnType<typeof readInstallFacts>;
  readonly at: number;
  readonly known: Map<string, InstalledEntry | undefined>;
}

/** Reads facts in a workspace. */
export function createFactReader(workspace: Workspace, kept: KeptFacts): FactReader {
  let locks: InstalledSkills | undefined;
  const readLocks = (): InstalledSkills => {
    if (locks === undefined || performance.now() - locks.at > INSTALL_MS)
      locks = { of: readInstallFacts(workspace), at: performance.now(), known: new Map() };
    return locks;
  };
  const stores = workspace.stores.map((store) => ({ store, real: realPath(store.skills) }));
  const installed = ({ dir, path }: SkillRecord): InstalledEntry | undefined => {
    const { of, known } = readLocks();
    if (known.has(path)) return known.get(path);
    const found = stores.find(({ real }) => real === dirname(dir));
    const name = basename(dir);
    const entry = found && of(found.store.scope, join(found.store.skills, name), name);
    known.set(path, entry);
    return entry;
  };
  const install = (skill: SkillRecord) => installed(skill)?.facts;
  const lasting = async (skill: SkillRecord): Promise<LastingFacts> => {
    const before = kept.get(keyOf(skill));
    if (before !== undefined) return before;
    const { dir } = skill;
    const runtime = await findRuntimeOf({ dir, scope: scopeOf(dir, workspace) }, workspace);
    const isBuilt = skill.compiled && buildRecord(workspace.home).runtime(runtime) !== undefined;
    const manifest = isBuilt ? readBuildManifest(runtime) : undefined;
    const form = manifest === undefined ? null : (manifest.form ?? 'stub');
    const text = attempt(() => readSkillText(dir));
    const tokens = text === undefined || text.problem !== undefined ? null : estimateTokens(text.text);
    const stub = form === null || form === 'whole' ? undefined : stubAt(runtime);
    const facts = {
      runtime,
      form,
      formWhy: manifest?.why ?? null,
      tokens,
      stubTokens: stub === undefined ? tokens : estimateTokens(stub),
    };
    kept.set(keyOf(skill), facts);
    return facts;
  };
  return {
    install,
    installed,
    get edition() {
      return readLocks();
    },
    tokens: (skill) => kept.get(keyOf(skill))?.tokens ?? null,
    async of(skill) {
      const found = install(skill);
      const version = found?.version ?? found?.commit?.slice(0, 12) ?? writtenVersion(skill);
      return { ...(await lasting(skill)), install: found, version };
    },
  };
}

const keyOf = ({ path, digest, compiled, deployed }: SkillRecord) =>
  `${path}\0${digest}\0${compiled}\0${deployed.length}`;

function stubAt(runtime: string): string | undefined {
  return attempt(() => readTextInside(runtime, SKILL_FILE));
}

/** The version in the frontmatter. */
function writtenVersion({ frontmatter }: SkillRecord): string | null {
  const { metadata, version } = frontmatter;
  const inner =
    typeof metadata === 'object' && metadata !== null
      ? (metadata as { version?: unknown }).version
      : undefined;
  const found = [version, inner].find((one) => typeof one === 'string' || typeof one === 'number');
  return found === undefined ? null : String(found);
}
