// The table of settings: one row gives a flag, a variable, a key of the file and a line of help.

import * as z from 'zod';
import { Settings } from './settings.ts';

/** A setting as people write it. */
export interface Setting {
  readonly name: keyof Settings;
  /** Also its key in the file. */
  readonly flag: string;
  readonly variable: string;
  readonly type: 'boolean' | 'list' | 'number' | 'text' | 'value';
  readonly help: string;
  /** Empty for none. */
  readonly usual: string;
}

interface Property {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly items?: { readonly type?: string; readonly anyOf?: readonly { readonly type?: string }[] };
}

/** Every setting, by name. */
export const settingList: readonly Setting[] = Object.entries(
  z.toJSONSchema(Settings, { io: 'input', unrepresentable: 'any' }).properties as Record<string, Property>,
)
  .map(([name, property]) => {
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return {
      name: name as keyof Settings,
      flag,
      variable: `REGISTRY_${flag.toUpperCase().replaceAll('-', '_')}`,
      type: typeOf(property),
      help: [property.description ?? '', property.enum?.join(', ') ?? ''].filter(Boolean).join(': '),
      usual: showUsual(property.default),
    };
  })
  .toSorted((a, b) => a.name.localeCompare(b.name));

function typeOf({ type, items }: Property): Setting['type'] {
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'array' && (items?.anyOf ?? [items]).every((item) => item?.type === 'string')) return 'list';
  if (type === 'boolean') return 'boolean';
  return type === 'string' ? 'text' : 'value';
}

function showUsual(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
