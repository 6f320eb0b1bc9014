// Fetches plugins that a marketplace names but does not contain, on request.

import * as z from 'zod';
import {
  type Diagnostic,
  diagnose,
  diagnosticOf,
  hideSecrets,
  makeVisible,
  quoteWord,
  SkillwrightError,
} from '../../../base/diagnostics/index.ts';
import type { PluginReference } from '../find/plugin-manifests.ts';
import type { FetchedSkill, FetchedSource, Resolution, SkillSource } from '../source/fetched-source.ts';
import { fetchUnlessOffline, type SourceOptions } from '../source/locked-source.ts';
import { readGitSource } from '../source/read-git-source.ts';
import { readSource, type SourceContext } from '../source/read-source.ts';
import type { ChoiceRequest } from './choose-skills.ts';

/** Limit of plugins fetched from one marketplace. */
const MAX_FOLLOWED = 50;

/** A source with the skills of its fetched plugins, and the skills now chosen. */
interface FollowedSource {
  readonly fetched: FetchedSource;
  readonly skills: readonly string[];
}

/**
 * Fetches the chosen plugins: those that `--skill` names (`plugin`, or `plugin:skill`), all with `--all`, the only one
 * if there is nothing else, or the user's pick. Their skills record their own source. One that cannot be fetched does
 * not stop the rest, unless it was named. W223 lists the rest, E100 if nothing else is left.
 */
export async function followPlugins(
  fetched: FetchedSource,
  request: ChoiceRequest,
  options: SourceOptions,
): Promise<FollowedSource> {
  const plugins = uniqueNames(fetched.plugins ?? []);
  if (plugins.length === 0) return { fetched, skills: request.skills };
  const open: FetchedSource[] = [fetched];
  const skills = new Map(fetched.skills.map((skill) => [skill.name, skill]));
  const diagnostics: Diagnostic[] = [];
  const byPlugin = new Map<string, string[]>();
  let wanted: readonly PluginReference[];
  try {
    wanted = (await pick(plugins, fetched, { request, options })).slice(0, MAX_FOLLOWED);
    for (const plugin of wanted) {
      try {
        const source = await fetchPlugin(plugin, options);
        open.push(source);
        diagnostics.push(...source.diagnostics);
        byPlugin.set(plugin.name, take(source, plugin, { skills, diagnostics }));
      } catch (error) {
        if (!(error instanceof SkillwrightError) || request.skills.length > 0) throw error;
        diagnostics.push({ ...diagnosticOf(error), help: `plugin '${plugin.name}' is left out` });
      }
    }
  } catch (error) {
    for (const source of open) source.release();
    throw error;
  }
  const left = plugins.filter((plugin) => !wanted.includes(plugin));
  if (left.length > 0 && request.skills.length === 0) diagnostics.push(tellLeft(left, request.source));
  return {
    fetched: {
      ...fetched,
      skills: [...skills.values()],
      diagnostics: [...fetched.diagnostics, ...diagnostics],
      release: () => {
        for (const source of open) source.release();
      },
    },
    skills: request.skills.flatMap((word) => meant(word, byPlugin)),
  };
}

/** The plugins to fetch. */
async function pick(
  plugins: readonly PluginReference[],
  { skills }: FetchedSource,
  { request, options }: { request: ChoiceRequest; options: SourceOptions },
): Promise<readonly PluginReference[]> {
  if (request.skills.length > 0)
    return plugins.filter(({ name }) =>
      request.skills.some(
        (word) =>
          (word === name && !skills.some((skill) => skill.name === word)) || word.startsWith(`${name}:`),
      ),
    );
  if (request.all) return plugins;
  if (skills.length === 0 && plugins.length === 1) return plugins;
  const { ask } = options.context;
  if (ask === undefined) {
    if (skills.length > 0) return [];
    const command = `skc install ${quoteWord(request.source)}`;
    throw SkillwrightError.of(
      'E100',
      { why: `the source names ${plugins.length} plugins hosted elsewhere` },
      {
        help: `choose one with ${command} --skill ${plugins[0]!.name}, or install all with ${command} --all`,
        detail: plugins.map((plugin) => `  ${describePlugin(plugin)}`).join('\n'),
        data: { plugins: plugins.map(({ name }) => name) },
      },
    );
  }
  const chosen = await ask.choose(
    `${request.source} names ${plugins.length} plugins hosted elsewhere. Which do you want to fetch?`,
    plugins.map((plugin) => ({ label: plugin.name, note: describePlugin(plugin) })),
    { many: true },
  );
  return (chosen ?? []).map((index) => plugins[index]!);
}

function fetchPlugin(plugin: PluginReference, options: SourceOptions): Promise<FetchedSource> {
  const { context, config } = options;
  const { cwd, home } = context.workspace;
  const { source, resolution } = readPluginSource(plugin, { cwd, home, config });
  context.progress(`fetching plugin ${makeVisible(plugin.name)}`);
  const { skills, isWhole } = plugin;
  return fetchUnlessOffline(source, { ...options, only: undefined, plugin: { skills, isWhole } }, resolution);
}

