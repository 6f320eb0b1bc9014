// The MCP server as the tests of skillc expect it. A case in which we differ names the ruling in
// docs/decisions/0011-differences-from-skillc.md.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { skillText } from '../make-world.ts';
import { connect, makePlace } from '../mcp-client.ts';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `Line ${index + 1}`).join('\n');

interface Case {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly holds: (result: CallToolResult, text: string) => boolean;
}

const structure = (result: CallToolResult) => result.structuredContent as Record<string, unknown[]>;

const cases: Readonly<Record<string, Case>> = {
  outline: {
    tool: 'skc_outline',
    input: { skill: 'guide' },
    holds: (_, text) => text.includes('## Part') && text.includes('### Deeper'),
  },
  'outline of two levels': {
    tool: 'skc_outline',
    input: { skill: 'guide', level: 2 },
    holds: (_, text) => text.includes('## Part') && !text.includes('### Deeper'),
  },
  'outline of a skill that is not there: E001': {
    tool: 'skc_outline',
    input: { skill: 'nobody-here' },
    holds: (result, text) => result.isError === true && text.includes('E001'),
  },
  show: {
    tool: 'skc_show',
    input: { skill: 'guide', section: ['Part'] },
    holds: (_, text) => text.includes('Line 30'),
  },
  'show of a section that is not there': {
    tool: 'skc_show',
    input: { skill: 'guide', section: ['Nowhere'] },
    holds: (result, text) => result.isError === true && text.includes('E020'),
  },
  'show of five lines': {
    tool: 'skc_show',
    input: { skill: 'guide', section: ['Part'], max_lines: 5 },
    holds: (_, text) => text.includes('... ('),
  },
  open: {
    tool: 'skc_open',
    input: { skill: 'guide', path: 'SKILL.md' },
    holds: (_, text) => text.includes('name: guide'),
  },
  'open of five lines': {
    tool: 'skc_open',
    input: { skill: 'guide', path: 'SKILL.md', max_lines: 5 },
    holds: (_, text) => text.includes('... ('),
  },
  sources: { tool: 'skc_sources', input: { skill: 'guide' }, holds: (_, text) => text.includes('SKILL.md') },
  search: {
    tool: 'skc_search',
    input: { skill: 'guide', query: 'line' },
    holds: (result) => !result.isError,
  },
  'R17: lint takes several paths': {
    tool: 'skc_lint',
    input: { paths: ['guide'] },
    holds: (result) => Array.isArray(structure(result).findings),
  },
  'R19: init for the user': {
    tool: 'skc_init',
    input: { name: 'made', global: true },
    holds: (result, text) => Boolean(result.isError) && text.includes('E018'),
  },
  stats: { tool: 'skc_stats', input: { skill: 'guide' }, holds: (result) => 'data' in structure(result) },
  ...Object.fromEntries(
    ['files', 'sections', 'commands', 'projects', 'errors', 'search'].map((group) => [
      `stats by ${group}`,
      {
        tool: 'skc_stats',
        input: { skill: 'guide', group_by: group },
        holds: (result) => !result.isError,
      } satisfies Case,
    ]),
  ),
  list: { tool: 'skc_list', input: {}, holds: (result) => structure(result).skills!.length >= 2 },
  'list with filters': {
    tool: 'skc_list',
    input: { scope: 'project', status: 'not-built', limit: 1, pattern: 'g*' },
    holds: (result) => structure(result).skills!.length <= 1,
  },
};

test('every tool answers as it should', async () => {
  const place = makePlace({
    '.skillc/skills/guide/SKILL.md': skillText(
      'guide',
      `# Guide\n\n## Part\n\n${lines(30)}\n\n### Deeper\n\nMore.\n`,
    ),
    '.skillc/skills/other/SKILL.md': skillText('other'),
  });
  const { client } = await connect(place);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  const expected = 'outline show open sources search stats build init list lint'
    .split(' ')
    .map((name) => `skc_${name}`);
  expect(expected.filter((name) => !names.includes(name))).toEqual([]);
  expect(client.getServerCapabilities()?.tools).toBeDefined();
  const failed: string[] = [];
  for (const [name, { tool, input, holds }] of Object.entries(cases)) {
    const result = (await client.callTool({ name: tool, arguments: input })) as CallToolResult;
    const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    if (!holds(result, text)) failed.push(`${name}: ${text.slice(0, 300)}`);
  }
  expect(failed).toEqual([]);
  expect(existsSync(join(place.home, '.skillc/skills/made/SKILL.md'))).toBe(false);
});
