// The recipes of CONTRIBUTING.md, followed once in a copy of the repository: what each adds is there afterwards.

import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ProcessResult, runProcess } from './built-package.ts';
import { makeSharedDirectory, writeTree } from './make-directory.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const contributing = readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8');

/** A change to a file: its new text from its old one, which is empty for a new file. */
type Edits = Readonly<Record<string, (text: string) => string>>;

const create = (text: string) => () => text;

/** Puts a text after the first match of a pattern. */
const after = (pattern: RegExp, added: string) => (text: string) => {
  const found = pattern.exec(text);
  if (found === null) throw new Error(`nothing matches ${pattern}`);
  const end = found.index + found[0].length;
  return text.slice(0, end) + added + text.slice(end);
};

const both = (one: (text: string) => string, other: (text: string) => string) => (text: string) =>
  other(one(text));

/** Adds an import and an entry at the end of the list that an index.ts exports, which it may sort. */
const register = (name: string, file: string) =>
  both(
    after(/\nimport [^\n]+\n/, `import { ${name} } from './${file}.ts';\n`),
    after(/,\n(?=\](?:\.sort\([^\n]+\))?;\s*$)/, `  ${name},\n`),
  );

/** Each recipe by its heading, as edits of files below packages/skillwright. */
const recipes: Readonly<Record<string, Edits>> = {
  'Add a command': {
    'src/front/commands/greet.ts': create(`// skc greet: says hello.

import * as z from 'zod';
import { defineCommand } from './define-command.ts';
import { text } from './fields.ts';

/** Greets somebody. */
export const greet = defineCommand({
  fields: { name: text('Who is greeted', { required: true }) },
  positionals: ['name'],
  output: z.object({ greeting: z.string() }),
  effect: 'read',
  writes: [],
  touches: 'nothing',
  run: ({ name }) => ({ greeting: \`hello \${name}\` }),
  text: ({ greeting }) => \`\${greeting}\\n\`,
});
`),
    'src/front/commands/table.ts': (text) => {
      const row = /^ {4}version: row\([^\n]+\),\n/m.exec(text)?.[0];
      if (row === undefined) throw new Error('no row for version');
      const added = row.replaceAll('version', 'greet').replace(/row\('[^']*'/, "row('Say hello'");
      return text.replace(row, added + row);
    },
  },
  'Add a lint rule': {
    'src/make/lint/rules/no-shouting.ts': create(`// SKL999: no shouting.

import { defineRule } from '../rule.ts';

/** Reports a description in capitals. */
export const noShouting = defineRule({
  id: 'SKL999',
  name: 'no-shouting',
  severity: 'warning',
  summary: 'The description is not written in capitals.',
  *check(skill) {
    const { description } = skill.frontmatter;
    if (typeof description === 'string' && description === description.toUpperCase())
      yield { message: 'description is written in capitals', line: skill.lineOf('description') };
  },
});
`),
    'src/make/lint/rules/no-shouting.md': create(
      '# SKL999 no-shouting\n\nThe description is not written in capitals.\n',
    ),
    'src/make/lint/rules/index.ts': register('noShouting', 'no-shouting'),
  },
  'Add a scan rule': {
    'src/guard/scan/rules/odd-licence.ts': create(`// SCN999: an odd licence.

import type { ScanRule } from '../scan-rule.ts';

/** Reports a licence that is a joke. */
export const oddLicence: ScanRule = {
  id: 'SCN999',
  name: 'odd-licence',
  category: 'permissions',
  severity: 'low',
  summary: 'The licence is a joke.',
  reason: 'Nobody knows what it allows.',
  help: 'Choose a licence.',
  *check(subject) {
    if (subject.data.license === 'joke') yield { message: 'the licence is a joke', line: 1 };
  },
};
`),
    'src/guard/scan/rules/odd-licence.md': create('# SCN999 odd-licence\n\nThe licence is a joke.\n'),
    'src/guard/scan/rules/index.ts': register('oddLicence', 'odd-licence'),
  },
  'Add a doctor check': {
    'src/ship/doctor/checks/machine.ts': after(
      /checksOf\('this machine', \[/,
      `
  defineCheck({
    id: 'full-moon',
    summary: 'The moon is not full.',
    find: () => [
      { severity: 'info', subject: 'moon', message: 'the moon is full', why: 'It happens.', fix: 'wait' },
    ],
  }),
`,
    ),
  },
  'Add an agent': {
    'src/skill/agents/agents.ts': after(/export const agents[^\n]*\[\n/, "  same('robot'),\n"),
  },
  'Add a source': {
    'src/ship/install/source/fetched-source.ts': after(
      /export type SkillSource =\n/,
      "  | { readonly kind: 'mirror'; readonly path: string }\n",
    ),
    'src/ship/install/source/read-source.ts': after(
      /contains control characters'\);\n/,
      "  if (word.startsWith('mirror:')) return { kind: 'mirror', path: word.slice('mirror:'.length) };\n",
    ),
    'src/ship/install/source/locked-source.ts': after(
      /switch \(source\.kind\) \{\n/,
      "    case 'mirror':\n      return 'mirror:' + source.path;\n",
    ),
    'src/ship/install/fetch/fetch-mirror.ts': create(`// Skills of a mirror.

import type { FetchedSource, SkillSource } from '../source/fetched-source.ts';
import { type StagingWorld, stageSkills } from './fetch-source.ts';

/** Copies the skills of a mirror. */
export const fetchMirror = (
  source: Extract<SkillSource, { kind: 'mirror' }>,
  world: StagingWorld,
): FetchedSource => stageSkills(source.path, { source, resolution: {}, rootName: 'mirror' }, world);
`),
    'src/ship/install/fetch/fetch-source.ts': after(
      /switch \(source\.kind\) \{\n/,
      "    case 'mirror':\n      return (await import('./fetch-mirror.ts')).fetchMirror(source, world);\n",
    ),
  },
  'Add an adapter': {
    'src/host/adapters/plain.ts':
      create(`// skillwright/adapters/plain: the skills of a session as plain functions.

import type { Session } from '../runtime/index.ts';
import { bindTools } from './bind-tools.ts';

/** The names of the tools. */
export async function createSkillTools(session: Session): Promise<string[]> {
  return (await bindTools(session)).map(({ name }) => name);
}
`),
    'package.json': after(
      /"exports": \{\n/,
      '    "./adapters/plain": {\n      "types": "./dist/host/adapters/plain.d.ts",\n      "default": "./dist/host/adapters/plain.js"\n    },\n',
    ),
  },
  'Add a configuration key': {
    'src/skill/config/default-config.ts': after(/ {2}usage: \{ /, 'keep_days: 90, '),
    'src/skill/config/config-schema.ts': after(
      /section\('usage', \{/,
      " keep_days: positive.describe('Days to keep'),",
    ),
  },
};

const copy = makeSharedDirectory({});
const home = join(copy, 'home');
const work = join(copy, 'work');

beforeAll(() => {
  for (const part of [
    'scripts',
    'docs/commands',
    'docs/codes.md',
    'examples/skills',
    'packages/skillwright/package.json',
  ])
    cpSync(join(repository, part), join(copy, part), { recursive: true });
  cpSync(join(repository, 'packages/skillwright/src'), join(copy, 'packages/skillwright/src'), {
    recursive: true,
    filter: (path) => !/\.test\.ts$|__snapshots__/.test(path),
  });
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'));
  for (const edits of Object.values(recipes)) {
    for (const [path, edit] of Object.entries(edits)) {
      const file = join(copy, 'packages/skillwright', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, edit(existsSync(file) ? readFileSync(file, 'utf8') : ''));
    }
  }
  writeTree(work, {
    'demo/SKILL.md': '---\nname: demo\ndescription: USE WHEN TESTING.\nlicense: joke\n---\n\n# Demo\n',
  });
  const { status, stderr } = node(['scripts/docs.ts'], copy);
  if (status !== 0) throw new Error(stderr);
});

function node(words: readonly string[], cwd: string, env: Record<string, string> = {}): ProcessResult {
  return runProcess(process.execPath, words, { cwd, env: { SKC_HOME: home, SKC_NO_LOG: '1', ...env } });
}

const skc = (words: readonly string[], env?: Record<string, string>) =>
  node([join(copy, 'packages/skillwright/src/front/cli/main.ts'), ...words], work, env);
const written = (path: string) => readFileSync(join(copy, path), 'utf8');

test.each(Object.entries(recipes))('%s: the recipe names every file it takes', (heading, edits) => {
  const [, section = ''] = contributing.split(`## ${heading}\n`);
  const text = section.split(/^## /m)[0]!;
  const named = [...text.matchAll(/`((?:src\/[\w./<>-]+)|package\.json)`/g)].map(([, path]) => path!);
  const patterns = named.map(
    (path) => new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/<[^>]+>/g, '[\\w-]+')}$`),
  );
  const unnamed = Object.keys(edits).filter((path) => !patterns.some((pattern) => pattern.test(path)));
  expect(unnamed).toEqual([]);
});

describe('what was added is there', () => {
  test('the command, its help and its page', () => {
    expect(skc(['greet', 'you'])).toEqual({ status: 0, stdout: 'hello you\n', stderr: '' });
    expect(skc(['greet', 'you', '--json']).stdout).toBe('{\n  "greeting": "hello you"\n}\n');
    expect(skc(['greet', '--help']).stdout).toContain('Who is greeted');
    expect(written('docs/commands/greet.md')).toContain('# skc greet');
  });

  test('the lint rule, and its page', () => {
    expect(skc(['lint', 'demo']).stdout).toContain('SKL999 no-shouting: description is written in capitals');
    expect(skc(['explain', 'SKL999']).stdout).toContain('The description is not written in capitals.');
    expect(written('docs/rules.md')).toContain('SKL999');
  });

  test('the scan rule, and its page', () => {
    expect(skc(['scan', 'demo', '--json']).stdout).toContain('the licence is a joke');
    expect(skc(['explain', 'SCN999']).stdout).toContain('The licence is a joke.');
    expect(written('docs/scan-rules.md')).toContain('SCN999');
  });

  test('the doctor check', () => {
    expect(skc(['doctor']).stdout).toContain('the moon is full');
  });

  test('the agent', () => {
    expect(skc(['agents', '--json']).stdout).toContain('.robot/skills');
    mkdirSync(join(home, '.robot'), { recursive: true });
    expect(skc(['build', 'demo', '--target', 'robot', '--json']).status).toBe(0);
    expect(existsSync(join(home, '.robot/skills/demo'))).toBe(true);
  });

  test('the source, as the lock spells it', () => {
    writeTree(join(copy, 'far'), {
      'one/SKILL.md': '---\nname: one\ndescription: Use when one is wanted.\n---\n\n# One\n',
    });
    const { status, stderr } = skc(['install', `mirror:${join(copy, 'far')}`, '--scope', 'user', '--yes']);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const lock = JSON.parse(readFileSync(join(home, '.skillc/lock.json'), 'utf8'));
    expect(lock.skills.one.source).toBe(`mirror:${join(copy, 'far')}`);
  });

  test('the adapter', () => {
    const source = join(copy, 'packages/skillwright/src/host');
    const script = `
      const { createSession } = await import('${source}/runtime/create-session.ts');
      const { createSkillTools } = await import('${source}/adapters/plain.ts');
      const session = await createSession({ cwd: '${work}', home: '${home}', trust: true });
      console.log((await createSkillTools(session)).length > 0);
      await session.close();`;
    expect(node(['--input-type=module', '-e', script], work).stdout).toBe('true\n');
    expect(JSON.parse(written('packages/skillwright/package.json')).exports).toHaveProperty([
      './adapters/plain',
    ]);
  });

  test('the configuration key, its variable, its page and its schema', () => {
    expect(skc(['config', 'usage.keep_days']).stdout).toBe('usage.keep_days = 90\n');
    expect(skc(['config', 'usage.keep_days'], { SKC_USAGE_KEEP_DAYS: '7' }).stdout).toBe(
      'usage.keep_days = 7\n',
    );
    expect(written('docs/configuration.md')).toContain('`SKC_USAGE_KEEP_DAYS`');
    expect(written('packages/skillwright/schemas/configuration.json')).toContain('keep_days');
  });
});
