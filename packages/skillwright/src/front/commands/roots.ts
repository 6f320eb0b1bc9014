// The search paths, the skills found in each, and the places left out: `skc list --paths`, and its old name `skc roots`.

import * as z from 'zod';
import { formatCount, makeVisible, type Paint } from '../../base/diagnostics/index.ts';
import type { RootReport, SkillCatalog } from '../../read/catalog/index.ts';
import { PROJECT_VARIABLE } from '../../skill/workspace/index.ts';
import { openCatalog, shadowersIn } from './catalog-input.ts';
import { defineCommand, type Line, type View } from './define-command.ts';
import { catalogFields } from './fields.ts';

/** One search path. */
export const Root = z.object({
  path: z.string(),
  scope: z.enum(['project', 'user', 'bundled']),
  adapter: z.string().describe('Why this path is searched'),
  status: z.enum(['searched', 'missing', 'untrusted', 'duplicate', 'unreadable']),
  real_path: z.string().optional().describe('Its real path, if it is a link'),
  why: z.string().optional().describe('Why it was not searched, or only in part'),
  skills: z.number().int(),
  directories: z.number().int().describe('Directories searched'),
  truncated: z.boolean(),
  skipped: z.array(z.object({ path: z.string(), why: z.string() })).describe('The first places skipped'),
  skipped_count: z.number().int(),
});
type Root = z.output<typeof Root>;

/** Every search path, and why skills are missing or hidden. */
export const Paths = z.object({
  project: z.object({
    path: z.string(),
    reason: z.enum(['environment', 'marker', 'cwd']),
    marker: z.string().optional(),
  }),
  roots: z.array(Root),
  skills: z.number().int(),
  disabled: z.array(z.string()).describe('Names of skills that are off'),
  unavailable: z.array(z.object({ name: z.string(), path: z.string(), why: z.string() })),
  shadowed: z.array(z.object({ name: z.string(), path: z.string(), by: z.string() })),
  errors: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
  truncated: z.boolean(),
});
type Paths = z.output<typeof Paths>;

/** Explains the catalog. */
export const roots = defineCommand({
  fields: catalogFields,
  positionals: [],
  output: Paths,
  effect: 'read',
  writes: ['cache'],
  touches: { skills: 'list' },
  about: "The last part of 'skc list --paths'.",
  examples: {
    'skc roots': 'the usual search paths',
    'skc roots --agents all': 'include the directories of every known agent',
  },
  async run(input, context) {
    return searchPaths((await openCatalog(input, context)).visible);
  },
  text: pathLines,
});

/** The search paths of a catalog. */
export function searchPaths(catalog: SkillCatalog): Paths {
  const shadowers = shadowersIn(catalog);
  const { skills, project, errors, truncated } = catalog;
  return {
    project,
    roots: rootsOf(catalog.roots),
    skills: skills.length,
    disabled: [...new Set(skills.filter(({ enabled }) => !enabled).map(({ name }) => name))],
    unavailable: skills
      .filter(({ available }) => !available)
      .map(({ name, path, reason = '' }) => ({ name, path, why: reason })),
    shadowed: skills.flatMap(({ name, path }) => {
      const by = shadowers.get(path);
      return by === undefined ? [] : [{ name, path, by }];
    }),
    errors: [...errors],
    truncated,
  };
}

/** The report on each search path as it is printed. */
export function rootsOf(reports: readonly RootReport[]): Root[] {
  return reports.map(({ real, skippedCount, skipped, ...root }) => ({
    ...root,
    ...(real === undefined ? {} : { real_path: real }),
    skipped: [...skipped],
    skipped_count: skippedCount,
  }));
}

/** The search paths as text. */
export function pathLines(paths: Paths, { paint }: Pick<View, 'paint'>): Line[] {
  const { project, roots: all, skills, disabled, unavailable, shadowed, errors } = paths;
  const because = {
    environment: PROJECT_VARIABLE,
    marker: `contains ${project.marker}`,
    cwd: 'no project found above',
  }[project.reason];
  const scopes = (['project', 'user', 'bundled'] as const).map((scope) => {
    const ofScope = all.filter((root) => root.scope === scope);
    const missing = ofScope.filter(({ status }) => status === 'missing').map(({ path }) => path);
    return (
      ofScope.length > 0 && [
        ...['', paint.strong(scope)],
        ofScope.map((root) => rootLines(root, paint)),
        missing.length > 0 && paint.faint(`  missing: ${missing.join(', ')}`),
      ]
    );
  });
  const parts: Record<string, readonly (readonly [what: string, why?: string])[]> = {
    'not readable': errors.map(({ path, code, message }) => [path, `${code}: ${message}`]),
    'same name': shadowed.map(({ name, path, by }) => [`${name}: ${path}`, `hidden by ${by}`]),
    'not available': unavailable.map(({ name, path, why }) => [`${name}: ${path}`, why]),
    'switched off': disabled.map((name) => [name]),
  };
  const more = paths.truncated ? ', perhaps more: the search reached a limit' : '';
  return [
    `${paint.strong('project')}  ${project.path}  ${paint.faint(because)}`,
    scopes,
    Object.entries(parts).map(([title, rows]) => [
      rows.length > 0 && ['', paint.strong(title)],
      rows.map(([what, why]) => [`  ${makeVisible(what)}`, why !== undefined && `    ${makeVisible(why)}`]),
    ]),
    '',
    `${formatCount(skills, 'skill')}${more}`,
  ];
}

/** A search path that exists, and the places skipped in it. */
export function rootLines(root: Root, paint: Paint): string[] {
  const { path, real_path: real, status, why, skills, skipped, skipped_count: count } = root;
  if (status === 'missing') return [];
  const link = real === undefined ? '' : ` -> ${real}`;
  const told = status === 'searched' ? formatCount(skills, 'skill') : status;
  const more = count - skipped.length;
  return [
    `  ${path}${link}  ${told}${why === undefined ? '' : `: ${why}`}`,
    ...skipped.map((place) => paint.faint(`    skipped ${makeVisible(place.path)}: ${place.why}`)),
    ...(more > 0 ? [paint.faint(`    ... (${more} more)`)] : []),
  ];
}
