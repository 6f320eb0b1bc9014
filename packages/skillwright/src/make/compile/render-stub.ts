// The stub: the small SKILL.md an agent gets instead of the whole skill.

import { writeFrontmatter } from '../../skill/format/index.ts';
import type { Skill } from '../../skill/skill/index.ts';

/** No stub is longer. */
export const MAX_STUB_LINES = 100;

/** Fields besides name and description that an agent needs before it decides to use a skill. */
const keptFields = [
  'license',
  'compatibility',
  'allowed-tools',
  'when_to_use',
  'argument-hint',
  'arguments',
  'disable-model-invocation',
  'user-invocable',
  'mode',
  'context',
  'agent',
  'model',
  'effort',
  'background',
  'disallowed-tools',
  'paths',
  'shell',
];

/** What a stub is made from, besides its sections. */
export type StubSource = Pick<Skill, 'name' | 'frontmatter' | 'gated'>;

/** The text of the stub. The same source gives the same bytes. */
export function renderStub(source: StubSource, sections: readonly string[]): string {
  const { name } = source;
  const skill = /^[\w.-]+$/.test(name) ? name : JSON.stringify(name);
  if (source.gated) return renderGatedStub(source, skill);
  const body = [
    '',
    'This is a compiled skill: an outline of what it knows. Fetch the sections you need with the gateway, and do not look',
    'for the source files or read them directly.',
    '',
    'If the skc MCP server is available, prefer its tools `skc_outline`, `skc_show`, `skc_search`, `skc_open` and',
    '`skc_sources`: they are faster and give structured output. Otherwise use the command line:',
    '',
    '```sh',
    `skc outline ${skill}                       # every heading, with its file`,
    `skc show ${skill} --section "<heading>"    # one section`,
    `skc search ${skill} "<words>"              # find sections by content`,
    `skc open ${skill} <path>                   # one file`,
    `skc sources ${skill}                       # the files there are`,
    '```',
    '',
    '## Top Sections',
    '',
    ...(sections.length > 0 ? sections : ['- (no headings; use `skc sources` and `skc open`)']),
  ];
  const head = renderHead(source, MAX_STUB_LINES - body.length);
  return `${[...head, ...body].join('\n')}\n`;
}

/** The stub of a skill that a quiz keeps closed: how to open it, and nothing of what is behind. */
function renderGatedStub(source: StubSource, skill: string): string {
  const body = [
    '',
    'This is a compiled skill that is closed until its quiz is passed. Take the quiz first, and do not look for the source',
    'files or read them directly. What a wrong answer leads to can be read at once, everything else afterwards.',
    '',
    'If the skc MCP server is available, prefer its tools `skc_quiz`, `skc_outline`, `skc_show`, `skc_search`, `skc_open` and',
    '`skc_sources`: they are faster and give structured output. Otherwise use the command line:',
    '',
    '```sh',
    `skc quiz ${skill}                          # the questions`,
    `skc quiz ${skill} --answer 1=2             # an answer: question, then option`,
    `skc outline ${skill}                       # the headings that can be read now`,
    `skc show ${skill} --section "<heading>"    # one section`,
    `skc search ${skill} "<words>"              # find sections by content`,
    `skc open ${skill} <path>                   # one file`,
    '```',
  ];
  const head = renderHead(source, MAX_STUB_LINES - body.length);
  return `${[...head, ...body].join('\n')}\n`;
}

/** The frontmatter as an author would write it; one line a field when that would be too long. */
function renderHead({ name, frontmatter: data }: StubSource, limit: number): string[] {
  const present = keptFields.filter((field) => Object.hasOwn(data, field));
  const fields = {
    name,
    description: data.description,
    ...Object.fromEntries(present.map((field) => [field, data[field]])),
  };
  const readable = writeFrontmatter(fields).trimEnd().split('\n');
  if (readable.length <= limit) return readable;
  return ['---', ...Object.entries(fields).map(([field, value]) => `${field}: ${onOneLine(value)}`), '---'];
}

/** JSON is YAML too, but for characters that YAML wants escaped and halves of surrogate pairs. */
function onOneLine(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    typeof part === 'string' ? part.toWellFormed() : part,
  ).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
