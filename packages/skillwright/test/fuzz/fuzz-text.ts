// Texts of strangers: frontmatter, Markdown, the lock, the configuration.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { SkillwrightError } from '../../src/base/diagnostics/index.ts';
import { readMarkdown } from '../../src/base/markdown/index.ts';
import { digestOf, parseLock, renderLock } from '../../src/ship/install/lock/lock.ts';
import { mergeLocks, splitSides } from '../../src/ship/install/lock/merge-locks.ts';
import { changeConfig, configKeys, loadConfig } from '../../src/skill/config/index.ts';
import {
  checkManifest,
  PROFILES,
  readFrontmatter,
  readManifest,
  repairYaml,
  writeFrontmatter,
} from '../../src/skill/format/index.ts';
import { fuzzTarget, inTime, requireSame } from './fuzz-target.ts';

/** Pieces that mean something to a parser, between arbitrary text. */
const textOf = (pieces: readonly string[], maxLength = 60) =>
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...pieces) },
        fc.string({ unit: 'binary', maxLength: 12 }),
      ),
      {
        maxLength,
      },
    )
    .map((parts) => parts.join(''));

const yamlPieces = [
  ...[
    '---\n',
    '---',
    '...\n',
    '\n',
    '\r\n',
    '\r',
    '\u2028',
    '\ufeff',
    ' ',
    '  ',
    '\t',
    '\0',
    ': ',
    ':',
    '- ',
    ', ',
  ],
  ...['name', 'description', 'metadata', 'tags', 'hooks', 'quiz', 'triggers', 'allowed-tools', 'version'],
  ...[
    '|',
    '>',
    '|-\n',
    '>+2\n',
    '&a ',
    '*a',
    '<<: ',
    '!!str ',
    '!!js/function ',
    '!!binary ',
    '%YAML 1.1\n',
    '? ',
  ],
  ...[
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '\\',
    '#',
    ' #',
    '@',
    '`',
    '~',
    'null',
    'yes',
    '0x1f',
    '1e999',
    '.nan',
    '12:30:45',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '\ud800',
    `\${x}`,
    '2026-01-01',
    '\u200b',
    '\u{e0041}',
    'é',
    'e\u0301',
  ],
];

const profiles = Object.keys(PROFILES) as (keyof typeof PROFILES)[];

const frontmatter = fuzzTarget({
  name: 'frontmatter',
  inputs: fc
    .tuple(
      fc.constantFrom('', '---\n', '---\nname: a\n'),
      textOf(yamlPieces),
      fc.constantFrom('', '\n---\n', '\n---\nBody\n'),
    )
    .map((parts) => parts.join('')),
  check(text: string) {
    const read = inTime(() => readFrontmatter(text));
    requireSame(Object.getPrototypeOf({}) === Object.prototype && 'polluted' in {}, false, 'the prototype');
    const { data, body, bodyLine, problems, yaml } = read;
    if (data === undefined && problems.length === 0) throw new Error('no fields and no problem');
    if (!text.endsWith(body)) throw new Error('the body is not the end of the text');
    const lines = text.split(/\r\n|[\n\r]/).length;
    if (bodyLine < 1 || bodyLine > lines + 1)
      throw new Error(`the body starts in line ${bodyLine} of ${lines}`);
    for (const { line } of problems)
      if (line < 1 || line > lines + 1) throw new Error(`a problem in line ${line} of ${lines}`);
    inTime(() => repairYaml(yaml));
    if (data === undefined) return;
    const { manifest } = readManifest(data);
    JSON.stringify(manifest);
    for (const profile of profiles) inTime(() => checkManifest({ ...data }, { profile }));
    const again = readFrontmatter(writeFrontmatter(data)).data;
    const once = writeFrontmatter(again ?? {});
    requireSame(once, writeFrontmatter(data), 'written again');
  },
});

const markdownPieces = [
  ...[
    '# ',
    '## ',
    '###### ',
    '####### ',
    '#',
    '=====\n',
    '-----\n',
    '\n',
    '\n\n',
    '\r\n',
    '    ',
    '\t',
    '> ',
    '- ',
    '1. ',
    '* ',
  ],
  ...[
    '```',
    '~~~',
    '```js\n',
    '`',
    '|',
    '|---|\n',
    '<!--',
    '-->',
    '<script>',
    '</script>',
    '<![CDATA[',
    ']]>',
    '<?',
    '?>',
    '<div>\n',
  ],
  ...[
    '[a](b)',
    '![a](b)',
    '[a]: b\n',
    '[',
    ']',
    '(',
    ')',
    '*',
    '**',
    '_',
    '\\',
    '&amp;',
    '&#0;',
    'word',
    ' ',
    '\0',
    '\u2028',
    '\u200b',
  ],
];

