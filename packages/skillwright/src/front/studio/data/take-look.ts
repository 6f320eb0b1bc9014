// Takes looks at the skills. A request takes one and hands it on.

import { foldText } from '../../../base/markdown/index.ts';
import {
  createCatalogKeeper,
  loadCatalog,
  type SkillCatalog,
  type SkillRecord,
} from '../../../read/catalog/index.ts';
import type { IndexCache } from '../../../read/index/index.ts';
import type { Reason } from '../../../skill/judge/index.ts';
import { keepWorkspace, type Workspace } from '../../../skill/workspace/index.ts';
import {
  type CommandContext,
  type FrontContext,
  openCatalog,
  openContext,
  showPath,
} from '../../commands/index.ts';
import { createFactReader, type FactReader, type LastingFacts } from './skill-facts.ts';

/** The skills at one time. */
export interface Look {
  readonly context: CommandContext;
  readonly catalog: SkillCatalog;
  /** Directories of skills whose text the user may not read now. */
  readonly sealed: ReadonlySet<string>;
  /** By the address of its page, and by id. */
  readonly byId: ReadonlyMap<string, SkillRecord>;
  /** The last part of the address of its page: its name if no other skill has it, else its id. */
  addressOf(skill: SkillRecord): string;
  readonly byDir: ReadonlyMap<string, SkillRecord>;
  /** All of them, by name. */
  readonly named: readonly SkillRecord[];
  /** Why an agent cannot use a skill; undefined when it can. */
  unavailable(skill: SkillRecord): string | undefined;
  readonly facts: FactReader;
}

/** Takes looks, and keeps the last one. */
export interface Looks {
  /** The context of the studio's commands. It acts for the user. */
  readonly front: FrontContext;
  readonly last: Look | undefined;
  /**
   * The skills now. A large collection may be some seconds old; so may any one if `mayBeOld`, for pages that look at
   * their skill themselves.
   */
  take(options: { readonly mayBeOld: boolean }): Promise<Look>;
  /** Forgets what a change may have made old. */
  forget(): void;
}

/** A catalog of fewer skills is loaded for every page. */
const FEW_SKILLS = 500;
/** A larger one is loaded again, behind the page, when it is older than this, and than many times the time it takes. */
const OLD_MS = 2000;
const OLD_SHARE = 50;

interface Taken {
  readonly look: Look;
  readonly whole: SkillCatalog;
  readonly workspace: Workspace;
  readonly at: number;
  readonly tookMs: number;
}

/** Takes looks in the surroundings of the command. */
export function createLooks(surroundings: CommandContext, indexes: IndexCache): Looks {
  const { home, env, cwd } = surroundings.workspace;
  const { now, report, note, progress, launch, signal } = surroundings;
  const workspace = keepWorkspace({ cwd, home, env });
  const keepCatalog = createCatalogKeeper();
  const load = async (place: Workspace) => keepCatalog(place.cwd, await loadCatalog(place));
  const kept = new Map<string, LastingFacts>();
  let last: Taken | undefined;
  let taking: Promise<Look> | undefined;
  const isOld = ({ at, tookMs }: Taken) => performance.now() - at > Math.max(OLD_MS, OLD_SHARE * tookMs);
  const front: FrontContext = {
    ...{ cwd, home, env, now, report, note, progress, launch, signal, indexes },
    by: 'user',
    workspace: () => workspace(),
    // The catalog of the last look while that is good enough, so that a search need not load another.
    catalog: async (place) =>
      last?.workspace.isCurrent() === true && !isOld(last) ? last.whole : load(place),
  };
  const lookNow = async (): Promise<Look> => {
    const started = performance.now();
    const context = await openContext({ ...front, catalog: load });
    const { whole, visible, sealed } = await openCatalog({ agents: [], node_modules: false }, context);
    const isSame =
      last?.look.catalog === visible &&
      last.workspace.isCurrent() &&
      last.workspace.project?.dir === context.workspace.project?.dir;
    const look: Look = isSame
      ? { ...last!.look, context, sealed }
      : {
          context,
          catalog: visible,
          sealed,
          named: sortByName(visible.skills),
          ...addresses(visible.skills),
          byDir: new Map(visible.skills.map((skill) => [skill.dir, skill])),
          unavailable: await whyUnavailable({ context, catalog: visible, sealed }, front),
          facts: createFactReader(context.workspace, kept),
        };
    const at = performance.now();
    last = {
      look,
      whole,
      workspace: isSame ? last!.workspace : context.workspace,
      at,
      tookMs: at - started,
    };
    return look;
  };
  const lookAgain = (): Promise<Look> => {
    taking ??= lookNow().finally(() => {
      taking = undefined;
    });
    return taking;
  };
  return {
    front,
    get last() {
      return last?.look;
    },
    async take({ mayBeOld }) {
      if (last === undefined || !last.workspace.isCurrent()) return lookAgain();
      if (last.whole.skills.length <= FEW_SKILLS) return mayBeOld && !isOld(last) ? last.look : lookAgain();
      // Loading keeps the process busy, so the page goes first.
      if (isOld(last)) setImmediate(() => lookAgain().catch(() => {}));
      return last.look;
    },
    forget() {
      last = undefined;
      kept.clear();
    },
  };
}

