// Every configuration key: its type, its default and what it is for.

import * as z from 'zod';
import { ProfileName } from '../format/index.ts';
import { type Config, defaultConfig } from './default-config.ts';
import { readHostEntry } from './host-entry.ts';
import { PermissionRule } from './permission-rule.ts';

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

/** The whole configuration: sections, then keys. Every key has a default, so an empty file is complete. */
export const ConfigSchema = z.object({
  skills: z
    .object({
      enabled: z
        .boolean()
        .default(defaultConfig.skills.enabled)
        .describe('Whether there are skills at all; false hides every skill and lets nothing of one be used'),
    })
    .prefault({}),
  search: z
    .object({
      tokenizer: z
        .enum(['unicode', 'porter'])
        .default(defaultConfig.search.tokenizer)
        .describe('How words are cut and reduced in the search index'),
      default_limit: positive
        .default(defaultConfig.search.default_limit)
        .describe('Skills that a search gives when it is not told how many'),
      max_limit: positive.default(defaultConfig.search.max_limit).describe('Most skills that a search gives'),
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
        .describe('Tokens that an outline, a search or a list of files may cost an agent'),
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
      scope: z
        .enum(['user', 'project'])
        .default(defaultConfig.build.scope)
        .describe("Whose agent directories: the user's or the project's"),
      deploy: z
        .enum(['auto', 'stub', 'whole'])
        .default(defaultConfig.build.deploy)
        .describe('Form of deployment: a stub, the whole skill, or the first that loses nothing'),
    })
    .prefault({}),
  lint: z
    .object({
      profile: ProfileName.default(defaultConfig.lint.profile).describe(
        'Profile that lint and validate judge by',
      ),
      rules: z
        .record(z.string(), RuleSetting)
        .default(defaultConfig.lint.rules)
        .describe('Severity or options of single rules, by id or name'),
    })
    .prefault({}),
  catalog: z
    .object({
      roots: z
        .array(z.string())
        .default(defaultConfig.catalog.roots)
        .describe('Further directories that hold skills'),
      markers: z
        .array(z.string())
        .default(defaultConfig.catalog.markers)
        .describe('Names that mark the root of a project'),
      max_depth: positive.default(defaultConfig.catalog.max_depth).describe('How deep skills are looked for'),
      max_directories: positive
        .default(defaultConfig.catalog.max_directories)
        .describe('How many directories of a root are looked into'),
      max_entries: positive
        .default(defaultConfig.catalog.max_entries)
        .describe('How many skills a prompt lists'),
      max_bytes: positive
        .default(defaultConfig.catalog.max_bytes)
        .describe('How long the list in a prompt may be'),
    })
    .prefault({}),
  permissions: z
    .object({
      allow: z
        .array(PermissionRule)
        .default(defaultConfig.permissions.allow)
        .describe('What is allowed without asking'),
      deny: z.array(PermissionRule).default(defaultConfig.permissions.deny).describe('What is refused'),
      confirm: z
        .array(PermissionRule)
        .default(defaultConfig.permissions.confirm)
        .describe('What the user is asked about'),
    })
    .prefault({}),
  scripts: z
    .object({
      timeout: positive.default(defaultConfig.scripts.timeout).describe('Seconds a script may run'),
      max_output: positive.default(defaultConfig.scripts.max_output).describe('Bytes a script may print'),
      max_memory: positive
        .default(defaultConfig.scripts.max_memory)
        .describe('Bytes of memory a script and what it starts may use'),
      max_processes: positive
        .default(defaultConfig.scripts.max_processes)
        .describe('Processes and threads a script may have at a time'),
      max_file: positive
        .default(defaultConfig.scripts.max_file)
        .describe('Bytes a file of a script may have'),
      unsandboxed: z
        .boolean()
        .default(defaultConfig.scripts.unsandboxed)
        .describe('Run scripts without a sandbox where none works'),
    })
    .prefault({}),
  usage: z
    .object({
      enabled: z.boolean().default(defaultConfig.usage.enabled).describe('Write the access log'),
    })
    .prefault({}),
  network: z
    .object({
      allow_private: z
        .union([z.boolean(), z.array(hostEntry)], { error: 'must be a list of hosts' })
        .default(defaultConfig.network.allow_private)
        .describe('Private hosts, addresses and networks that may be asked; link-local ones never'),
      timeout: positive.default(defaultConfig.network.timeout).describe('Seconds a request may take'),
      max_bytes: positive.default(defaultConfig.network.max_bytes).describe('Bytes an answer may have'),
      max_unpacked: positive
        .default(defaultConfig.network.max_unpacked)
        .describe('Bytes an archive or a skill may have when it is unpacked'),
      max_entries: positive
        .default(defaultConfig.network.max_entries)
        .describe('Files and directories an archive or a skill may have'),
      git_url: z
        .url({ protocol: /^https?$/ })
        .default(defaultConfig.network.git_url)
        .describe('Where owner/repo is looked for'),
      github_url: webAddress
        .default(defaultConfig.network.github_url)
        .describe('Where the API of GitHub is asked'),
      npm_url: webAddress
        .default(defaultConfig.network.npm_url)
        .describe('Where packages of npm are searched'),
      domains: z
        .array(z.string())
        .default(defaultConfig.network.domains)
        .describe('Domains whose published skills are searched'),
    })
    .prefault({}),
  registry: z
    .object({
      url: webAddress.optional().describe('The registry to publish to and install from'),
      trusted: z
        .array(webAddress)
        .default(defaultConfig.registry.trusted)
        .describe('Registries that projects may name'),
    })
    .prefault({}),
  cache: z
    .object({
      max_bytes: positive
        .default(defaultConfig.cache.max_bytes)
        .describe('Bytes that are kept of installed skills, to restore them without a download'),
    })
    .prefault({}),
});
// The defaults and the schema describe the same thing; the compiler says when they do not.
({}) as z.output<typeof ConfigSchema> satisfies Config;

