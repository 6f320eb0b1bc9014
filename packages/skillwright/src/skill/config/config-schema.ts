// Every configuration key: type, default and purpose.

import * as z from 'zod';
import { isSkillName, ProfileName } from '../format/index.ts';
import { ModelEntry, PermissionRule, readHostEntry } from './config-entries.ts';
import { defaultConfig } from './default-config.ts';

const ruleSeverities = ['off', 'info', 'warning', 'error'] as const;

const RuleSetting = z.union(
  [z.enum(ruleSeverities), z.looseObject({ severity: z.enum(ruleSeverities).optional() })],
  { error: `must be one of ${ruleSeverities.join(', ')}, or a table with such a severity` },
);

const positive = z.number().int().positive();
const webAddress = z.url({
  protocol: /^https?$/,
  error: 'must be a URL that starts with http:// or https://',
});

const hostEntry = z.string().refine((entry) => readHostEntry(entry) !== undefined, {
  error: 'must be a host, host:port, an address or a network such as 10.0.0.0/8',
});

const logKey = z.string().regex(/^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{40,}={0,2}$/, {
  error: 'must be a verifier key: name+hash+key',
});

/** A registry for the skills of one owner. */
const ownersRegistry = z.object({
  url: webAddress
    .optional()
    .describe('The registry that has the skills of this owner, if it is not `registry.url`'),
  key: logKey.optional().describe('Key that its transparency log is checked with'),
});

/** The defaults by section and key. */
const defaults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = defaultConfig;

/** A section of the configuration: each key gets its default from `defaultConfig`, unless it is optional. */
function section<Shape extends Record<string, z.ZodType>>(
  name: string,
  shape: Shape,
): z.ZodPrefault<z.ZodObject<Defaulted<Shape>>> {
  const keys = Object.entries(shape).map(([key, schema]) => {
    const isComplete = schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault;
    return [key, isComplete ? schema : schema.default(defaults[name]![key]).describe(schema.description!)];
  });
  const table: z.ZodObject = z.object(Object.fromEntries(keys));
  return table.prefault({}) as z.ZodPrefault<z.ZodObject<Defaulted<Shape>>>;
}

type Defaulted<Shape extends Record<string, z.ZodType>> = {
  [Key in keyof Shape]: Shape[Key] extends z.ZodOptional | z.ZodPrefault
    ? Shape[Key]
    : z.ZodDefault<Shape[Key]>;
};

/** The whole configuration: sections, then keys. Every key has a default, so an empty file is complete. */
export const ConfigSchema = z.object({
  skills: section('skills', {
    enabled: z.boolean().describe('Turns skills on; false hides every skill and blocks all use of them'),
  }),
  search: section('search', {
    tokenizer: z.enum(['unicode', 'porter']).describe('How the search index splits and stems words'),
    default_limit: positive.describe('Skills a search returns by default'),
    max_limit: positive.describe('Most skills a search returns'),
  }),
  gateway: section('gateway', {
    auto_build: z.boolean().describe('Rebuild a missing or stale index instead of failing with E002'),
    budget: positive.describe('Token budget of an outline, a search or a file list'),
  }),
  server: section('server', {
    timeout: positive
      .max(3600)
      .describe('Seconds a request to a server may take; ten times as many for work such as lint and build'),
  }),
  build: section('build', {
    targets: z.array(z.string()).describe('Agents whose directories a build deploys to'),
    trusted_targets: z
      .array(z.string())
      .describe('Directories besides those of agents that projects may write skills into'),
    scope: z
      .enum(['auto', 'user', 'project'])
      .describe(
        "Which agent directories to use: the user's, the project's, or auto: by the place of the skill",
      ),
    deploy: z
      .enum(['auto', 'stub', 'whole'])
      .describe(
        'Form of deployment: a stub, the whole skill, or auto (the smallest form that loses nothing)',
      ),
  }),
  lint: section('lint', {
    profile: ProfileName.describe('Profile that lint and validate check against'),
    rules: z
      .record(z.string(), RuleSetting)
      .describe('Severity or options of individual rules, by id or name'),
  }),
  catalog: section('catalog', {
    roots: z.array(z.string()).describe('More directories with skills'),
    markers: z.array(z.string()).describe('File and directory names that mark a project root'),
    max_depth: positive.describe('How many levels deep to look for skills'),
    max_directories: positive.describe('Most directories to visit per root'),
    max_entries: positive.describe('Most skills a prompt lists'),
    max_bytes: positive.describe('Largest skill list in a prompt, in bytes'),
  }),
  permissions: section('permissions', {
    allow: z.array(PermissionRule).describe('Uses allowed without asking'),
    deny: z.array(PermissionRule).describe('Uses refused'),
    confirm: z.array(PermissionRule).describe('Uses that need your confirmation'),
  }),
  scripts: section('scripts', {
    timeout: positive.describe('Seconds a script may run'),
    max_output: positive.describe('Bytes a script may print'),
    max_memory: positive.describe('Bytes of memory a script and its child processes may use'),
    max_processes: positive.describe('Processes and threads a script may have at once'),
    max_file: positive.describe('Largest file a script may write, in bytes'),
    unsandboxed: z.boolean().describe('Run scripts without a sandbox when none is available'),
  }),
  usage: section('usage', {
    enabled: z.boolean().describe('Write the access log'),
  }),
  report: section('report', {
    licences: z
      .strictObject({ allow: z.array(z.string()).default([]), deny: z.array(z.string()).default([]) })
      .prefault({})
      .describe(
        'Licences as SPDX ids that skills may have (`allow`; any if empty), and may not have (`deny`)',
      ),
  }),
  network: section('network', {
    allow_private: z
      .union([z.boolean(), z.array(hostEntry)], { error: 'must be a list of hosts' })
      .describe('Private hosts, addresses and networks that skc may contact; link-local ones never'),
    timeout: positive.describe('Seconds a request may take'),
    max_bytes: positive.describe('Largest response, in bytes'),
    max_unpacked: positive.describe('Largest unpacked archive or skill, in bytes'),
    max_entries: positive.describe('Most files and directories in an archive or skill'),
    git_url: z.url({ protocol: /^https?$/ }).describe('Server that owner/repo refers to'),
    github_url: webAddress.describe('Address of the GitHub API'),
    npm_url: webAddress.describe('Address of the npm registry'),
    domains: z.array(z.string()).describe('Domains to search for published skills'),
  }),
  registry: section('registry', {
    url: webAddress.optional().describe('The registry to publish to and install from'),
    key: logKey.optional().describe('Key that its transparency log is checked with'),
    owner: z
      .string()
      .refine(isSkillName, { error: 'must be an owner without @' })
      .optional()
      .describe('Owner of the skills that a plain name means: `pdf` is then `@owner/pdf`'),
    trusted: z.array(webAddress).describe('Registries a project may choose'),
    witnesses: z
      .array(logKey)
      .describe('Verifier keys of the witnesses that must have cosigned the log of `registry.url`'),
    quorum: positive.optional().describe('Witnesses that are enough; by default more than half of them'),
  }),
  registries: z.record(z.string(), ownersRegistry).default({}),
  models: z.record(z.string(), ModelEntry).default({}),
  cache: section('cache', {
    max_bytes: positive.describe(
      'Bytes of installed skills to cache, so they can be restored without a download',
    ),
  }),
});