const markdown = fuzzTarget({
  name: 'markdown',
  inputs: textOf(markdownPieces, 120),
  check(text: string) {
    const { headings, lineCount, codeBlocks, links, comments } = inTime(() => readMarkdown(text));
    let last = 0;
    const anchors = new Set<string>();
    for (const { line, endLine, ownEndLine, anchor, level } of headings) {
      if (line <= last) throw new Error(`headings out of order at line ${line}`);
      if (!(line <= ownEndLine && ownEndLine <= endLine && endLine <= lineCount))
        throw new Error(`section ${line}–${ownEndLine}–${endLine} of ${lineCount}`);
      if (level < 1 || level > 6) throw new Error(`level ${level}`);
      if (anchors.has(anchor)) throw new Error(`two headings have the anchor '${anchor}'`);
      anchors.add(anchor);
      last = line;
    }
    JSON.stringify([codeBlocks, links, comments]);
    // Lines end the same way for every reader.
    const places = (source: string) =>
      readMarkdown(source).headings.map(({ line, endLine, text: said }) => [line, endLine, said]);
    if (!/\r/.test(text)) requireSame(places(text.replaceAll('\n', '\r\n')), places(text), 'with CRLF');
    requireSame(
      readMarkdown(text, { firstLine: 11 }).headings.map(({ line }) => line - 10),
      headings.map(({ line }) => line),
      'from another first line',
    );
  },
});

const hash = fc.constantFrom('a', 'b').map((letter) => `sha256:${letter.repeat(64)}`);
const path = fc.constantFrom(
  'SKILL.md',
  'a/b.md',
  '../x',
  '/etc/passwd',
  'a\\b',
  'con',
  '__proto__',
  '.git/config',
  'A/B.md',
);
const when = fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z');
/** Mostly an entry that skc could have written, with a field or two that it could not. */
const lockEntry = fc
  .tuple(
    fc.dictionary(fc.oneof({ weight: 6, arbitrary: fc.constantFrom('a/b.md', 'A/b.md', 'c') }, path), hash, {
      maxKeys: 3,
    }),
    fc.record({
      source: fc.constantFrom('a/b', './vendor/x', 'a@1.0.0'),
      path: fc.constantFrom('', 'skills/x'),
      resolution: fc.constantFrom({}, { commit: '1'.repeat(40) }, { version: '1.0.0' }, { tag: true }),
      targets: fc.array(
        fc.record({
          agent: fc.constantFrom('claude', './x', 'codex'),
          method: fc.constantFrom('copy', 'link'),
        }),
        { maxLength: 2 },
      ),
      installed_at: when,
    }),
    fc.option(
      fc.tuple(
        fc.constantFrom('source', 'path', 'files', 'targets', 'digest', 'edits', 'accepted', 'x'),
        fc.anything({ maxDepth: 2 }),
      ),
      { freq: 4, nil: undefined },
    ),
  )
  .map(([others, rest, wrong]) => {
    const files = { 'SKILL.md': `sha256:${'c'.repeat(64)}`, ...others };
    const entry = { ...rest, digest: digestOf(files), files };
    return wrong === undefined
      ? entry
      : { ...entry, [wrong[0]]: JSON.parse(JSON.stringify(wrong[1] ?? null)) };
  });
const lockText = fc.oneof(
  fc
    .record({
      version: fc.constantFrom(1, 1, 1, 1, 1, 1, 2, '1'),
      skills: fc.dictionary(
        fc.constantFrom('alpha', 'beta', 'alpha', 'beta', 'alpha', 'beta', '../x', '__proto__', 'CON'),
        lockEntry,
        { maxKeys: 3 },
      ),
    })
    .map((value) => JSON.stringify(value, null, 2)),
  textOf(
    [
      '{',
      '}',
      '[',
      ']',
      '"version"',
      ': 1',
      ',',
      '"skills"',
      '"a"',
      'null',
      '\\u0000',
      '1e400',
      '<<<<<<< a\n',
      '=======\n',
      '>>>>>>> b\n',
      '||||||| c\n',
    ],
    30,
  ),
);

