// Settings from flags, environment and file, in this order of precedence.

import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { Problem } from '../base/index.ts';
import { type Setting, settingList } from './setting-list.ts';
import { Settings } from './settings.ts';

/** Reads and checks all settings. Flags are given by name without dashes; `config` is the file. */
export function readSettings({
  flags = {},
  env = {},
}: {
  readonly flags?: Readonly<Record<string, string | boolean | undefined>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
}): Settings {
  const values: Record<string, unknown> = {};
  const origins: Record<string, string> = {};
  const set = (setting: Setting, value: unknown, origin: string) => {
    values[setting.name] = value;
    origins[setting.name] = origin;
  };
  const file = flags.config ?? env.REGISTRY_CONFIG;
  if (typeof file === 'string' && file !== '')
    for (const [key, value] of Object.entries(readSettingsFile(file))) {
      const setting = settingList.find(({ flag }) => flag === key);
      if (setting === undefined) throw new Problem(`${file}: there is no setting ${key}`);
      set(setting, value, `${file}: ${key}`);
    }
  for (const setting of settingList) {
    const variables = [setting.variable];
    // Hosts of databases set these.
    if (setting.name === 'databaseUrl' || setting.name === 'databaseReadUrl')
      variables.unshift(setting.variable.replace('REGISTRY_', ''));
    for (const variable of variables) {
      const text = env[variable];
      if (text && !isSetByKubernetes(text)) set(setting, fromText(setting, text, variable), variable);
    }
    const flag = flags[setting.flag];
    if (flag !== undefined) set(setting, fromText(setting, flag, `--${setting.flag}`), `--${setting.flag}`);
  }
  const checked = Settings.safeParse({ data: 'skillwright-registry', ...values });
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const [name = '', ...rest] = issue!.path;
  throw new Problem(`${[origins[String(name)] ?? String(name), ...rest].join('.')}: ${issue!.message}`);
}

/** Kubernetes sets REGISTRY_PORT to an address when a service is called `registry`. */
function isSetByKubernetes(text: string): boolean {
  return /^(?:tcp|udp):\/\//.test(text);
}

function fromText({ type }: Setting, text: string | boolean, origin: string): unknown {
  if (typeof text === 'boolean' || type === 'text') return text;
  if (type === 'list') return text.split(',').map((part) => part.trim());
  if (type === 'boolean' && /^(?:true|1|yes|on)$/i.test(text)) return true;
  if (type === 'boolean' && /^(?:false|0|no|off)$/i.test(text)) return false;
  if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (type !== 'value')
    throw new Problem(`${origin}: ${text} is not ${type === 'number' ? 'a number' : 'true or false'}`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(`${origin}: not JSON`);
  }
}

function readSettingsFile(file: string): Record<string, unknown> {
  try {
    const text = readFileSync(file, 'utf8');
    const value: unknown = file.endsWith('.json') ? JSON.parse(text) : parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not a table');
    return value as Record<string, unknown>;
  } catch (error) {
    throw new Problem(`${file}: ${(error as Error).message.split('\n')[0]}`);
  }
}
