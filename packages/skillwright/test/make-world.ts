// A home directory and a project next to it, for tests that run several commands.

import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, type Tree, writeTree } from './make-directory.ts';
import { type SkcOptions, type SkcResult, skc } from './run-in-process.ts';

/** One world; everything in it is below `root`. */
export interface World {
  readonly root: string;
  readonly project: string;
  readonly home: string;
  /** Runs skc in the project, or in another directory of the world. */
  run(
    words: readonly string[],
    options?: Pick<SkcOptions, 'env' | 'terminal' | 'cwd' | 'stdin' | 'keys' | 'drawn' | 'launch' | 'signal'>,
  ): Promise<SkcResult>;
  /** Adds files to the project; paths that start with `~/` go to the home directory. */
  write(tree: Tree): void;
  /** The text of a file of the project or of the home directory. */
  read(path: string): string;
  /** Everything there is below a directory of the world, `root` by default. */
  list(path?: string): Record<string, string>;
}

/**
 * A new world with these files. The project has a `.skillc` directory, so it is one. Accesses are not logged. Skills are
 * deployed as stubs, which the small ones of tests would not be otherwise.
 */
export function makeWorld(files: Tree = {}): World {
  const root = makeDirectory({ 'project/.skillc': { directory: true }, home: { directory: true } });
  const [project, home] = [join(root, 'project'), join(root, 'home')];
  const place = (path: string) => (path.startsWith('~/') ? join(home, path.slice(2)) : join(project, path));
  const world: World = {
    root,
    project,
    home,
    run: (words, { env, ...options } = {}) =>
      skc(words, {
        cwd: project,
        home,
        ...options,
        env: { SKC_NO_LOG: '1', SKC_BUILD_DEPLOY: 'stub', ...env },
      }),
    write(tree) {
      for (const [path, content] of Object.entries(tree))
        writeTree(path.startsWith('~/') ? home : project, { [path.replace(/^~\//, '')]: content });
    },
    read: (path) => readFileSync(place(path), 'utf8'),
    list: (path = root) => listTree(path),
  };
  world.write(files);
  return world;
}

/** Paths below a directory, hidden ones included: directories as `/`, links as `-> target`, files as their text. */
export function listTree(root: string, prefix = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(root, prefix)).sort()) {
    const path = prefix === '' ? name : `${prefix}/${name}`;
    const status = lstatSync(join(root, path));
    if (status.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(root, path))}`;
    else if (status.isDirectory()) Object.assign(found, { [path]: '/' }, listTree(root, path));
    else found[path] = status.isFile() ? readFileSync(join(root, path), 'latin1') : 'special';
  }
  return found;
}

/** A SKILL.md with a frontmatter of name and description. */
export function skillText(
  name: string,
  body = `# ${name}\n`,
  description = `Use when testing ${name}.`,
): string {
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}`;
}
