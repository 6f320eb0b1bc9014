// Facts about one skill that the list and its page show. Read when they are needed, and kept until the skill changes.

import { basename, dirname, join } from 'node:path';
import { attempt } from '../../../base/diagnostics/index.ts';
import { readTextInside, realPath } from '../../../base/files/index.ts';
import { estimateTokens } from '../../../base/tokens/index.ts';
import type { ScanVerdict } from '../../../guard/scan/index.ts';
import { findRuntimeOf } from '../../../read/access/index.ts';
import type { SkillRecord } from '../../../read/catalog/index.ts';
import { type InstalledEntry, readInstallFacts } from '../../../ship/install/index.ts';
import { readSkillText } from '../../../skill/format/index.ts';
import {
  buildRecord,
  type DeployForm,
  readBuildManifest,
  SKILL_FILE,
  scopeOf,
} from '../../../skill/skill/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import { keepRecent } from './keep-read.ts';
import { showPlace } from './show-place.ts';
import type { StudioState } from './studio-state.ts';
import type { Look } from './take-look.ts';
import type { TimeRange, UseCount } from './usage-counts.ts';

/** Result of a scan; `unknown` until these files are scanned. */
export type ShownVerdict = ScanVerdict | 'unknown';

/** A skill of the list, and how it is deployed, installed, judged and used. */
export type SkillRow = Pick<SkillRecord, 'id' | 'name' | 'description' | 'scope' | 'enabled'> &
  Omit<LastingFacts, 'runtime' | 'form'> & {
    /** Form it is deployed in; `unmanaged` when agents see it and skc did not deploy it, null when no agent sees it. */
    readonly form: ShownForm | null;
    /** Its directory, as the user writes it. */
    readonly place: string;
    /** Agents of this machine that see it. */
    readonly agents: readonly string[];
    readonly verdict: ShownVerdict;
    /** As `skc list` has it; null for one of the user's own. */
    readonly install: InstalledEntry['facts'] | null;
    readonly version: string | null;
    /** Why an agent cannot use it: off, locked by a quiz, a missing requirement, hidden by another; null when it can. */
    readonly unavailable: string | null;
    readonly use: UseCount;
  };

/** Form of a skill in the directory of an agent. */
type ShownForm = DeployForm | 'unmanaged';

/** Facts that change only with the skill or its build. */
export interface LastingFacts {
  readonly runtime: string;
  /** Form it is deployed in, and why; null when it is not deployed. */
  readonly form: DeployForm | null;
  readonly why: string | null;
  /** Tokens of SKILL.md, and of what an agent loads first; null when unknown. */
  readonly tokens: number | null;
  readonly stub_tokens: number | null;
}

/** Reads facts. */
export interface FactReader {
  of(skill: SkillRecord): Promise<LastingFacts>;
  /** Tokens of its SKILL.md, if they were counted before. */
  tokens(skill: SkillRecord): number | null;
  /** How it was installed, with its entry in the lock; undefined for one of the user's own. */
  installed(skill: SkillRecord): InstalledEntry | undefined;
}

/** The locks, and the results of the last check for updates, are read again after this time. */
const INSTALL_MS = 10_000;

/** Reads facts in a workspace. `kept` has those that were read before, by the state of the skill. */
export function createFactReader(workspace: Workspace, kept: Map<string, LastingFacts>): FactReader {
  const locks = keepRecent(
    () => ({
      of: readInstallFacts(workspace),
      known: new Map<string, InstalledEntry | undefined>(),
    }),
    { ms: INSTALL_MS },
  );
  const stores = workspace.stores.map((store) => ({ store, real: realPath(store.skills) }));
  return {
    installed({ dir, path }) {
      const { of, known } = locks();
      if (known.has(path)) return known.get(path);
      const found = stores.find(({ real }) => real === dirname(dir));
      const name = basename(dir);
      const entry = found && of(found.store.scope, join(found.store.skills, name), name);
      known.set(path, entry);
      return entry;
    },
    tokens: (skill) => kept.get(factKey(skill))?.tokens ?? null,
    async of(skill) {
      const facts = kept.get(factKey(skill)) ?? (await readLasting(skill, workspace));
      kept.set(factKey(skill), facts);
      return facts;
    },
  };
}

const factKey = ({ path, digest, compiled, deployed }: SkillRecord) =>
  `${path}\0${digest}\0${compiled}\0${deployed.length}`;

async function readLasting({ dir, compiled }: SkillRecord, workspace: Workspace): Promise<LastingFacts> {
  const runtime = await findRuntimeOf({ dir, scope: scopeOf(dir, workspace) }, workspace);
  const isBuilt = compiled && buildRecord(workspace.home).runtime(runtime) !== undefined;
  const manifest = isBuilt ? readBuildManifest(runtime) : undefined;
  const form = manifest === undefined ? null : (manifest.form ?? 'stub');
  const text = attempt(() => readSkillText(dir));
  const tokens = text === undefined || text.problem !== undefined ? null : estimateTokens(text.text);
  const hasStub = form !== null && form !== 'whole';
  const stub = hasStub ? attempt(() => readTextInside(runtime, SKILL_FILE)) : undefined;
  return {
    runtime,
    form,
    why: manifest?.why ?? null,
    tokens,
    stub_tokens: stub === undefined ? tokens : estimateTokens(stub),
  };
}

/** The facts about a skill, and its use in a range of time. */
export async function skillRow(
  skill: SkillRecord,
  { look, range }: { look: Look; range: TimeRange },
  state: StudioState,
): Promise<SkillRow> {
  const { runtime, form, ...facts } = await look.facts.of(skill);
  const agents = state.agentsOf(skill.dir);
  const install = look.facts.installed(skill)?.facts ?? null;
  const { name, description, scope, enabled } = skill;
  return {
    ...{ id: look.addressOf(skill), name, description, scope, enabled, install },
    ...facts,
    place: showPlace(skill.dir, look.context.workspace),
    agents,
    form: form ?? (agents.length === 0 ? null : 'unmanaged'),
    verdict: state.verdicts.of(skill) ?? 'unknown',
    version: install?.version ?? install?.commit?.slice(0, 12) ?? writtenVersion(skill),
    unavailable: look.unavailable(skill) ?? null,
    use: { ...state.usage.of(skill.dir, range), last_access: state.usage.of(skill.dir).last_access },
  };
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
