// Configuration from its four sources: defaults, the user's file, the project's file, the environment.

import { readFileSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.ts';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { isMissing, readError } from '../files/system-error.ts';
import { findProject } from '../places/find-project.ts';
import { storePaths } from '../places/store-paths.ts';
import {
  type Config,
  ConfigSchema,
  configKeys,
  isOpenTable,
  schemaOfKey,
  userOnlyKeys,
} from './config-schema.ts';
import { lineOfKey } from './locate-key.ts';
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

/** What configuration depends on. */
export interface ConfigContext {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Loads and merges key by key. E110 when a file is broken or a value has the wrong type; unknown keys are W110. */
export function loadConfig(context: ConfigContext): LoadedConfig {
  const diagnostics: Diagnostic[] = [];
  const project = findProject(context.cwd, context.home);
  const layers = [
    readLayer('user', storePaths(context.home).config, diagnostics),
    project === undefined ? undefined : readLayer('project', storePaths(project).config, diagnostics),
    readEnvironment(context.env),
  ].filter((layer) => layer !== undefined);
  const merged: Record<string, Record<string, unknown>> = {};
  for (const { values } of layers) for (const [key, value] of values) assign(merged, key, value);
  return {
    values: ConfigSchema.parse(merged),
    layers,
    diagnostics,
    originOf: (key) => layers.findLast((layer) => layer.values.has(key))?.origin ?? { layer: 'default' },
  };
}

function readLayer(
  layer: 'user' | 'project',
  place: string,
  diagnostics: Diagnostic[],
): ConfigLayer | undefined {
  const text = readIfThere(place);
  if (text === undefined) return undefined;
  const table = parseToml(text, place);
  const values = new Map<string, unknown>();
  for (const [key, value] of flatten(table)) {
    const schema = schemaOfKey(key);
    const where = () => `${place}:${lineOfKey(text, key)}`;
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
        const issue = result.error.issues[0]!;
        const path = [key, ...issue.path.map(String)].join('.');
        throw SkillwrightError.of('E110', { where: where(), why: `${path}: ${issue.message}` });
      }
      values.set(key, value);
    }
  }
  return { origin: { layer, place }, values };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw readError(path, error);
  }
}

/** Parses TOML; E110 names the file and line. */
export function parseToml(text: string, place: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const why = error.message.split('\n')[0]!.replace(/^Invalid TOML document:\s*/, '');
    throw SkillwrightError.of('E110', { where: `${place}:${error.line}`, why });
  }
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

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function readEnvironment(env: ConfigContext['env']): ConfigLayer | undefined {
  const values = new Map<string, unknown>();
  for (const { key, schema } of configKeys()) {
    const name = variableOf(key);
    const written = env[name];
    if (written === undefined) continue;
    const result = readValue(schema, written);
    if (!result.success) throw SkillwrightError.of('E110', { where: name, why: result.why });
    values.set(key, result.value);
  }
  return values.size === 0 ? undefined : { origin: { layer: 'environment' }, values };
}

/** The environment variable that overrides a key: `SKILLC_GATEWAY_AUTO_BUILD`. */
export function variableOf(key: string): string {
  return `SKILLC_${key.replaceAll('.', '_').toUpperCase()}`;
}

function assign(target: Record<string, Record<string, unknown>>, key: string, value: unknown): void {
  const [section, name, entry] = key.split('.') as [string, string, string?];
  target[section] ??= {};
  const table = target[section];
  if (entry === undefined) table[name] = value;
  else table[name] = { ...(table[name] as object | undefined), [entry]: value };
}
