// The npm registry of a package and its credentials, from the user's npm configuration.

import { join } from 'node:path';
import { SkillwrightError } from '../../../../base/diagnostics/index.ts';
import { readRegularFile } from '../../../../base/files/index.ts';
import type { FetchContext } from '../fetch-context.ts';

const DEFAULT_REGISTRY = 'https://registry.npmjs.org/';
const MAX_NPMRC_BYTES = 1024 * 1024;

/** The registry of a package. */
export interface NpmRegistry {
  /** Ends with `/`. */
  readonly url: string;
  /** Login headers for a URL of that registry; none for any other. */
  headersFor(url: string): Record<string, string>;
}

/**
 * The registry for a package, from the user's own `.npmrc` and environment. A project's `.npmrc` is not read: a
 * third-party repository could name its own registry there and receive the user's secrets. E210 when the configured
 * value is not a URL.
 */
export function readNpmRegistry(name: string, context: Pick<FetchContext, 'env' | 'home'>): NpmRegistry {
  const { env } = context;
  const values = readNpmrc(context);
  const scope = name.startsWith('@') ? name.slice(0, name.indexOf('/')) : undefined;
  const configured =
    (scope === undefined ? undefined : values.get(`${scope}:registry`)) ??
    env.npm_config_registry ??
    env.NPM_CONFIG_REGISTRY ??
    values.get('registry') ??
    DEFAULT_REGISTRY;
  const url = configured.endsWith('/') ? configured : `${configured}/`;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    const help = 'correct `registry` in your .npmrc, or npm_config_registry in the environment';
    throw SkillwrightError.of(
      'E210',
      { source: `npm:${name}`, why: `npm's registry '${configured}' is not a URL` },
      { help },
    );
  }
  return { url, headersFor: (target) => findCredentials(target, values) };
}

/** Credentials of the longest configured address that is a prefix of `target`, as npm chooses them. */
function findCredentials(target: string, values: ReadonlyMap<string, string>): Record<string, string> {
  if (!URL.canParse(target)) return {};
  const { host, pathname } = new URL(target);
  const parts = pathname.split('/');
  for (let length = parts.length; length > 0; length--) {
    const address = `//${host}${parts.slice(0, length).join('/')}`;
    for (const key of [`${address}/`, address]) {
      const token = values.get(`${key}:_authToken`);
      if (token !== undefined) return { authorization: `Bearer ${token}` };
      const basic = values.get(`${key}:_auth`);
      if (basic !== undefined) return { authorization: `Basic ${basic}` };
      const [user, password] = [values.get(`${key}:username`), values.get(`${key}:_password`)];
      if (user !== undefined && password !== undefined) {
        const plain = `${user}:${Buffer.from(password, 'base64').toString('utf8')}`;
        return { authorization: `Basic ${Buffer.from(plain).toString('base64')}` };
      }
    }
  }
  return {};
}

function readNpmrc({ env, home }: Pick<FetchContext, 'env' | 'home'>): Map<string, string> {
  const file = env.npm_config_userconfig ?? env.NPM_CONFIG_USERCONFIG ?? join(home, '.npmrc');
  const text = readRegularFile(file, { maxBytes: MAX_NPMRC_BYTES })?.toString('utf8') ?? '';
  const values = new Map<string, string>();
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const [, key, value] = /^\s*([^#;[\s=][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    const plain = value.replace(/^(["'])(.*)\1$/, '$2');
    values.set(
      key,
      plain.replace(/\$\{([^}]+)\}/g, (whole, variable: string) => env[variable] ?? whole),
    );
  }
  return values;
}
