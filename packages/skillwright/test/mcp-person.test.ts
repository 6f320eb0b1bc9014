// Questions to the person at a client: rules that want a confirmation, and quizzes. Both transports, both revisions.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import {
  type Connection,
  connect,
  connectHttp,
  eras,
  makePlace,
  type Place,
  startHttp,
} from './mcp-client.ts';

const manifest = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: About ${name}. Use for ${name}.\n${more}---\n\n# ${name}\n\nText of ${name}.\n`;
const quiz = `quiz:
  - title: Entrance
    gate: true
    questions:
      - question: Which are even?
        options:
          - { label: two, correct: true }
          - { label: three, correct: false }
          - { label: four, correct: true }
      - question: Which is odd?
        options:
          - { label: five, correct: true }
          - { label: six, correct: false }
`;
const skill = '.skillc/skills/asked';
const files = {
  [`${skill}/SKILL.md`]: manifest('asked'),
  '.skillc/skills/closed/SKILL.md': manifest('closed', quiz),
  '~/.skillc/config.toml': '[[permissions.confirm]]\ntool = "skill_load"\nskill_name = "asked"\n',
};

interface Form {
  readonly message: string;
  readonly requestedSchema: { properties: Record<string, Record<string, unknown>>; required: string[] };
}
type Reply = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string | string[]> };

/** A client whose person answers each form with what `reply` gives, and what was asked. */
function personOf(reply: (form: Form) => Reply | Promise<Reply>): { asked: Form[]; options: Connection } {
  const asked: Form[] = [];
  const setUp = (client: Client) =>
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params as unknown as Form);
      return reply(params as unknown as Form);
    });
  return { asked, options: { capabilities: { elicitation: { form: {} } }, setUp } };
}

const transports: [string, (place: Place, options: Connection) => Promise<Client>][] = [
  ['stdio', async (place, options) => (await connect(place, options)).client],
  ['http', async (place, options) => connectHttp((await startHttp(place)).url, options)],
];
const ways = transports.flatMap(([name, open]) => eras.map((era) => [name, era, open] as const));

const show = { name: 'skc_show', arguments: { skill: 'asked', section: ['asked'] } };
const allow = (answer: string): Reply => ({ action: 'accept', content: { answer } });

async function call(client: Client, request: { name: string; arguments: Record<string, unknown> }) {
  const { content, structuredContent } = await client.callTool(request);
  const { error } = structuredContent as { error?: { code: string; help?: string; data?: object } };
  return error ?? (content as unknown as [{ text: string }])[0].text;
}

describe.each(ways)('over %s, a client of %s', (transport, era, open) => {
  const lasts = transport === 'stdio' || era === '2025-11-25';

  test('asks the person, and takes nothing else for an answer', async () => {
    const place = makePlace(files);
    const path = `${place.cwd}/${skill}/SKILL.md`;
    const uri = 'skill://project/asked/SKILL.md';
    let reply: Reply = { action: 'decline' };
    const { asked, options } = personOf(() => reply);
    const client = await open(place, { era, ...options });
    const refused: [Reply, string, string][] = [
      [{ action: 'decline' }, 'declined', 'the user declined'],
      [{ action: 'cancel' }, 'cancelled', 'the user cancelled'],
      [{ action: 'accept' }, 'not answered', 'the user did not answer'],
      [allow('Sure'), 'not answered', 'the user did not answer'],
    ];
    for (const [given, reason, help] of refused) {
      reply = given;
      const message = "confirmation required: 'asked'";
      expect(await call(client, show)).toEqual({ code: 'E061', message, help, data: { path, reason } });
      await expect(client.readResource({ uri })).rejects.toThrow(`E061: ${message}; ${help}`);
      await expect(client.getPrompt({ name: 'asked' })).rejects.toThrow(`E061: ${message}; ${help}`);
    }
    expect(asked).toHaveLength(12);
    expect(asked[0]).toMatchObject({
      message: `The agent wants to read the skill asked (${place.cwd}/${skill}). Your rules require you to confirm this.`,
      requestedSchema: {
        type: 'object',
        properties: {
          answer: {
            type: 'string',
            title: 'Allow this?',
            enum: [
              'Allow once',
              ...(lasts ? ['Allow until this connection ends'] : []),
              'Always allow this version of the skill',
            ],
          },
        },
        required: ['answer'],
      },
    });

    reply = allow('Allow once');
    for (const _ of [1, 2]) expect(await call(client, show)).toBe('# asked\n\nText of asked.\n');
    expect((await client.readResource({ uri })).contents).toMatchObject([{ text: manifest('asked') }]);
    expect((await client.getPrompt({ name: 'asked' })).messages).toMatchObject([
      { content: { text: '# asked\n\nText of asked.' } },
    ]);
    expect(asked).toHaveLength(16);
    expect(existsSync(`${place.home}/.skillc/state.json`)).toBe(false);

    reply = allow('Always allow this version of the skill');
    for (const _ of [1, 2]) expect(await call(client, show)).toBe('# asked\n\nText of asked.\n');
    expect(asked).toHaveLength(17);
    expect(JSON.parse(readFileSync(`${place.home}/.skillc/state.json`, 'utf8'))).toMatchObject({
      permissions: { allow: [{ tool: 'skill_load', skill_name: 'asked', path: `${place.cwd}/${skill}` }] },
    });
    writeFileSync(path, `${manifest('asked')}More.\n`);
    expect(await call(client, show)).toBe('# asked\n\nText of asked.\nMore.\n');
    expect(asked).toHaveLength(18);
  });

  test('a client without forms gets the error, whatever the arguments say', async () => {
    const client = await open(makePlace(files), { era });
    expect(await call(client, show)).toMatchObject({ code: 'E061' });
    for (const more of [
      { answer: 'Allow once' },
      { person: { action: 'accept', content: { answer: 'Allow once' } } },
      { confirmed: true },
      { inputResponses: { person: allow('Allow once') } },
    ])
      expect(await call(client, { ...show, arguments: { ...show.arguments, ...more } })).toMatchObject({
        code: 'E100',
      });
  });

  test('the person takes a quiz on one form, and the model cannot', async () => {
    const chosen: string[][] = [];
    let isDeclined = true;
    const { asked, options } = personOf(({ requestedSchema: { properties } }) => {
      if (isDeclined) return { action: 'decline' };
      const pick = (field: string, ...labels: string[]) =>
        (properties[field] as { items: { anyOf: { const: string; title: string }[] } }).items.anyOf
          .filter(({ title }) => labels.includes(title))
          .map((option) => option.const);
      const first = pick('question_1', 'two', ...(chosen.length === 0 ? [] : ['four']));
      chosen.push(first);
      return { action: 'accept', content: { question_1: first, question_2: pick('question_2', 'five') } };
    });
    const client = await open(makePlace(files), { era, ...options });
    const take = { name: 'skc_quiz', arguments: { skill: 'closed' } };
    expect(await call(client, { ...take, arguments: { skill: 'closed', answer: ['1=1'] } })).toMatchObject({
      code: 'E018',
      help: 'leave it out: the user answers it',
    });
    expect(asked).toEqual([]);
    expect(await call(client, take)).toMatchObject({ code: 'E061', help: 'the user declined' });
    isDeclined = false;
    expect(await call(client, take)).toContain('Quiz 1 not passed: 50 %.');
    expect(await call(client, take)).toContain('Quiz 1 passed with 100 %.');
    expect(asked.map(({ requestedSchema }) => Object.keys(requestedSchema.properties))).toEqual(
      Array.from({ length: 3 }, () => ['question_1', 'question_2']),
    );
    expect(
      await call(client, { name: 'skc_show', arguments: { skill: 'closed', section: ['closed'] } }),
    ).toBe('# closed\n\nText of closed.\n');
  });
});

