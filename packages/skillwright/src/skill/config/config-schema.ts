// Every configuration key: type, default and purpose.

import * as z from 'zod';
import { isSkillName, ProfileName } from '../format/index.ts';
import { ModelEntry, PermissionRule, readHostEntry } from './config-entries.ts';
import { type Config, defaultConfig } from './default-config.ts';

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

/** The whole configuration: sections, then keys. Every key has a default, so an empty file is complete. */
export const ConfigSchema = z.object({
  skills: z
    .object({
      enabled: z
        .boolean()
        .default(defaultConfig.skills.enabled)
        .describe('Turns skills on; false hides every skill and blocks all use of them'),
    })
    .prefault({}),
  search: z
    .object({
      tokenizer: z
        .enum(['unicode', 'porter'])
        .default(defaultConfig.search.tokenizer)
        .describe('How the search index splits and stems words'),
      default_limit: positive
        .default(defaultConfig.search.default_limit)
        .describe('Skills a search returns by default'),
      max_limit: positive.default(defaultConfig.search.max_limit).describe('Most skills a search returns'),
    })
    .prefault({}),
  gateway: z
    .object({
      auto_build: z
        .boolean()
        .default(defaultConfig.gateway.auto_build)
        .describe('Rebuild a missing or stale index instead of failing with E002'),
      budget: positive
        .default(defaultConfig.gateway.budget)
        .describe('Token budget of an outline, a search or a file list'),
    })
    .prefault({}),
  server: z
    .object({
      timeout: positive
        .max(3600)
        .default(defaultConfig.server.timeout)
        .describe(
          'Seconds a request to a server may take; ten times as many for work such as lint and build',
        ),
    })
    .prefault({}),
  build: z
    .object({
      targets: z
        .array(z.string())
        .default(defaultConfig.build.targets)
        .describe('Agents whose directories a build deploys to'),
      trusted_targets: z
        .array(z.string())
        .default(defaultConfig.build.trusted_targets)
        .describe('Directories besides those of agents that projects may write skills into'),
      scope: z
        .enum(['auto', 'user', 'project'])
        .default(defaultConfig.build.scope)
        .describe(
          "Which agent directories to use: the user's, the project's, or auto: by the place of the skill",
        ),
      deploy: z
        .enum(['auto', 'stub', 'whole'])
        .default(defaultConfig.build.deploy)
        .describe(
          'Form of deployment: a stub, the whole skill, or auto (the smallest form that loses nothing)',
        ),
    })
    .prefault({}),
  lint: z
    .object({
      profile: ProfileName.default(defaultConfig.lint.profile).describe(
        'Profile that lint and validate check against',
      ),
      rules: z
        .record(z.string(), RuleSetting)
        .default(defaultConfig.lint.rules)
        .describe('Severity or options of individual rules, by id or name'),
    })
    .prefault({}),
  catalog: z
    .object({
      roots: z
        .array(z.string())
        .default(defaultConfig.catalog.roots)
        .describe('More directories with skills'),
      markers: z
        .array(z.string())
        .default(defaultConfig.catalog.markers)
        .describe('File and directory names that mark a project root'),
      max_depth: positive
        .default(defaultConfig.catalog.max_depth)
        .describe('How many levels deep to look for skills'),
      max_directories: positive
        .default(defaultConfig.catalog.max_directories)
        .describe('Most directories to visit per root'),
      max_entries: positive.default(defaultConfig.catalog.max_entries).describe('Most skills a prompt lists'),
      max_bytes: positive
        .default(defaultConfig.catalog.max_bytes)
        .describe('Largest skill list in a prompt, in bytes'),
    })
    .prefault({}),
  permissions: z
    .object({
      allow: z
        .array(PermissionRule)
        .default(defaultConfig.permissions.allow)
        .describe('Uses allowed without asking'),
      deny: z.array(PermissionRule).default(defaultConfig.permissions.deny).describe('Uses refused'),
      confirm: z
        .array(PermissionRule)
        .default(defaultConfig.permissions.confirm)
        .describe('Uses that need your confirmation'),
    })
    .prefault({}),
  scripts: z
    .object({
      timeout: positive.default(defaultConfig.scripts.timeout).describe('Seconds a script may run'),
      max_output: positive.default(defaultConfig.scripts.max_output).describe('Bytes a script may print'),
      max_memory: positive
        .default(defaultConfig.scripts.max_memory)
        .describe('Bytes of memory a script and its child processes may use'),
      max_processes: positive
        .default(defaultConfig.scripts.max_processes)
        .describe('Processes and threads a script may have at once'),
      max_file: positive
        .default(defaultConfig.scripts.max_file)
        .describe('Largest file a script may write, in bytes'),
      unsandboxed: z
        .boolean()
        .default(defaultConfig.scripts.unsandboxed)
        .describe('Run scripts without a sandbox when none is available'),
    })
    .prefault({}),
  usage: z
    .object({
      enabled: z.boolean().default(defaultConfig.usage.enabled).describe('Write the access log'),
    })
    .prefault({}),
  report: z
    .object({
      licences: z
        .strictObject({ allow: z.array(z.string()).default([]), deny: z.array(z.string()).default([]) })
        .prefault({})
        .describe(
          'Licences as SPDX ids that skills may have (`allow`; any if empty), and may not have (`deny`)',
        ),
    })
    .prefault({}),
  network: z
    .object({
      allow_private: z
        .union([z.boolean(), z.array(hostEntry)], { error: 'must be a list of hosts' })
        .default(defaultConfig.network.allow_private)
        .describe('Private hosts, addresses and networks that skc may contact; link-local ones never'),
      timeout: positive.default(defaultConfig.network.timeout).describe('Seconds a request may take'),
      max_bytes: positive.default(defaultConfig.network.max_bytes).describe('Largest response, in bytes'),
      max_unpacked: positive
        .default(defaultConfig.network.max_unpacked)
        .describe('Largest unpacked archive or skill, in bytes'),
      max_entries: positive
        .default(defaultConfig.network.max_entries)
        .describe('Most files and directories in an archive or skill'),
      git_url: z
        .url({ protocol: /^https?$/ })
        .default(defaultConfig.network.git_url)
        .describe('Server that owner/repo refers to'),
      github_url: webAddress.default(defaultConfig.network.github_url).describe('Address of the GitHub API'),
      npm_url: webAddress.default(defaultConfig.network.npm_url).describe('Address of the npm registry'),
      domains: z
        .array(z.string())
        .default(defaultConfig.network.domains)
        .describe('Domains to search for published skills'),
    })
    .prefault({}),
  registry: z
    .object({
      url: webAddress.optional().describe('The registry to publish to and install from'),
      key: logKey.optional().describe('Key that its transparency log is checked with'),
      owner: z
        .string()
        .refine(isSkillName, { error: 'must be an owner without @' })
        .optional()
        .describe('Owner of the skills that a plain name means: `pdf` is then `@owner/pdf`'),
      trusted: z
        .array(webAddress)
        .default(defaultConfig.registry.trusted)
        .describe('Registries a project may choose'),
      witnesses: z
        .array(logKey)
        .default(defaultConfig.registry.witnesses)
        .describe('Verifier keys of the witnesses that must have cosigned the log of `registry.url`'),
      quorum: positive.optional().describe('Witnesses that are enough; by default more than half of them'),
    })
    .prefault({}),
  registries: z.record(z.string(), ownersRegistry).default(defaultConfig.registries),
  models: z.record(z.string(), ModelEntry).default(defaultConfig.models),
  cache: z
    .object({
      max_bytes: positive
        .default(defaultConfig.cache.max_bytes)
        .describe('Bytes of installed skills to cache, so they can be restored without a download'),
    })
    .prefault({}),
});
// The compiler reports any difference between the defaults and the schema.
({}) as z.output<typeof ConfigSchema> satisfies Config;

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
const addedUpKeys: ReadonlySet<string> = new Set([
  'permissions.allow',
  'permissions.deny',
  'permissions.confirm',
]);

/** Keys whose values are tables that merge entry by entry. */
const openTables: ReadonlySet<string> = new Set(['lint.rules']);

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
  const [section, name] = key.split('.') as [keyof Config, string];
  const table: Readonly<Record<string, unknown>> = Object.hasOwn(defaultConfig, section)
    ? defaultConfig[section]
    : {};
  const value = Object.hasOwn(table, name) ? table[name] : undefined;
  return typeof value === 'number' ? value : undefined;
}

/** True for a key whose value is a table of further keys. */
export function isOpenTable(key: string): boolean {
  return openTables.has(key);
}

/** True for a list that every layer extends. */
export function isAddedUp(key: string): boolean {
  return addedUpKeys.has(key);
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
