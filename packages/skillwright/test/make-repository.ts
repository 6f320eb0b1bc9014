// Real git repositories for tests.

import { execFileSync } from 'node:child_process';
import { makeDirectory, type Tree, writeTree } from './make-directory.ts';

/** A repository with a working tree. */
export interface TestRepository {
  readonly dir: string;
  /** As git takes it. */
  readonly url: string;
  /** Runs git in it and returns the output. */
  git(words: readonly string[], input?: string | Uint8Array): string;
  /** Adds files and commits everything; returns the commit. */
  commit(tree: Tree): string;
}

/** A new repository with one commit. */
export function makeRepository(
  tree: Tree,
  options: { readonly hash?: 'sha1' | 'sha256'; readonly filter?: boolean } = {},
): TestRepository {
  const dir = makeDirectory();
  const env = {
    PATH: process.env.PATH,
    HOME: dir,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.com',
    GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
  };
  const git = (words: readonly string[], input: string | Uint8Array = ''): string =>
    execFileSync('git', [...words], {
      cwd: dir,
      env,
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    }).trim();
  git(['init', '--quiet', '--initial-branch=main', `--object-format=${options.hash ?? 'sha1'}`]);
  if (options.filter !== false) git(['config', 'uploadpack.allowFilter', 'true']);
  const repository: TestRepository = {
    dir,
    url: `file://${dir}`,
    git,
    commit(content) {
      writeTree(dir, content);
      git(['add', '--all', '--force']);
      git(['commit', '--quiet', '--allow-empty', '--message=x']);
      return git(['rev-parse', 'HEAD']);
    },
  };
  repository.commit(tree);
  return repository;
}