test.each(transports)('over %s an answer for the connection holds until that ends', async (_name, open) => {
  const place = makePlace(files);
  const { asked, options } = personOf(() => allow('Allow until this connection ends'));
  const client = await open(place, options);
  for (const _ of [1, 2]) expect(await call(client, show)).toBe('# asked\n\nText of asked.\n');
  expect(asked).toHaveLength(1);
  const other = await open(place, options);
  expect(await call(other, show)).toBe('# asked\n\nText of asked.\n');
  expect(asked).toHaveLength(2);
});

test.each(transports)('over %s other calls go on while a person thinks', async (_name, open) => {
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const { asked, options } = personOf(() => promise);
  const client = await open(makePlace(files), options);
  const waiting = call(client, show);
  expect(await call(client, { name: 'skc_list', arguments: {} })).toContain('asked');
  await expect.poll(() => asked.length).toBe(1);
  expect(await call(client, { name: 'skc_list', arguments: {} })).toContain('asked');
  resolve(allow('Allow once'));
  expect(await waiting).toBe('# asked\n\nText of asked.\n');
});

test.each(transports)(
  'over %s reading and running are asked for one after the other',
  async (_name, open) => {
    const rules = ['skill_load', 'skill_run'].map((tool) => `[[permissions.confirm]]\ntool = "${tool}"\n`);
    const place = makePlace({ ...files, '~/.skillc/config.toml': rules.join('') });
    for (const era of eras) {
      const { asked, options } = personOf(() => allow('Allow once'));
      const client = await open(place, { era, ...options });
      const run = { name: 'skc_run', arguments: { skill: 'asked', script: 'none-such' } };
      expect(await call(client, run)).toMatchObject({ code: 'E070' });
      const skillDir = `${place.cwd}/${skill}`;
      expect(asked.map(({ message }) => message)).toEqual([
        `The agent wants to read the skill asked (${skillDir}). Your rules require you to confirm this.`,
        `The agent wants to run code from the skill asked (${skillDir}). Your rules require you to confirm this.`,
      ]);
      expect(asked[1]!.requestedSchema.properties.answer!.enum).not.toContain(
        'Always allow this version of the skill',
      );
    }
  },
);

test('a sealed question is for one request, and is answered once', async () => {
  const { url } = await startHttp(makePlace(files));
  let id = 0;
  const post = async (params: Record<string, unknown>, method = 'tools/call') => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'bare', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    };
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': String(params.name),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params: { ...params, _meta } }),
    });
    const { result, error } = (await response.json()) as {
      result?: { resultType: string; requestState?: string; content?: [{ text: string }] };
      error?: { message: string };
    };
    return result?.content?.[0].text ?? error?.message ?? result;
  };
  const inputResponses = { person: allow('Allow once') };
  const asked = (await post(show)) as { resultType: string; requestState: string };
  expect(asked.resultType).toBe('input_required');
  const { requestState } = asked;
  expect(await post({ ...show, inputResponses })).toMatchObject({ resultType: 'input_required' });
  for (const forged of ['v1.e30.x', `${requestState.slice(0, -4)}AAAA`])
    expect(await post({ ...show, inputResponses, requestState: forged })).toBe(
      'Invalid or expired requestState',
    );
  const other = { name: 'skc_open', arguments: { skill: 'asked', path: 'SKILL.md' } };
  expect(await post({ ...other, inputResponses, requestState })).toBe(
    'The answer belongs to another request',
  );
  expect(await post({ ...show, inputResponses, requestState })).toBe('# asked\n\nText of asked.\n');
  expect(await post({ ...show, inputResponses, requestState })).toMatchObject({
    resultType: 'input_required',
  });
});