const codedOnly = <Result>(work: () => Result): Result | undefined => {
  try {
    return inTime(work);
  } catch (error) {
    if (error instanceof SkillwrightError) return undefined;
    throw error;
  }
};

const lock = fuzzTarget({
  name: 'lock',
  inputs: fc.tuple(lockText, lockText),
  check([one, other]: [string, string]) {
    inTime(() => splitSides(`${one}\n${other}`));
    const locks = [one, other].map((text) => codedOnly(() => parseLock(text, 'lock.json')));
    for (const read of locks)
      if (read !== undefined)
        requireSame(renderLock(parseLock(renderLock(read), 'lock.json')), renderLock(read), 'written again');
    const [ours, theirs] = [one, other];
    if (locks.includes(undefined)) return;
    const merge = (sides: { ours: string; theirs: string }) =>
      mergeLocks({ ...sides, base: undefined }, { path: 'lock.json' });
    const merged = merge({ ours, theirs });
    const turned = merge({ ours: theirs, theirs: ours });
    const back = turned.conflicts.map((one) => ({ ...one, ours: one.theirs, theirs: one.ours }));
    requireSame(merged.conflicts, back, 'conflicts from the other side');
    parseLock(renderLock(merged.lock), 'lock.json');
    if (merged.conflicts.length === 0)
      requireSame(renderLock(merged.lock), renderLock(turned.lock), 'merged from the other side');
    requireSame(renderLock(merge({ ours, theirs: ours }).lock), renderLock(locks[0]!), 'merged with itself');
  },
});

const keys = configKeys().map(({ key }) => key);
const tomlPieces = [
  ...[
    '[',
    ']',
    '[[',
    ']]',
    ' = ',
    '=',
    '.',
    ',',
    '\n',
    '#',
    '"',
    "'",
    '"""',
    "'''",
    '{',
    '}',
    '\\u0000',
    '\\',
    '\0',
    '\r\n',
    '\t',
  ],
  ...[
    'true',
    'false',
    '0',
    '-1',
    '1e9',
    'nan',
    'inf',
    '1979-05-27',
    '__proto__',
    'permissions',
    'deny',
    'tool',
    'skill_load',
  ],
  ...new Set(keys.flatMap((key) => key.split('.'))),
];

let workplace: string | undefined;
const configFile = () => {
  workplace ??= mkdtempSync(join(tmpdir(), 'skc-fuzz-'));
  return join(workplace, 'config.toml');
};
const load = (layer: 'user' | 'project', file: string) =>
  loadConfig({
    user: layer === 'user' ? file : '/nowhere',
    project: layer === 'project' ? file : undefined,
    env: {},
  });

const config = fuzzTarget({
  name: 'config',
  inputs: fc.record({
    text: textOf(tomlPieces, 40),
    key: fc.constantFrom(...keys),
    value: fc.oneof(
      fc.constantFrom('true', '1', 'a,b', '{}', '[]', '', '-1', 'x'),
      fc.string({ unit: 'binary', maxLength: 12 }),
    ),
  }),
  check({ text, key, value }: { text: string; key: string; value: string }) {
    const file = configFile();
    writeFileSync(file, text);
    codedOnly(() => load('project', file));
    const before = codedOnly(() => load('user', file));
    requireSame('polluted' in {}, false, 'the prototype');
    if (before === undefined) return;
    const places = { user: file, project: undefined };
    const written = codedOnly(() => changeConfig({ key, value, unset: false, scope: 'user' }, places));
    if (written === undefined) return;
    const { values } = load('user', file);
    // A changed key leaves the others as they were.
    const others = ({ values: all }: ReturnType<typeof load>) =>
      Object.fromEntries(Object.entries(all).filter(([section]) => section !== key.split('.')[0]));
    requireSame(others({ ...before, values }), others(before), 'the other sections');
    codedOnly(() => changeConfig({ key, value: undefined, unset: true, scope: 'user' }, places));
    load('user', file);
    readFileSync(file);
  },
  async close() {
    if (workplace !== undefined) rmSync(workplace, { recursive: true, force: true });
  },
});

export const textTargets = [frontmatter, markdown, lock, config];
