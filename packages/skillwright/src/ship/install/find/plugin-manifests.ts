// Skills named by a repository's plugin and marketplace manifests.

import { type Dirent, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import * as z from 'zod';
import {
  type Diagnostic,
  diagnose,
  diagnosticOf,
  SkillwrightError,
} from '../../../base/diagnostics/index.ts';
import { compareBytes, isIgnoredName, readInside } from '../../../base/files/index.ts';

const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Directories that hold a `plugin.json` or a `marketplace.json`. */
const manifestDirectories = ['.claude-plugin', '.codex-plugin', '.cursor-plugin'];

const marketplaces = [
  ...manifestDirectories.map((directory) => `${directory}/marketplace.json`),
  '.agents/plugins/marketplace.json',
  '.agents/plugins/api_marketplace.json',
];

const Paths = z
  .union([z.string(), z.array(z.unknown())])
  .transform((value) =>
    typeof value === 'string' ? [value] : value.filter((path) => typeof path === 'string'),
  );

const Plugin = z.looseObject({ name: z.string().optional(), skills: Paths.optional().catch(undefined) });

const Marketplace = z.looseObject({
  metadata: z
    .looseObject({ pluginRoot: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
  plugins: z.array(z.unknown()).catch([]),
});

const Entry = Plugin.extend({
  source: z.union([z.string(), z.looseObject({ source: z.string().optional() })]).optional(),
  strict: z.boolean().optional().catch(undefined),
});

/** A plugin that a marketplace names and that is hosted elsewhere. */
export interface PluginReference {
  readonly name: string;
  /** As written in the manifest. */
  readonly elsewhere: Readonly<Record<string, unknown>>;
  /** Paths inside the plugin that the marketplace names. */
  readonly skills: readonly string[];
  /** Whether these are all its skills. */
  readonly isWhole: boolean;
}

/** The contents of all manifests. */
interface PluginManifests {
  /** Skills and directories of skills, relative to the root. */
  readonly paths: readonly string[];
  readonly plugins: readonly PluginReference[];
}

/** A repository whose manifests are read. */
interface ManifestReading {
  readonly diagnostics: Diagnostic[];
  /** Whether a path can exist. */
  readonly mayHave: (path: string) => boolean;
}

/** Reads the manifests of a repository. Total. */
export function readPluginManifests(root: string, reading: ManifestReading): PluginManifests {
  const { diagnostics } = reading;
  const skills: string[] = [];
  const plugins: PluginReference[] = [];
  const addPlugin = (path: string, declared: readonly string[]): void => {
    for (const name of declared) skills.push(...inside(path, name, diagnostics));
    skills.push(...inside(path, 'skills', diagnostics), path);
  };
  for (const file of marketplaces.filter(reading.mayHave)) {
    const marketplace = readJson(root, file, { schema: Marketplace, ...reading });
    for (const value of marketplace?.plugins ?? []) {
      const entry = Entry.safeParse(value);
      if (!entry.success) {
        diagnostics.push(unusableManifest(file, 'an entry of plugins is not a plugin'));
        continue;
      }
      const { source, strict, skills: declared = [], name } = entry.data;
      if (source === undefined || (typeof source !== 'string' && !isPluginName(name))) {
        diagnostics.push(unusableManifest(file, 'an entry of plugins has no name or no source'));
        continue;
      }
      if (typeof source !== 'string') {
        const isWhole = strict === false && declared.length > 0;
        plugins.push({ name: name!, elsewhere: source, skills: declared, isWhole });
        continue;
      }
      const base = source.startsWith('./') ? '' : (marketplace?.metadata?.pluginRoot ?? '');
      for (const path of inside('', posix.join(base, source), diagnostics)) {
        // Without `strict` the entry is the whole definition and names every skill.
        if (strict === false && declared.length > 0)
          for (const skill of declared) skills.push(...inside(path, skill, diagnostics));
        else addPlugin(path, [...declared, ...pluginSkills(root, path, reading)]);
      }
    }
  }
  addPlugin('', pluginSkills(root, '', reading));
  for (const name of listDirectories(root, 'plugins')) {
    const path = `plugins/${name}`;
    skills.push(...pluginSkills(root, path, reading).flatMap((skill) => inside(path, skill, diagnostics)));
    skills.push(`${path}/skills`);
  }
  // The root is searched anyway, and its contents do not belong to the plugin.
  return { paths: [...new Set(skills)].filter((path) => path !== ''), plugins };
}

/** Names that a person can type and a terminal can show. */
function isPluginName(name: string | undefined): boolean {
  return name !== undefined && /^[a-z0-9][a-z0-9._-]{0,127}$/i.test(name);
}

/** The paths inside a plugin that a marketplace names, if they stay in it. */
export function declaredPaths(declared: readonly string[], diagnostics: Diagnostic[]): string[] {
  return declared.flatMap((path) => inside('', path, diagnostics));
}

/** The paths that a plugin's manifest adds to its `skills` directory. */
function pluginSkills(root: string, path: string, reading: ManifestReading): string[] {
  const files = [...manifestDirectories.map((directory) => `${directory}/plugin.json`), 'plugin.json'];
  return files
    .map((file) => posix.join(path, file))
    .filter(reading.mayHave)
    .flatMap((file) => readJson(root, file, { schema: Plugin, ...reading })?.skills ?? []);
}

/** `name` below `path` if that stays in the repository; else nothing, with a diagnostic. */
function inside(path: string, name: string, diagnostics: Diagnostic[]): string[] {
  const joined = posix.normalize(posix.join(path, name)).replace(/\/+$/, '');
  const isPlain = !posix.isAbsolute(name) && !/[\p{Cc}\\]|^[a-z]:/iu.test(name);
  if (isPlain && joined !== '..' && !joined.startsWith('../')) return [joined === '.' ? '' : joined];
  diagnostics.push(diagnose('E012', { path: name }));
  return [];
}

function listDirectories(root: string, path: string): string[] {
  let listing: Dirent[];
  try {
    listing = readdirSync(join(root, path), { withFileTypes: true });
  } catch {
    // There are no plugins.
    return [];
  }
  const directories = listing.filter((entry) => entry.isDirectory() && !isIgnoredName(entry.name));
  return directories.map(({ name }) => name).sort(compareBytes);
}

function readJson<Schema extends z.ZodType>(
  root: string,
  path: string,
  { schema, diagnostics }: ManifestReading & { schema: Schema },
): z.output<Schema> | undefined {
  try {
    const bytes = readInside(root, path, { maxBytes: MAX_MANIFEST_BYTES });
    if (bytes === undefined) return undefined;
    const result = schema.safeParse(JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, '')));
    if (result.success) return result.data;
    diagnostics.push(unusableManifest(path, 'not a manifest'));
  } catch (error) {
    if (error instanceof SkillwrightError) diagnostics.push(diagnosticOf(error));
    else if (error instanceof SyntaxError) diagnostics.push(unusableManifest(path, 'not JSON'));
    else throw error;
  }
  return undefined;
}

/** Reports an unusable file as a warning: it may have a manifest's name and be something else. */
function unusableManifest(path: string, why: string): Diagnostic {
  return { ...diagnose('E015', { path, why }), severity: 'warning' };
}
