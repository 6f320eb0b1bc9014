// The stub: the small SKILL.md an agent gets instead of the whole skill.

import { writeFrontmatter } from '../format/write-frontmatter.ts';
import type { SkillSource } from './read-source.ts';

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

/** The text of the stub. The same source gives the same bytes. */
export function renderStub(source: SkillSource, sections: readonly string[]): string {
  const { name } = source;
  const skill = /^[\w.-]+$/.test(name) ? name : JSON.stringify(name);
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
  const { head, dropped } = fitHead(source, MAX_STUB_LINES - body.length - 2);
  const notes = dropped === 0 ? [] : ['', `(${dropped} frontmatter fields left out to keep this short)`];
  return `${[...head, ...body, ...notes].join('\n')}\n`;
}

/** Frontmatter within a number of lines: fields are dropped from the end of the list, name and description never. */
function fitHead(
  { name, description, frontmatter }: SkillSource,
  limit: number,
): { head: string[]; dropped: number } {
  const data = frontmatter.data ?? {};
  const present = keptFields.filter((field) => Object.hasOwn(data, field));
  for (let kept = present.length; ; kept--) {
    const fields = present.slice(0, kept).map((field) => [field, data[field]]);
    const head = writeFrontmatter({ name, description, ...Object.fromEntries(fields) })
      .trimEnd()
      .split('\n');
    if (head.length <= limit || kept === 0) return { head, dropped: present.length - kept };
  }
}
