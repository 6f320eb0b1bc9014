// How every tool of the MCP server is asked about a skill, and every method of the protocol. See judge-matrix.test.ts.

import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { onTestFinished } from 'vitest';
import { openContext } from '../src/front/commands/run-command.ts';
import { createServer } from '../src/front/mcp/create-server.ts';
import { openServing } from '../src/front/mcp/open-serving.ts';
import { hiddenWords, marks, type Target } from './judge-world.ts';
import type { World } from './make-world.ts';

type Input = Record<string, unknown>;

/** The calls of a tool; `everything`: those that name no skill. */
export interface ToolRow {
  readonly named?: (target: Target) => readonly Input[];
  readonly everything?: readonly Input[];
  /** Why it gives nothing of a skill that may be read. */
  readonly silent?: string;
}

const reference = `references/${marks.fileName}.md`;
const script = `scripts/${marks.scriptName}.sh`;

/** A row for each tool, or the reason why none is needed. */
export const toolRows: Readonly<Record<string, ToolRow | string>> = {
  skc_list: {
    everything: [{}, { check_obsolete: true }, { pattern: '*-na*' }],
    silent: 'names and paths',
  },
  skc_find: {
    everything: [
      ...hiddenWords.map((word) => ({ query: [word] })),
      { query: ['zorilla'] },
      { query: ['chapter', 'text', 'zorilla'] },
    ],
  },
  skc_outline: { named: ({ word }) => [{ skill: word }] },
  skc_search: { named: ({ word }) => [{ skill: word, query: ['zorilla'] }] },
  skc_show: {
    named: ({ word, inside }) => [
      { skill: word, section: ['Chapter'] },
      { skill: word, section: ['Chaptr'] },
      { skill: word, section: ['Chapter'], file: `${inside}SKILL.md` },
    ],
  },
  skc_open: {
    named: ({ word, inside }) => [
      { skill: word, path: `${inside}SKILL.md` },
      { skill: word, path: `${inside}${reference}` },
      { skill: word, path: `${inside}references/qxfil.md` },
    ],
  },
  skc_sources: {
    named: ({ word, inside }) => [
      { skill: word },
      { skill: word, depth: 9 },
      { skill: word, dir: inside === '' ? '.' : inside.slice(0, -1), depth: 9 },
    ],
  },
  skc_load: { named: ({ word, isName }) => [isName ? { name: word } : { path: word }] },
  skc_quiz: {
    named: ({ word }) => [{ skill: word }, { skill: word, answer: ['9=9'] }],
    silent: 'questions alone',
  },
  skc_scripts: {
    named: ({ word, inside }) => [{ skill: word }, { skill: word, script: `${inside}${script}` }],
  },
  skc_run: {
    named: ({ word, inside }) => [{ skill: word, script: `${inside}${script}` }],
    everything: [{ skill: 'outer', script: 'own.sh' }],
  },
  skc_tools: {
    named: ({ word }) => [{ skill: word }, { skill: word, tool: 'x' }],
    silent: 'the skill brings none along',
  },
  skc_lint: {
    named: ({ word }) => [{ paths: [word] }, { paths: [word], profile: 'strict' }],
    everything: [{}, { paths: ['.skillc/skills'] }, { paths: ['.skillc/skills'], profile: 'strict' }],
  },
  skc_build: {
    named: ({ word }) => [{ skills: [word] }, { skills: [word, 'other'] }],
    everything: [{ all: true }, { all: true, skills: ['.skillc/skills'] }],
    silent: 'names and counts',
  },
  skc_init: 'makes new skills',
  skc_stats: {
    named: ({ word }) => ['summary', 'sections', 'files'].map((group_by) => ({ skill: word, group_by })),
    everything: ['summary', 'sections', 'files', 'errors'].map((group_by) => ({ all: true, group_by })),
  },
};

/** One question to the server that is not a call of a tool. */
export interface ProtocolCall {
  readonly method: string;
  readonly asked: unknown;
  ask(): Promise<unknown>;
}

/** Every such method. */
export const protocolMethods = [
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/read',
  'resources/directory/read',
  'resources/subscribe',
  'completion/complete',
  'skills/list',
  'skills/get',
] as const;

/** Those that say nothing when all is well. */
export const silentMethods: readonly string[] = ['resources/subscribe'];

/** A client of a server in this process. */
export async function connectInProcess({ project, home }: Pick<World, 'project' | 'home'>): Promise<Client> {
  const surroundings = await openContext({
    cwd: project,
    home,
    env: { SKC_NO_LOG: '1', PATH: process.env.PATH },
    by: 'user',
    now: () => new Date('2026-01-02T03:04:05.000Z'),
    report: () => {},
    note: () => {},
    progress: () => {},
    signal: new AbortController().signal,
  });
  const serving = await openServing(surroundings);
  const server = createServer(serving, { cwd: async () => project, tellsChanges: true });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([server.mcp.connect(far), client.connect(near)]);
  onTestFinished(async () => {
    await client.close();
    await serving.backend.close();
  });
  return client;
}

/** Every other question, in every way that could give something away. */
export function protocolCalls(client: Client): ProtocolCall[] {
  const skills = new SkillsClient(client);
  const own = 'skill://project/written-name';
  const inside = 'skill://project/outer/templates/folder-name';
  const uris = [own, inside, 'skill://project/folder-name'].flatMap((root) =>
    ['SKILL.md', reference, script].map((path) => `${root}/${path}`),
  );
  const directories = [
    own,
    `${own}/references`,
    inside,
    `${inside}/references`,
    'skill://project/outer',
    'skill://project/outer/templates',
    'skill://project/outer/scripts',
  ];
  const call = (method: string, asked: unknown, ask: () => Promise<unknown>): ProtocolCall => ({
    method,
    asked,
    ask,
  });
  return [
    call('prompts/list', {}, () => client.listPrompts()),
    ...['written-name', 'folder-name', 'outer', 'project:written-name'].map((name) =>
      call('prompts/get', { name }, () => client.getPrompt({ name, arguments: {} })),
    ),
    call('resources/list', {}, () => client.listResources()),
    ...[...uris, `${own}/SKILL.md#chapter`, `${inside}/SKILL.md#chapter`].map((uri) =>
      call('resources/read', { uri }, () => client.readResource({ uri })),
    ),
    ...uris.map((uri) => call('resources/subscribe', { uri }, () => client.subscribeResource({ uri }))),
    ...[
      '',
      'wr',
      'project/',
      ...[own, inside, 'skill://project/outer'].flatMap((root) =>
        ['/', '/references/', '/SKILL.md#', `/references/${marks.fileName}.md#`].map(
          (rest) => root.slice('skill://'.length) + rest,
        ),
      ),
    ].map((value) => {
      const asked = {
        ref: { type: 'ref/resource' as const, uri: 'skill://{+path}' },
        argument: { name: 'path', value },
      };
      return call('completion/complete', asked, () => client.complete(asked));
    }),
    ...['written-name', 'outer'].map((name) => {
      const asked = {
        ref: { type: 'ref/prompt' as const, name },
        argument: { name: 'arguments', value: '' },
      };
      return call('completion/complete', asked, () => client.complete(asked));
    }),
    ...directories.map((uri) => call('resources/directory/read', { uri }, () => skills.readDirectory(uri))),
    call('skills/list', {}, () => skills.list()),
    ...[own, inside, 'skill://project/outer'].map((root) =>
      call('skills/get', { uri: root }, () => skills.get(`${root}/SKILL.md`)),
    ),
  ];
}