/** Adds the skills of a plugin and returns their names. Of two with one name the first is kept. */
function take(
  source: FetchedSource,
  { name: plugin, isWhole }: PluginReference,
  to: { skills: Map<string, FetchedSkill>; diagnostics: Diagnostic[] },
): string[] {
  const names: string[] = [];
  for (const skill of source.skills) {
    if (to.skills.has(skill.name)) {
      const detail = `  the one from plugin ${makeVisible(plugin)} is left out`;
      to.diagnostics.push(diagnose('W004', { skill: skill.name }, { detail }));
      continue;
    }
    // A marketplace may name skills outside any layout: the lock records that path to find them again.
    const isPlace = isWhole && source.source.kind === 'git' && skill.within !== '';
    const from = isPlace ? { ...source, source: { ...source.source, subpath: skill.within } } : source;
    to.skills.set(skill.name, { ...skill, from: from as FetchedSource });
    names.push(skill.name);
  }
  return names;
}

/** The skills that a `--skill` value selects. */
function meant(word: string, byPlugin: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const whole = byPlugin.get(word);
  if (whole !== undefined) return whole;
  const [plugin = '', skill] = word.split(/:(.*)/s);
  return skill !== undefined && byPlugin.has(plugin) ? [skill] : [word];
}

function tellLeft(left: readonly PluginReference[], source: string): Diagnostic {
  const what = left.length === 1 ? 'a plugin hosted elsewhere' : `${left.length} plugins hosted elsewhere`;
  return diagnose(
    'W223',
    { what },
    {
      help: `fetch one with skc install ${quoteWord(source)} --skill ${left[0]!.name}`,
      detail: left.map((plugin) => `  ${describePlugin(plugin)}`).join('\n'),
      data: { plugins: left.map(({ name }) => name) },
    },
  );
}

function describePlugin({ name, elsewhere }: PluginReference): string {
  const place = [elsewhere.repo, elsewhere.url, elsewhere.package].find((value) => typeof value === 'string');
  return makeVisible(
    `${name}: ${String(elsewhere.source)}${place === undefined ? '' : ` ${place}`}`.slice(0, 200),
  );
}

function uniqueNames(plugins: readonly PluginReference[]): PluginReference[] {
  return [...new Map(plugins.toReversed().map((plugin) => [plugin.name, plugin])).values()].reverse();
}

// Reads where a marketplace says a plugin is hosted. That is untrusted: only public addresses are followed, nothing is run.

const Text = z.string().min(1).max(4096);
const commit = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);
const version = { ref: Text.optional(), sha: commit.optional() };

/** The supported kinds of source. */
const Elsewhere = z.discriminatedUnion('source', [
  z.looseObject({ source: z.literal('github'), repo: Text.regex(/^[\w.-]+\/[\w.-]+$/), ...version }),
  z.looseObject({ source: z.literal('url'), url: Text, ...version }),
  z.looseObject({ source: z.literal('git-subdir'), url: Text, path: Text, ...version }),
  z.looseObject({
    source: z.literal('npm'),
    package: Text,
    version: Text.optional(),
    // Absent: a package in its own registry is not followed.
    registry: z.never().optional(),
  }),
  z.looseObject({
    source: z.literal('archive'),
    url: Text,
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i)
      .optional(),
  }),
]);
type Elsewhere = z.output<typeof Elsewhere>;

/** A source, and the state it must have. */
interface PluginSource {
  readonly source: SkillSource;
  readonly resolution?: Resolution | undefined;
}

/** The source of a plugin. E210 when it cannot be followed. */
function readPluginSource({ name, elsewhere }: PluginReference, context: SourceContext): PluginSource {
  const kind = String(elsewhere.source ?? 'unknown');
  const refuse = (why: string, help?: string) =>
    SkillwrightError.of(
      'E210',
      { source: `plugin ${name}`, why: hideSecrets(why) },
      help === undefined ? {} : { help },
    );
  if (kind === 'command') throw refuse('fetching it would run a command, which skc never does');
  const read = Elsewhere.safeParse(elsewhere);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue!.path.map(String).join('.');
    throw refuse(`its source (${kind}) is not supported${field === '' ? '' : `: ${field} is not valid`}`);
  }
  return readElsewhere(read.data, { context, refuse });
}

function readElsewhere(
  place: Elsewhere,
  reading: { context: SourceContext; refuse: (why: string, help?: string) => SkillwrightError },
): PluginSource {
  switch (place.source) {
    case 'github':
      return repository(place.repo, place, reading);
    case 'url':
      return repository(place.url, place, reading);
    case 'git-subdir':
      return repository(place.url, { ...place, subpath: place.path.replace(/^\.\//, '') }, reading);
    case 'npm': {
      const range = place.version === undefined ? '' : `@${place.version}`;
      return { source: readSource(`npm:${place.package}${range}`, reading.context) };
    }
    case 'archive': {
      const source = /^https?:/i.test(place.url) ? readSource(place.url, reading.context) : undefined;
      if (source?.kind !== 'archive') throw reading.refuse('its address is not an archive');
      const digest = place.sha256 === undefined ? undefined : `sha256:${place.sha256.toLowerCase()}`;
      return { source, ...(digest === undefined ? {} : { resolution: { digest } }) };
    }
  }
}

/** A repository on the web. A commit named by the marketplace becomes the ref, so that updates stay on it. */
function repository(
  word: string,
  { ref, sha, subpath }: { ref?: string | undefined; sha?: string | undefined; subpath?: string },
  reading: Parameters<typeof readElsewhere>[1],
): PluginSource {
  if (word.includes('#') || /^[./~]/.test(word))
    throw reading.refuse('its address is not a repository on the web');
  const part = `${sha ?? ref ?? ''}${subpath === undefined ? '' : `:${subpath}`}`;
  const source = readGitSource(part === '' ? word : `${word}#${part}`, reading);
  if (!/^https?:/.test(source.url))
    throw reading.refuse('only https repositories are followed', `if you trust it: skc install ${word}`);
  return { source };
}