const plainName = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;

function addresses(skills: readonly SkillRecord[]): Pick<Look, 'byId' | 'addressOf'> {
  const byName = Map.groupBy(skills, ({ name }) => foldText(name));
  const byId = new Map(skills.map((skill) => [skill.id, skill]));
  const named = new Map<string, string>();
  for (const [, [skill, ...others]] of byName)
    if (others.length === 0 && plainName.test(skill!.name) && !byId.has(skill!.name))
      named.set(skill!.id, skill!.name);
  for (const [id, name] of named) byId.set(name, byId.get(id)!);
  return { byId, addressOf: ({ id }) => named.get(id) ?? id };
}

function sortByName(skills: readonly SkillRecord[]): SkillRecord[] {
  const keys = new Map(skills.map((skill) => [skill, foldText(skill.name)]));
  return skills.toSorted((a, b) => {
    const [x, y] = [keys.get(a)!, keys.get(b)!];
    return x < y ? -1 : x > y ? 1 : a.path < b.path ? -1 : 1;
  });
}

const reasons: Readonly<Record<Reason, string>> = {
  disabled: 'It is switched off.',
  unavailable: 'Something it requires is missing.',
  denied: 'A rule of your configuration denies it.',
  'user-only': 'Only you can invoke it (disable-model-invocation).',
  'model-only': 'Only a model can invoke it (user-invocable).',
};

/** A function that says why an agent cannot use a skill. It asks the judge on behalf of a model. */
async function whyUnavailable(
  { context, catalog, sealed }: Pick<Look, 'context' | 'catalog' | 'sealed'>,
  front: FrontContext,
): Promise<Look['unavailable']> {
  const { access } = await openContext({ ...front, by: 'model' });
  const { hidden } = await access.view(catalog);
  const why = new Map(
    hidden.map(({ skill, reason }) => [
      skill.path,
      reason === 'unavailable' && skill.reason !== undefined ? skill.reason : reasons[reason],
    ]),
  );
  const shadowed = new Map<string, string>();
  for (const { path, dir, shadows } of catalog.skills)
    for (const later of shadows)
      if (!shadowed.has(later) && later !== path) shadowed.set(later, showPath(dir, context.workspace));
  return ({ path, dir, gated }) => {
    const known = why.get(path);
    if (known !== undefined) return known;
    if (gated && sealed.has(dir)) return 'It is locked until its quiz is passed.';
    const by = shadowed.get(path);
    return by === undefined ? undefined : `A skill of the same name hides it: ${by}`;
  };
}
