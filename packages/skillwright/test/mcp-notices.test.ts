// Messages of a server besides results: completions, changed files, progress and log messages.

import { writeFileSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { connectInProcess } from './judge-mcp-rows.ts';
import {
  type Connection,
  connect,
  connectHttp,
  eras,
  makePlace,
  type Place,
  startHttp,
} from './mcp-client.ts';

const manifest = (name: string, more = '', body = '') =>
  `---\nname: ${name}\ndescription: About ${name}. Use for ${name}.\n${more}---\n\n# ${name}\n\nText of ${name}.\n${body}`;
const quiz =
  'quiz: { gate: true, questions: [{ question: Q, options: [{ label: a, correct: true }, { label: b, correct: false }] }] }\n';
const files = {
  '.skillc/skills/alpha/SKILL.md': manifest(
    'alpha',
    'argument-hint: "[patch|minor|major] <file>"\n',
    '\n## First steps\n\n## Last steps\n',
  ),
  '.skillc/skills/alpha/references/a b.md': '# Deep\n',
  '.skillc/skills/named/SKILL.md': manifest(
    'named',
    'arguments: [level, target]\nargument-hint: "[low|high] <x>"\n',
  ),
  '.skillc/skills/closed/SKILL.md': manifest('closed', quiz),
  '.skillc/skills/denied/SKILL.md': manifest('denied'),
  '.skillc/skills/asked/SKILL.md': manifest('asked'),
  '~/.skillc/config.toml':
    '[[permissions.deny]]\ntool = "skill_load"\nskill_name = "denied"\n[[permissions.confirm]]\ntool = "skill_load"\nskill_name = "asked"\n',
};

const inProcess = ({ cwd, home }: Place) => connectInProcess({ project: cwd, home });

describe('completions', () => {
  const complete = async (client: Client, value: string) => {
    const ref = { type: 'ref/resource' as const, uri: 'skill://{+path}' };
    const { completion } = await client.complete({ ref, argument: { name: 'path', value } });
    return completion.values;
  };

  test('of skills, files and sections, as far as a model may read them', async () => {
    const client = await inProcess(makePlace(files));
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'skill://{+path}' },
    ]);
    const all = ['alpha', 'asked', 'closed', 'named'].map((name) => `project/${name}/SKILL.md`);
    expect(await complete(client, '')).toEqual(all);
    expect(await complete(client, 'project/')).toEqual(all);
    expect(await complete(client, 'al')).toEqual(['project/alpha/SKILL.md']);
    expect(await complete(client, 'denied')).toEqual([]);
    expect(await complete(client, 'project/denied/')).toEqual([]);
    expect(await complete(client, 'project/alpha/')).toEqual([
      'project/alpha/SKILL.md',
      'project/alpha/references/a%20b.md',
    ]);
    expect(await complete(client, 'project/alpha/ref')).toEqual(['project/alpha/references/a%20b.md']);
    expect(await complete(client, 'project/alpha/SKILL.md#')).toEqual(
      ['alpha', 'first-steps', 'last-steps'].map((anchor) => `project/alpha/SKILL.md#${anchor}`),
    );
    expect(await complete(client, 'project/alpha/SKILL.md#l')).toEqual(['project/alpha/SKILL.md#last-steps']);
    expect(await complete(client, 'project/alpha/references/a%20b.md#')).toEqual([
      'project/alpha/references/a%20b.md#deep',
    ]);
    for (const name of ['closed', 'asked'])
      for (const rest of ['/', '/SKILL.md#', '/references/'])
        expect(await complete(client, `project/${name}${rest}`)).toEqual([]);
    const section = await client.readResource({ uri: 'skill://project/alpha/SKILL.md#first-steps' });
    expect(section.contents).toEqual([
      {
        uri: 'skill://project/alpha/SKILL.md#first-steps',
        mimeType: 'text/markdown',
        text: '## First steps\n\n',
      },
    ]);
  });

  test('of the arguments of prompts, from their hints', async () => {
    const client = await inProcess(makePlace(files));
    const ask = async (prompt: string, name: string, value: string) => {
      const ref = { type: 'ref/prompt' as const, name: prompt };
      return (await client.complete({ ref, argument: { name, value } })).completion.values;
    };
    expect(await ask('alpha', 'arguments', '')).toEqual(['patch', 'minor', 'major']);
    expect(await ask('alpha', 'arguments', 'm')).toEqual(['minor', 'major']);
    expect(await ask('alpha', 'arguments', 'major x')).toEqual([]);
    expect(await ask('named', 'level', 'h')).toEqual(['high']);
    expect(await ask('named', 'target', '')).toEqual([]);
    await expect(ask('denied', 'arguments', '')).rejects.toThrow('Prompt denied not found');
    await expect(ask('named', 'other', '')).rejects.toThrow('Prompt named has no argument other');
    const ref = { type: 'ref/resource' as const, uri: 'file:///{path}' };
    await expect(client.complete({ ref, argument: { name: 'path', value: '' } })).rejects.toThrow(
      'Resource template file:///{path} has no path',
    );
  });
});

