// Loads configuration from its sources: defaults, the user's file, the project's file, the environment and the host.

import { dirname } from 'node:path';
import type * as z from 'zod';
import {
  type Diagnostic,
  describeIssue,
  diagnose,
  SkillwrightError,
  suggest,
} from '../../base/diagnostics/index.ts';
import { refuseLinks } from '../../base/files/index.ts';
import { findVariable, namesOfVariables, variableName } from '../../base/variables.ts';
import { whyNoSecret } from './config-entries.ts';
import {
  addedUpKeys,
  type Config,
  ConfigSchema,
  configKeys,
  defaultLimit,
  isSection,
  isTableSection,
  isUserOnly,
  narrowingKeys,
  openTables,
  schemaOfKey,
} from './config-schema.ts';
import type { ConfigOverlay } from './default-config.ts';
import { lineOfConfigKey } from './locate-key.ts';
import { isTable, parseToml, readConfigFile } from './read-toml.ts';
import { readValue } from './read-value.ts';

/** Where configuration comes from. */
interface ConfigFiles {
  /** The user's file. */
  readonly user: string;
  /** The project's file; undefined outside a project or in an untrusted one. */
  readonly project: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values the host sets on top, by key. */
  readonly overlay?: ConfigOverlay | undefined;
}

/** Where a value comes from. */
export interface ConfigOrigin {
  readonly layer: 'default' | 'user' | 'project' | 'environment';
  /** The file; undefined for defaults, the environment and host values, which count as the user's. */
  readonly place?: string;
}

/** One source with the values it sets, by dotted key. */
interface ConfigLayer {
  readonly origin: ConfigOrigin;
  readonly values: ReadonlyMap<string, unknown>;
}

/** The effective configuration and its layers. */
export interface LoadedConfig {
  readonly values: Config;
  /** Layers that set something, weakest first. */
  readonly layers: readonly ConfigLayer[];
  readonly diagnostics: readonly Diagnostic[];
  originOf(key: string): ConfigOrigin;
}

/**
 * Loads and merges key by key. Permission rules add up, so no layer drops another's refusal, and a project can only
 * lower limits. Host values come last. E110 when a file is broken or a value has the wrong type; unknown keys are
 * W110.
 */
export function loadConfig({ user, project, env, overlay }: ConfigFiles): LoadedConfig {
  const diagnostics: Diagnostic[] = [];
  const users = readLayer('user', user, diagnostics);
  const projects = project === undefined ? undefined : readLayer('project', project, diagnostics, users);
  const given = overlay === undefined ? undefined : readOverlay(overlay, diagnostics);
  const layers = [users, projects, ...readEnvironment(env), given].filter((layer) => layer !== undefined);
  const merged: Record<string, Record<string, unknown>> = {};
  for (const { values } of layers) for (const [key, value] of values) assign(merged, key, value);
  if (merged.network?.allow_private === true) diagnostics.push(diagnose('W218', {}));
  return {
    values: ConfigSchema.parse(merged),
    layers,
    diagnostics,
    originOf: (key) => layers.findLast((layer) => layer.values.has(key))?.origin ?? { layer: 'default' },
  };
}

/** Name of the host's configuration in messages. */
const OVERLAY = 'the config of the session';

/** Values the host sets on top of the files. */
function readOverlay(overlay: ConfigOverlay, diagnostics: Diagnostic[]): ConfigLayer {
  const values = new Map<string, unknown>();
  const faults = noteFaults(diagnostics, OVERLAY);
  if (!isTable(overlay)) throw SkillwrightError.of('E110', { where: OVERLAY, why: 'must be an object' });
  for (const [key, value] of flatten(overlay))
    if (value !== undefined && isKnown(key, value, faults)) values.set(key, value);
  faults.end();
  return { origin: { layer: 'user' }, values };
}

function readLayer(
  layer: 'user' | 'project',
  place: string,
  diagnostics: Diagnostic[],
  users?: ConfigLayer,
): ConfigLayer | undefined {
  // The user may link to a configuration elsewhere; a project's link is not trusted.
  if (layer === 'project') refuseLinks(dirname(place), place);
  const text = readConfigFile(place)?.text;
  if (text === undefined) return undefined;
  const table = parseToml(text, place);
  const values = new Map<string, unknown>();
  const faults = noteFaults(diagnostics, place, (key) => `${place}:${lineOfConfigKey(text, key)}`);
  for (const [key, value] of flatten(table)) {
    const isProjects = layer === 'project';
    const isOnlyUsers = isProjects && isUserOnly(key);
    if (!isOnlyUsers && !isKnown(key, value, faults)) continue;
    const why = isProjects ? whyIgnored(key, value, users) : undefined;
    if (why === undefined) values.set(key, value);
    else faults.report(key, () => `${why}; the value here is ignored`);
  }
  faults.end();
  return { origin: { layer, place }, values };
}

/** Why a project may not set a key to a value; undefined when it may. */
function whyIgnored(key: string, value: unknown, users: ConfigLayer | undefined): string | undefined {
  if (isUserOnly(key)) return `only the user's own configuration may set ${key}`;
  const isWider = narrowingKeys.has(key) && value === true && users?.values.get(key) === false;
  if (isWider) return `a project may turn ${key} off, not on`;
  const fallback = defaultLimit(key);
  // The user's limit, or the default.
  const most = fallback && ((users?.values.get(key) as number | undefined) ?? fallback);
  const isOver = most !== undefined && (value as number) > most;
  return isOver ? `a project may lower ${key}, not raise it over ${most}` : undefined;
}

