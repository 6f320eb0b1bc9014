// The directories in which agents look for skills, their contents, and the agents in use here. Each is read once.

import { type Dirent, readdirSync, readlinkSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { formatMessage, orUndefined, SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  describeSystemError,
  isDirectory,
  isInside,
  readRealPath,
  realPath,
  statusAt,
} from '../../base/files/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import { type FoundEntry, nothing, type RootSearch, readStub, searchRoot } from '../../read/catalog/index.ts';
import { type Agent, agents, SHARED_SKILLS, userDirectory } from '../../skill/agents/index.ts';
import { isUserOnly } from '../../skill/judge/index.ts';
import type { StoreScope } from '../../skill/workspace/index.ts';
import { readStoreLocks, type StoreLocks } from '../install/index.ts';
import { type AgentFacts, directoriesOf, factsOf } from './agent-facts.ts';
import type { DoctorContext } from './survey.ts';

/** A link directly in a directory of skills. */
export interface SkillLink {
  readonly name: string;
  readonly path: string;
  /** As written in the link. */
  readonly written: string;
  /** Absolute target, which may not exist. */
  readonly target: string;
  /** Canonical; undefined for a broken link. */
  readonly real: string | undefined;
}

/** A skill in an agent's directory. */
export interface VisibleEntry extends FoundEntry {
  /** Identifies the skill: the source of a stub, otherwise its own directory. */
  readonly identity: string;
  /** How many directories deep it is below the root. */
  readonly depth: number;
}

/** An existing directory of skills for agents. */
interface AgentRoot {
  /** `.claude/skills`. */
  readonly directory: string;
  readonly path: string;
  /** Canonical. */
  readonly real: string;
  readonly scope: StoreScope;
  /** The project or home directory it belongs to. */
  readonly base: string;
  /** Its own links, and the names of its own directories. */
  readonly links: readonly SkillLink[];
  readonly directories: readonly string[];
  /** Names of hidden entries. */
  readonly hidden: readonly string[];
  readonly skills: readonly VisibleEntry[];
  readonly errors: RootSearch['errors'];
}

/** The directories of agents. */
export interface RootReader {
  /** All existing directories in scope, each real directory once; the nearest project directory first, then the user's. */
  readonly all: readonly AgentRoot[];
  /** The directories an agent reads, in its own order. */
  of(agentId: string, directories: { project: readonly string[]; user: readonly string[] }): AgentRoot[];
  /** Directories of the project from the working directory up to its root, then the home directory. */
  readonly bases: readonly { readonly base: string; readonly scope: StoreScope }[];
}

const MAX_DEPTH = 8;
const MAX_DIRECTORIES = 5000;

/** Reads the directories of a scope, or of both. Total. */
export function createRootReader(
  scope: StoreScope | undefined,
  { workspace }: Pick<DoctorContext, 'workspace'>,
): RootReader {
  const { home } = workspace;
  const bases = [
    ...workspace.directories.toReversed().map((base) => ({ base, scope: 'project' as const })),
    { base: home, scope: 'user' as const },
  ].filter((one) => scope === undefined || one.scope === scope);
  const read = new Map<string, AgentRoot | undefined>();
  const readOnce = (directory: string, at: (typeof bases)[number], path: string) => {
    if (!read.has(path)) read.set(path, readRoot(path, { ...at, directory, home }));
    return read.get(path);
  };
  const pathOf = (directory: string, at: (typeof bases)[number], agentId?: string) => {
    if (at.scope === 'project') return join(at.base, directory);
    // An environment variable can move an agent's directory.
    const owner = agents.find(
      ({ id, user, variable }) => user === directory && variable && (id === agentId || agentId === undefined),
    );
    return (owner && userDirectory(owner, workspace)) ?? join(home, directory);
  };
  const present = bases.flatMap((at) =>
    directoriesOf(at.scope).flatMap((directory) => {
      const paths = new Set([pathOf(directory, at), join(at.base, directory)]);
      return [...paths].map((path) => readOnce(directory, at, path));
    }),
  );
  const seen = new Set<string>();
  const all = present.filter(
    (root): root is AgentRoot => root !== undefined && !seen.has(root.real) && !!seen.add(root.real),
  );
  return {
    all,
    bases,
    of: (agentId, directories) =>
      bases.flatMap((at) =>
        directories[at.scope]
          .map((directory) => readOnce(directory, at, pathOf(directory, at, agentId)))
          .filter((root) => root !== undefined),
      ),
  };
}

function readRoot(
  path: string,
  at: { base: string; scope: StoreScope; directory: string; home: string },
): AgentRoot | undefined {
  let real: string;
  let listing: Dirent[];
  const { home, ...place } = at;
  try {
    if (statusAt(path) === undefined) return undefined;
    real = readRealPath(path);
    listing = readdirSync(real, { withFileTypes: true });
  } catch (error) {
    const message = formatMessage('E015', { path, why: describeSystemError(error) });
    const nothingSeen = { links: [], directories: [], hidden: [], skills: [] };
    // A part of the path is a file, so there are no skills.
    return isDirectory(dirname(path))
      ? { ...place, path, real: path, ...nothingSeen, errors: [{ path, code: 'E015', message }] }
      : undefined;
  }
  const search = searchRoot(real, nothing, { maxDepth: MAX_DEPTH, maxDirectories: MAX_DIRECTORIES });
  const visible = listing.filter(({ name }) => !name.startsWith('.'));
  const links = visible.filter((entry) => entry.isSymbolicLink()).flatMap(({ name }) => readLink(path, name));
  const broken = new Set(links.filter((link) => link.real === undefined).map(({ name }) => join(real, name)));
  return {
    ...place,
    path,
    real,
    links,
    directories: visible.filter((entry) => entry.isDirectory()).map(({ name }) => name),
    hidden: listing.map(({ name }) => name).filter((name) => name.startsWith('.')),
    skills: search.found
      .filter(({ place: met }) => met !== real)
      .map((found) => ({ ...found, identity: identityOf(found, home), ...placeIn(path, real, found.place) })),
    // Another check covers broken links.
    errors: search.errors.filter((error) => !broken.has(error.path)),
  };
}

/** Path and depth of a skill below the root; below a linked directory, its real path. */
function placeIn(path: string, real: string, place: string): { place: string; depth: number } {
  if (!isInside(real, place)) return { place, depth: 2 };
  const below = relative(real, place);
  return { place: join(path, below), depth: below.split(sep).length };
}

function identityOf({ entry }: FoundEntry, home: string): string {
  return (entry.mayBeStub ? readStub(entry.dir, home)?.source : undefined) ?? entry.dir;
}

function readLink(root: string, name: string): SkillLink[] {
  const path = join(root, name);
  const written = orUndefined(() => readlinkSync(path));
  // Removed since it was listed.
  if (written === undefined) return [];
  const target = resolve(realPath(dirname(path)), written);
  // Undefined for a broken link or a loop.
  const real = orUndefined(() => readRealPath(target));
  return [{ name, path, written, target, real }];
}

/** An agent in use here. */
export interface SeenAgent {
  readonly agent: Agent;
  readonly facts: AgentFacts;
  /** The existing directories it reads, in order of precedence. */
  readonly roots: readonly AgentRoot[];
}

/** A skill, and the directory in which an agent finds it. */
export interface SeenEntry {
  readonly root: AgentRoot;
  readonly skill: VisibleEntry;
}

/** The agents in use in a workspace, with the skills each finds. Total: an unusable lock names no agents. */
export function readAgentsInSight(
  context: Pick<DoctorContext, 'workspace'>,
  locks: StoreLocks = readStoreLocks(context.workspace),
): SeenAgent[] {
  const named = [...locks.values()].flatMap((lock) =>
    lock instanceof SkillwrightError ? [] : Object.values(lock.skills).flatMap(({ targets }) => targets),
  );
  return findAgentsInSight(createRootReader(undefined, context), {
    context,
    named: new Set(named.map(({ agent }) => agent)),
  });
}

/** Finds agents by their directories, or by the targets in the lock. */
export function findAgentsInSight(
  roots: RootReader,
  { context, named }: { context: Pick<DoctorContext, 'workspace'>; named: ReadonlySet<string> },
): SeenAgent[] {
  const seen = agents.flatMap((agent): SeenAgent[] => {
    const facts = factsOf(agent);
    if (!named.has(agent.id) && !isMarked(agent, facts, { roots, context })) return [];
    const read = roots.of(agent.id, facts.reads);
    const ofScope = (scope: AgentRoot['scope']) => read.filter((root) => root.scope === scope);
    const [project, user] = [ofScope('project'), ofScope('user')];
    return [
      {
        agent,
        facts,
        roots: facts.precedence === 'user' ? [...user, ...project] : [...project, ...user],
      },
    ];
  });
  // The generic agent counts only when no specific agent reads the shared directory.
  const isRead = seen.some(({ facts }) => facts.documented && facts.reads.project.includes(SHARED_SKILLS));
  return seen.filter(({ agent }) => agent.id !== 'agents' || !isRead);
}

function isMarked(
  agent: Agent,
  { marks }: AgentFacts,
  { roots, context }: { roots: RootReader; context: Pick<DoctorContext, 'workspace'> },
): boolean {
  const places = roots.bases.flatMap(({ base }) => marks.map((mark) => join(base, mark)));
  const moved = userDirectory(agent, context.workspace);
  if (agent.variable !== undefined && context.workspace.env[agent.variable] && moved !== undefined)
    places.push(dirname(moved));
  return places.some(isDirectory);
}

/** The name under which an agent lists a skill. */
export function nameFor({ directory }: AgentFacts, { skill }: SeenEntry): string {
  const own = skill.place.slice(dirname(skill.place).length + 1);
  return directory === 'called' ? own : skill.entry.name;
}

/** The skills an agent finds, in order of precedence. A skill found twice counts once. */
export function skillsOf({ roots, facts }: SeenAgent): SeenEntry[] {
  const met = new Set<string>();
  return roots.flatMap((root) =>
    root.skills.flatMap((skill): SeenEntry[] => {
      const isTooDeep = facts.depth !== undefined && skill.depth > facts.depth;
      if (isTooDeep || met.has(skill.identity)) return [];
      met.add(skill.identity);
      return [{ root, skill }];
    }),
  );
}

// The list of skills that an agent puts into the context of a conversation, and the room it has for it.

/** One skill of a list. */
interface ListedLine {
  readonly entry: SeenEntry;
  readonly name: string;
  /** In the unit of the list. */
  readonly size: number;
  /** True when the list is too long, and the descriptions before this one take all the room. */
  readonly isOver: boolean;
}

/** The list of one agent. The sizes of its lines add up to its size. */
interface Listing {
  readonly lines: readonly ListedLine[];
  readonly size: number;
  readonly unit: 'characters' | 'tokens';
  /** The room, and what happens to a longer list; undefined for an agent without a known limit. */
  readonly limit: Pick<NonNullable<AgentFacts['listing']>, 'max' | 'rule' | 'over'> | undefined;
  /** Skills whose descriptions do not fit. */
  readonly over: number;
}

/** The list of an agent as it is now. */
export function readListing(seen: SeenAgent): Listing {
  const { listing, description: rule, honoursDisabled } = seen.facts;
  const unit = listing?.unit ?? 'tokens';
  const sizeOf = (text: string) => (unit === 'tokens' ? estimateTokens(text) : [...text].length);
  const max = listing?.max ?? Number.POSITIVE_INFINITY;
  const found = skillsOf(seen).flatMap((entry) => {
    const { frontmatter, problem } = entry.skill.entry;
    if (problem !== undefined || (honoursDisabled && isUserOnly(frontmatter))) return [];
    const texts = [frontmatter.description, rule.over === 'cut' ? frontmatter.when_to_use : undefined];
    const said = texts.filter((text) => typeof text === 'string').join(' ');
    const shown = rule.over === 'cut' ? [...said].slice(0, rule.max).join('') : said;
    const place = unit === 'characters' ? ` (file: ${entry.skill.place}/SKILL.md)` : '';
    const name = nameFor(seen.facts, entry);
    const bare = sizeOf(`- ${name}:${place}\n`);
    return [{ entry, name, bare, size: sizeOf(`- ${name}: ${shown}${place}\n`) }];
  });
  const size = found.reduce((sum, line) => sum + line.size, 0);
  let left = size <= max ? Number.POSITIVE_INFINITY : max - found.reduce((sum, { bare }) => sum + bare, 0);
  const lines = found.map(({ bare, ...line }) => {
    left -= line.size - bare;
    return { ...line, isOver: left < 0 };
  });
  return { lines, size, unit, limit: listing, over: lines.filter(({ isOver }) => isOver).length };
}