/** The whole configuration with every default filled in. */
export type Config = z.output<typeof ConfigSchema>;

/** Keys a project may not set, because they would let a third-party repository loosen the user's decisions. */
export const userOnlyKeys: ReadonlySet<string> = new Set([
  'permissions.allow',
  'scripts.unsandboxed',
  'usage.enabled',
  'network.allow_private',
  'network.git_url',
  'network.github_url',
  'network.npm_url',
  'registry.owner',
  'registry.trusted',
  'registry.witnesses',
  'registry.quorum',
  'build.trusted_targets',
  'cache.max_bytes',
]);

/** Sections a project may not set: strangers write projects, and a model gets text, keys and a program to run. */
const userOnlySections: ReadonlySet<string> = new Set(['models']);

/** True for a key that only the user's own configuration may set. */
export function isUserOnly(key: string): boolean {
  return userOnlyKeys.has(key) || userOnlySections.has(key.split('.', 1)[0]!);
}

/** Switches a project may turn off, but not back on when the user turned them off. */
export const narrowingKeys: ReadonlySet<string> = new Set(['skills.enabled']);

/** Lists that every layer extends instead of replacing. */
export const addedUpKeys: ReadonlySet<string> = new Set([
  'permissions.allow',
  'permissions.deny',
  'permissions.confirm',
]);

/** Keys whose values are tables that merge entry by entry. */
export const openTables: ReadonlySet<string> = new Set(['lint.rules']);

/** Sections of tables with the same fields: `registries.<owner>.url`. */
const tableSections: Readonly<Record<string, { entry: string; shape: Record<string, z.ZodType> }>> = {
  registries: { entry: '<owner>', shape: ownersRegistry.shape },
  models: { entry: '<name>', shape: ModelEntry.shape },
};

/** The schema of one dotted key such as `gateway.auto_build` or `lint.rules.SKL107`; undefined when there is none. */
export function schemaOfKey(key: string): z.ZodType | undefined {
  const [section, name, ...rest] = key.split('.');
  if (section === undefined || name === undefined || !isSection(section)) return undefined;
  const entries = tableSectionOf(section);
  if (entries !== undefined) {
    const [field, ...more] = rest;
    const isField = field !== undefined && more.length === 0 && Object.hasOwn(entries.shape, field);
    return isField && isSkillName(name) ? entries.shape[field] : undefined;
  }
  const table = sectionShape(section);
  if (!Object.hasOwn(table, name)) return undefined;
  if (rest.length === 0) return table[name];
  return rest.length === 1 && openTables.has(`${section}.${name}`) ? RuleSetting : undefined;
}

/** The default of a numeric key. Every such key is a limit that a project may lower but never raise. */
export function defaultLimit(key: string): number | undefined {
  const [section, name] = key.split('.') as [string, string];
  const value = defaults[section]?.[name];
  return typeof value === 'number' ? value : undefined;
}

/** True for the name of a section, such as `lint`. */
export function isSection(name: string): boolean {
  return Object.hasOwn(ConfigSchema.shape, name);
}

/** True for a section of tables that the user names, such as `registries`. */
export function isTableSection(name: string): boolean {
  return tableSectionOf(name) !== undefined;
}

/** All keys in the order of the schema, with their schemas. `registries.<owner>.url` stands for every owner. */
export function configKeys(): { key: string; schema: z.ZodType }[] {
  return Object.keys(ConfigSchema.shape).flatMap((section) => {
    const entries = tableSectionOf(section);
    const [prefix, shape] =
      entries === undefined
        ? [section, sectionShape(section)]
        : [`${section}.${entries.entry}`, entries.shape];
    return Object.entries(shape).map(([name, schema]) => ({ key: `${prefix}.${name}`, schema }));
  });
}

function tableSectionOf(name: string) {
  return Object.hasOwn(tableSections, name) ? tableSections[name] : undefined;
}

type PlainSection = Exclude<keyof typeof ConfigSchema.shape, 'registries' | 'models'>;

function sectionShape(section: string): Record<string, z.ZodType> {
  const wrapped = ConfigSchema.shape[section as PlainSection];
  return wrapped.def.innerType.shape;
}
