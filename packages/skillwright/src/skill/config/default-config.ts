// Default configuration. Separate from the schema, so that a machine without configuration does not load the schema
// library.

import type { ModelEntry, PermissionRule } from './config-entries.ts';

type Severity = 'off' | 'info' | 'warning' | 'error';

/** The whole configuration with every default filled in. */
export interface Config {
  skills: { enabled: boolean };
  search: { tokenizer: 'unicode' | 'porter'; default_limit: number; max_limit: number };
  gateway: { auto_build: boolean; budget: number };
  server: { timeout: number };
  build: {
    targets: string[];
    trusted_targets: string[];
    scope: 'auto' | 'user' | 'project';
    deploy: 'auto' | 'stub' | 'whole';
  };
  lint: {
    profile: 'spec' | 'strict' | 'claude-code' | 'registry' | 'upload';
    rules: Record<string, Severity | { severity?: Severity | undefined; [option: string]: unknown }>;
  };
  catalog: {
    roots: string[];
    markers: string[];
    max_depth: number;
    max_directories: number;
    max_entries: number;
    max_bytes: number;
  };
  permissions: { allow: PermissionRule[]; deny: PermissionRule[]; confirm: PermissionRule[] };
  scripts: {
    timeout: number;
    max_output: number;
    max_memory: number;
    max_processes: number;
    max_file: number;
    unsandboxed: boolean;
  };
  usage: { enabled: boolean };
  report: { licences: { allow: string[]; deny: string[] } };
  network: {
    allow_private: boolean | string[];
    timeout: number;
    max_bytes: number;
    max_unpacked: number;
    max_entries: number;
    git_url: string;
    github_url: string;
    npm_url: string;
    domains: string[];
  };
  registry: {
    url?: string | undefined;
    key?: string | undefined;
    owner?: string | undefined;
    trusted: string[];
    witnesses: string[];
    quorum?: number | undefined;
  };
  registries: Record<string, { url?: string | undefined; key?: string | undefined }>;
  models: Record<string, ModelEntry>;
  cache: { max_bytes: number };
}

/** Some keys of a configuration. */
export type ConfigOverlay = { readonly [Section in keyof Config]?: Readonly<Partial<Config[Section]>> };

/** Every default. */
export const defaultConfig: Config = {
  skills: { enabled: true },
  search: { tokenizer: 'porter', default_limit: 8, max_limit: 50 },
  gateway: { auto_build: false, budget: 2000 },
  server: { timeout: 60 },
  build: { targets: ['claude'], trusted_targets: [], scope: 'auto', deploy: 'auto' },
  lint: { profile: 'spec', rules: {} },
  catalog: {
    roots: [],
    markers: ['.git', '.jj', '.skillc'],
    max_depth: 6,
    max_directories: 2000,
    max_entries: 200,
    max_bytes: 32 * 1024,
  },
  permissions: { allow: [], deny: [], confirm: [] },
  scripts: {
    timeout: 60,
    max_output: 1024 * 1024,
    max_memory: 512 * 1024 * 1024,
    max_processes: 128,
    max_file: 100 * 1024 * 1024,
    unsandboxed: false,
  },
  usage: { enabled: true },
  report: { licences: { allow: [], deny: [] } },
  network: {
    allow_private: [],
    timeout: 10,
    max_bytes: 100 * 1024 * 1024,
    max_unpacked: 100 * 1024 * 1024,
    max_entries: 10_000,
    git_url: 'https://github.com',
    github_url: 'https://api.github.com',
    npm_url: 'https://registry.npmjs.org',
    domains: [],
  },
  registry: { trusted: [], witnesses: [] },
  registries: {},
  models: {},
  cache: { max_bytes: 1024 * 1024 * 1024 },
};
