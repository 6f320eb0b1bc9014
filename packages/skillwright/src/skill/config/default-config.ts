// Default configuration. Separate from the schema, so that a machine without configuration does not load the schema
// library.

import type { Config } from './config-schema.ts';

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