/** Each costs a search for its line, and a project may have very many. */
const MAX_REPORTED = 20;

/** Reports ignored keys of one source as W110, the last of them as a number. */
function noteFaults(diagnostics: Diagnostic[], place: string, where = (_key: string) => place) {
  let count = 0;
  return {
    where,
    report(key: string, helpOf: () => string | undefined) {
      count += 1;
      if (count > MAX_REPORTED) return;
      const help = helpOf();
      diagnostics.push(diagnose('W110', { where: where(key), key }, help === undefined ? {} : { help }));
    },
    end() {
      const key = `${count - MAX_REPORTED} more`;
      if (count > MAX_REPORTED) diagnostics.push(diagnose('W110', { where: place, key }));
    },
  };
}

/** Whether a key is known; W110 when it is not. E110 when the value does not fit. */
function isKnown(key: string, value: unknown, { where, report }: ReturnType<typeof noteFaults>): boolean {
  if (isSection(key))
    throw SkillwrightError.of('E110', { where: where(key), why: `${key}: must be a table` });
  const secret = whyNoSecret(key);
  if (secret !== undefined) throw SkillwrightError.of('E110', { where: where(key), why: secret });
  const schema = schemaOfKey(key);
  if (schema === undefined) {
    report(key, () => {
      const [candidate] = suggest(
        key,
        configKeys().map((entry) => entry.key),
      );
      return candidate && `did you mean ${candidate}?`;
    });
    return false;
  }
  const result = schema.safeParse(value);
  if (result.success) return true;
  const { path, message } = explainConfig(key, result.error.issues[0]!);
  throw SkillwrightError.of('E110', { where: where(path), why: `${path}: ${message}` });
}

/** Full path of the invalid value, and why it is invalid. */
function explainConfig(key: string, issue: z.core.$ZodIssue): { path: string; message: string } {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [key, ...issue.path.map(String), ...unknown].join('.');
  return { path, message: unknown.length === 0 ? describeIssue(issue) : 'no such field' };
}

/** Leaves of a configuration table by dotted key; tables below an open table stay whole. */
function* flatten(table: Record<string, unknown>, prefix = ''): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(table)) {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    const open = openTables.has(prefix);
    if (!open && isTable(value) && (prefix === '' || openTables.has(key) || schemaOfKey(key) === undefined)) {
      yield* flatten(value, key);
    } else yield [key, value];
  }
}

/** One layer per variable that is set, so that each value names its variable. */
function readEnvironment(env: ConfigFiles['env']): ConfigLayer[] {
  return environmentKeys(env).flatMap(({ key, schema }) => {
    const found = findVariable(env, suffixOf(key));
    if (found === undefined) return [];
    const result = readValue(schema, found.value);
    if (!result.success) throw SkillwrightError.of('E110', { where: found.name, why: result.why });
    const entries: [string, unknown][] = openTables.has(key)
      ? Object.entries(result.value as object).map(([entry, inner]) => [`${key}.${entry}`, inner])
      : [[key, result.value]];
    return [{ origin: { layer: 'environment', place: found.name }, values: new Map(entries) }];
  });
}

/** The keys that variables can set; `registries.<owner>.url` once for each owner with a variable. */
function environmentKeys(env: ConfigFiles['env']): ReturnType<typeof configKeys> {
  const names = new Set(namesOfVariables(env));
  return configKeys().flatMap(({ key, schema }) => {
    const [section, , field] = key.split('.') as [string, string, string?];
    if (!isTableSection(section) || field === undefined) return [{ key, schema }];
    const [before, after] = [`${section}_`.toUpperCase(), `_${field}`.toUpperCase()];
    return [...names]
      .filter((name) => name.startsWith(before) && name.endsWith(after))
      .map((name) => name.slice(before.length, -after.length).toLowerCase().replaceAll('_', '-'))
      .map((owner) => ({ key: `${section}.${owner}.${field}`, schema }))
      .filter((entry) => schemaOfKey(entry.key) !== undefined);
  });
}

/** Environment variable that overrides a key: `SKC_GATEWAY_AUTO_BUILD`. Entries of a table share the table's variable. */
export const variableOf = (key: string): string => variableName(suffixOf(key));

function suffixOf(key: string): string {
  const table = key.slice(0, key.lastIndexOf('.'));
  return (openTables.has(table) ? table : key).replaceAll(/[.-]/g, '_').toUpperCase();
}

function assign(target: Record<string, Record<string, unknown>>, key: string, value: unknown): void {
  const [section, name, entry] = key.split('.') as [string, string, string?];
  target[section] ??= {};
  const table = target[section];
  if (addedUpKeys.has(key))
    table[name] = [...((table[name] as unknown[] | undefined) ?? []), ...(value as unknown[])];
  else if (entry === undefined) table[name] = value;
  else {
    // Without a prototype, so that any name is a field.
    table[name] ??= Object.create(null);
    (table[name] as Record<string, unknown>)[entry] = value;
  }
}