test('a prompt takes the arguments that its skill names, and no others', async () => {
  const client = await inProcess(
    makePlace({
      '.skillc/skills/named/SKILL.md': `---\nname: named\ndescription: D.\narguments: [level, target]\n---\n\nSet $target to $level.\n`,
    }),
  );
  expect((await client.listPrompts()).prompts[0]!.arguments!.map(({ name }) => name)).toEqual([
    'level',
    'target',
  ]);
  const get = async (values: Record<string, string>) => {
    const { messages } = await client.getPrompt({ name: 'named', arguments: values });
    return (messages[0]!.content as { text: string }).text;
  };
  expect(await get({ level: 'high $target', target: 'a lamp' })).toBe('Set a lamp to high $target.');
  expect(await get({ level: 'low' })).toBe('Set  to low.');
  await expect(get({ levle: 'low' })).rejects.toThrow(
    'Prompt named has no argument levle; it has level, target',
  );
});

const transports: [string, (place: Place, options: Connection) => Promise<Client>][] = [
  ['stdio', async (place, options) => (await connect(place, options)).client],
  ['http', async (place, options) => connectHttp((await startHttp(place)).url, options)],
];
const ways = transports.flatMap(([name, open]) => eras.map((era) => [name, era, open] as const));

/** Subscribes as the revision has it; false when the server refuses. */
async function subscribe(client: Client, era: string, uris: string[]): Promise<void> {
  if (era === '2026-07-28') await client.listen({ resourceSubscriptions: uris });
  else for (const uri of uris) await client.subscribeResource({ uri });
}

test.each(ways)('over %s a client of %s hears that a file has changed', async (_name, era, open) => {
  const place = makePlace(files);
  const told: string[] = [];
  const setUp = (client: Client) =>
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void told.push(params.uri),
    );
  const client = await open(place, { era, setUp });
  const uri = 'skill://project/alpha/references/a%20b.md';
  const denied = 'skill://project/denied/SKILL.md';
  if (era === '2025-11-25')
    for (const other of [denied, 'skill://project/asked/SKILL.md', 'skill://project/closed/SKILL.md'])
      await expect(client.subscribeResource({ uri: other })).rejects.toThrow(`Resource ${other} not found`);
  await subscribe(client, era, era === '2026-07-28' ? [uri, denied] : [uri]);
  writeFileSync(`${place.cwd}/.skillc/skills/denied/SKILL.md`, manifest('denied', '', 'More.\n'));
  writeFileSync(`${place.cwd}/.skillc/skills/alpha/SKILL.md`, manifest('alpha', '', 'More.\n'));
  writeFileSync(`${place.cwd}/.skillc/skills/alpha/references/a b.md`, '# Deeper\n');
  await expect.poll(() => told).toEqual([uri]);
  if (era === '2026-07-28') return;
  await client.unsubscribeResource({ uri });
  await client.subscribeResource({ uri: 'skill://project/alpha/SKILL.md' });
  writeFileSync(`${place.cwd}/.skillc/skills/alpha/references/a b.md`, '# Deepest\n');
  writeFileSync(`${place.cwd}/.skillc/skills/alpha/SKILL.md`, manifest('alpha', '', 'Even more.\n'));
  await expect.poll(() => told).toEqual([uri, 'skill://project/alpha/SKILL.md']);
});

test.each(ways)(
  'over %s a client of %s gets log messages at the level it names',
  async (_name, era, open) => {
    const place = makePlace({ ...files, '.skillc/skills/odd/SKILL.md': manifest('other') });
    const said: [string, unknown][] = [];
    const setUp = (client: Client) =>
      client.setNotificationHandler(
        'notifications/message',
        ({ params }) => void said.push([params.level, params.data]),
      );
    const client = await open(place, { era, setUp });
    const fails = { name: 'skc_show', arguments: { skill: 'none-such', section: ['token=hunter2'] } };
    await client.callTool(fails);
    expect(said).toEqual([]);
    const at = async (level: 'debug' | 'error') => {
      if (era === '2025-11-25') await client.setLoggingLevel(level);
      const _meta = era === '2026-07-28' ? { 'io.modelcontextprotocol/logLevel': level } : {};
      await client.callTool({ ...fails, _meta });
    };
    await at('error');
    await expect.poll(() => said).toEqual([['error', "skc_show: E001: skill 'none-such' not found"]]);
    await at('debug');
    await expect
      .poll(() => said.slice(1))
      .toEqual([
        ['error', "skc_show: E001: skill 'none-such' not found"],
        ['debug', expect.stringMatching(/^skc_show: \d+ ms$/)],
      ]);
    expect(JSON.stringify(said)).not.toContain('hunter2');
  },
);
