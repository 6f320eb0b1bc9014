// `skc config`: lists values with their origins, and changes one.

import { dirname } from 'node:path';
import { SkillwrightError, suggest } from '../../base/diagnostics/index.ts';
import { refuseLinks } from '../../base/files/index.ts';
import { whyNoSecret } from './config-entries.ts';
import {
  configKeys,
  defaultLimit,
  isTableSection,
  isUserOnly,
  openTables,
  schemaOfKey,
} from './config-schema.ts';
import type { ConfigOrigin, LoadedConfig } from './load-config.ts';
import { readValue } from './read-value.ts';
import { writeConfigValue } from './write-config.ts';

/** One value and where it comes from. */
interface ConfigEntry {
  key: string;
  value: unknown;
  layer: ConfigOrigin['layer'];
  place: string | null;
}

/** A requested change; without `value` and `unset` nothing changes. */
export interface ConfigChange {
  readonly key?: string | undefined;
  readonly value?: string | undefined;
  readonly scope?: 'project' | 'user' | undefined;
  readonly unset: boolean;
  /** Dry run: writes nothing. */
  readonly dryRun?: boolean | undefined;
}

/** Configuration files that can be changed; outside a project only the user's. */
interface ConfigPlaces {
  readonly user: string;
  readonly project: { readonly base: string; readonly config: string } | undefined;
}

/** Writes the change and returns the file, or null when the value was already set. */
export function changeConfig(change: ConfigChange, places: ConfigPlaces): string | null {
  const { key, value, unset } = change;
  if (value === undefined && !unset) return null;
  if (key === undefined) throw SkillwrightError.of('E100', { why: 'missing <key>' });
  if (value !== undefined && unset) throw SkillwrightError.of('E100', { why: '--unset takes no value' });
  const schema = knownKey(key);
  const { user, project } = places;
  const isUsers = isUserOnly(key) || defaultLimit(key) !== undefined;
  const scope = change.scope ?? (project === undefined || isUsers ? 'user' : 'project');
  if (scope === 'project' && isUserOnly(key)) {
    throw SkillwrightError.of('E100', { why: `a project may not set ${key}` }, { help: 'use --scope user' });
  }
  if (scope === 'project' && project === undefined) {
    throw SkillwrightError.of(
      'E100',
      { why: 'not inside a project' },
      { help: "run 'skc init', or use --scope user" },
    );
  }
  const place = scope === 'user' ? user : project!.config;
  if (scope === 'project') refuseLinks(dirname(place), place);
  const result = value === undefined ? undefined : readValue(schema, value);
  if (result?.success === false) throw SkillwrightError.of('E100', { why: `${key} cannot be ${result.why}` });
  if (change.dryRun === true) return place;
  return writeConfigValue(place, key, result?.value) ? place : null;
}

/** Every effective value, or only that of `key`. */
export function listConfig(key: string | undefined, config: LoadedConfig): ConfigEntry[] {
  if (key !== undefined) knownKey(key);
  const values = config.values as unknown as Record<string, Record<string, unknown>>;
  const expanded = configKeys().flatMap(({ key: name }) => {
    const [section, field, inner] = name.split('.') as [string, string, string?];
    if (isTableSection(section))
      return Object.entries(values[section] as Record<string, Record<string, unknown>>).flatMap(
        ([entry, table]) =>
          Object.hasOwn(table, inner!) ? [{ key: `${section}.${entry}.${inner}`, value: table[inner!] }] : [],
      );
    const value = values[section]![field];
    if (!openTables.has(name)) return [{ key: name, value }];
    return Object.entries(value as object).map(([entry, one]) => ({ key: `${name}.${entry}`, value: one }));
  });
  const wanted =
    key === undefined
      ? expanded
      : expanded.filter((entry) => entry.key === key || entry.key.startsWith(`${key}.`));
  const missing = key !== undefined && wanted.length === 0 ? [{ key, value: null }] : [];
  return [...wanted, ...missing].map((entry): ConfigEntry => {
    const origin = config.originOf(entry.key);
    return { key: entry.key, value: entry.value ?? null, layer: origin.layer, place: origin.place ?? null };
  });
}

function knownKey(key: string): NonNullable<ReturnType<typeof schemaOfKey>> {
  const schema = schemaOfKey(key);
  if (schema !== undefined) return schema;
  const secret = whyNoSecret(key);
  if (secret !== undefined) throw SkillwrightError.of('E100', { why: secret });
  const [candidate] = suggest(
    key,
    configKeys().map((entry) => entry.key),
  );
  throw SkillwrightError.of(
    'E100',
    { why: `unknown configuration key '${key}'` },
    { help: candidate === undefined ? "run 'skc config' to list the keys" : `did you mean ${candidate}?` },
  );
}