/** Keys that a project may not set, because they would let a stranger's repository loosen what the user decided. */
export const userOnlyKeys: ReadonlySet<string> = new Set([
  'permissions.allow',
  'scripts.unsandboxed',
  'network.allow_private',
  'network.git_url',
  'network.github_url',
  'network.npm_url',
  'registry.trusted',
  'cache.max_bytes',
]);

/** Switches that a project may turn off, and not on again where the user has turned them off. */
export const narrowingKeys: ReadonlySet<string> = new Set(['skills.enabled']);

/** Lists to which every layer adds, instead of replacing what the layer below it says. */
const addedUpKeys: ReadonlySet<string> = new Set([
  'permissions.allow',
  'permissions.deny',
  'permissions.confirm',
]);

/** Keys whose values are tables that merge entry by entry. */
const openTables: ReadonlySet<string> = new Set(['lint.rules']);

/** The schema of one dotted key such as `gateway.auto_build` or `lint.rules.SKL107`; undefined when there is none. */
export function schemaOfKey(key: string): z.ZodType | undefined {
  const [section, name, ...rest] = key.split('.');
  const table = section !== undefined && isSection(section) ? sectionShape(section) : undefined;
  if (table === undefined || name === undefined || !Object.hasOwn(table, name)) return undefined;
  if (rest.length === 0) return table[name];
  return rest.length === 1 && openTables.has(`${section}.${name}`) ? RuleSetting : undefined;
}

/** The default of a key that is a number. Every such key is a limit, and a project may lower it, never raise it. */
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

/** True for a list to which every layer adds. */
export function isAddedUp(key: string): boolean {
  return addedUpKeys.has(key);
}

/** True for the name of a section, such as `lint`. */
export function isSection(name: string): boolean {
  return Object.hasOwn(ConfigSchema.shape, name);
}

/** All keys in the order of the schema, with their schemas. */
export function configKeys(): { key: string; schema: z.ZodType }[] {
  return Object.keys(ConfigSchema.shape).flatMap((section) =>
    Object.entries(sectionShape(section)).map(([name, schema]) => ({ key: `${section}.${name}`, schema })),
  );
}

function sectionShape(section: string): Record<string, z.ZodType> {
  const wrapped = ConfigSchema.shape[section as keyof typeof ConfigSchema.shape];
  return wrapped.def.innerType.shape;
}
