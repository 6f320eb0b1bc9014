// Configuration from its four sources: defaults, the user's file, the project's file, the environment.

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
import {
  ConfigSchema,
  configKeys,
  defaultLimit,
  isAddedUp,
  isOpenTable,
  isSection,
  narrowingKeys,
  schemaOfKey,
  userOnlyKeys,
} from './config-schema.ts';
import type { Config } from './default-config.ts';
import type { ConfigFiles } from './is-configured.ts';
import { lineOfConfigKey } from './locate-key.ts';
import { isTable, parseToml, readConfigFile } from './read-toml.ts';
import { readValue } from './read-value.ts';

/** Where a value comes from. */
export interface ConfigOrigin {
  readonly layer: 'default' | 'user' | 'project' | 'environment';
  /** The file or the variable; undefined for a default. */
  readonly place?: string;
}

/** One source with the values it sets, by dotted key. */
export interface ConfigLayer {
  readonly origin: ConfigOrigin;
  readonly values: ReadonlyMap<string, unknown>;
}

/** The configuration in force, and how it came about. */
export interface LoadedConfig {
  readonly values: Config;
  /** Layers that set something, weakest first. */
  readonly layers: readonly ConfigLayer[];
  readonly diagnostics: readonly Diagnostic[];
  originOf(key: string): ConfigOrigin;
}

/**
 * Loads and merges key by key; the lists of permission rules add up, so that no layer drops what another refuses, and a
 * project lowers limits only. E110 when a file is broken or a value has the wrong type; unknown keys are W110.
 */
export function loadConfig({ user, project, env }: ConfigFiles): LoadedConfig {
  const diagnostics: Diagnostic[] = [];
  const users = readLayer('user', user, diagnostics);
  const projects = project === undefined ? undefined : readLayer('project', project, diagnostics, users);
  const layers = [users, projects, readEnvironment(env)].filter((layer) => layer !== undefined);
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

/** A configuration that a host gives instead of files; it counts as the user's. */
export function takeConfig(values: Config): LoadedConfig {
  const origin: ConfigOrigin = { layer: 'user' };
  const entries = Object.entries(values).flatMap(([section, keys]) =>
    Object.entries(keys).map(([key, value]): [string, unknown] => [`${section}.${key}`, value]),
  );
  return { values, layers: [{ origin, values: new Map(entries) }], diagnostics: [], originOf: () => origin };
}

function readLayer(
  layer: 'user' | 'project',
  place: string,
  diagnostics: Diagnostic[],
  users?: ConfigLayer,
): ConfigLayer | undefined {
  // The user may keep a configuration elsewhere; a project's is a stranger's.
  if (layer === 'project') refuseLinks(dirname(place), place);
  const text = readConfigFile(place)?.text;
  if (text === undefined) return undefined;
  const table = parseToml(text, place);
  const values = new Map<string, unknown>();
  for (const [key, value] of flatten(table)) {
    const schema = schemaOfKey(key);
    const where = (path = key) => `${place}:${lineOfConfigKey(text, path)}`;
    if (isSection(key)) throw SkillwrightError.of('E110', { where: where(), why: `${key}: must be a table` });
    if (schema === undefined) {
      const known = configKeys().map((entry) => entry.key);
      const [candidate] = suggest(key, known);
      diagnostics.push(
        diagnose('W110', { where: where(), key }, candidate ? { help: `did you mean ${candidate}?` } : {}),
      );
    } else if (layer === 'project' && userOnlyKeys.has(key)) {
      const help = `only the user's own configuration may set ${key}; the value here is ignored`;
      diagnostics.push(diagnose('W110', { where: where(), key }, { help }));
    } else {
      const result = schema.safeParse(value);
      if (!result.success) {
        const { path, message } = explain(key, result.error.issues[0]!);
        throw SkillwrightError.of('E110', { where: where(path), why: `${path}: ${message}` });
      }
      if (layer === 'project' && value === true && narrowingKeys.has(key)) {
        if (users?.values.get(key) !== false) continue;
        const help = `a project may turn ${key} off, not on; the value here is ignored`;
        diagnostics.push(diagnose('W110', { where: where(), key }, { help }));
        continue;
      }
      const most = layer === 'project' ? limitFor(key, users) : undefined;
      if (most === undefined || (value as number) <= most) values.set(key, value);
      else {
        const help = `a project may lower ${key}, not raise it over ${most}; the value here is ignored`;
        diagnostics.push(diagnose('W110', { where: where(), key }, { help }));
      }
    }
  }
  return { origin: { layer, place }, values };
}

/** What a project may set a limit to at most: what the user has, or would have without the project. */
function limitFor(key: string, users: ConfigLayer | undefined): number | undefined {
  const fallback = defaultLimit(key);
  return fallback === undefined ? undefined : ((users?.values.get(key) as number | undefined) ?? fallback);
}

/** The full path of what does not fit, and why. */
function explain(key: string, issue: z.core.$ZodIssue): { path: string; message: string } {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [key, ...issue.path.map(String), ...unknown].join('.');
  return { path, message: unknown.length === 0 ? describeIssue(issue) : 'no such field' };
}

/** The leaves of a configuration table by dotted key; tables below an open table stay whole. */
function* flatten(table: Record<string, unknown>, prefix = ''): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(table)) {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    const open = isOpenTable(prefix);
    if (!open && isTable(value) && (prefix === '' || isOpenTable(key) || schemaOfKey(key) === undefined)) {
      yield* flatten(value, key);
    } else yield [key, value];
  }
}

function readEnvironment(env: ConfigFiles['env']): ConfigLayer | undefined {
  const values = new Map<string, unknown>();
  for (const { key, schema } of configKeys()) {
    const name = variableOf(key);
    const written = env[name];
    if (written === undefined) continue;
    const result = readValue(schema, written);
    if (!result.success) throw SkillwrightError.of('E110', { where: name, why: result.why });
    if (isOpenTable(key))
      for (const [entry, inner] of Object.entries(result.value as object))
        values.set(`${key}.${entry}`, inner);
    else values.set(key, result.value);
  }
  return values.size === 0 ? undefined : { origin: { layer: 'environment' }, values };
}

/** The environment variable that overrides a key: `SKILLC_GATEWAY_AUTO_BUILD`. Entries of a table share the table's. */
export function variableOf(key: string): string {
  const table = key.slice(0, key.lastIndexOf('.'));
  return `SKILLC_${(isOpenTable(table) ? table : key).replaceAll('.', '_').toUpperCase()}`;
}

function assign(target: Record<string, Record<string, unknown>>, key: string, value: unknown): void {
  const [section, name, entry] = key.split('.') as [string, string, string?];
  target[section] ??= {};
  const table = target[section];
  if (isAddedUp(key))
    table[name] = [...((table[name] as unknown[] | undefined) ?? []), ...(value as unknown[])];
  else if (entry === undefined) table[name] = value;
  else table[name] = { ...(table[name] as object | undefined), [entry]: value };
}
