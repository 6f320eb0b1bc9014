// Local servers that speak the protocols of model endpoints. They check what they are sent as strictly as the real ones.

import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { type Served, serve } from './serve.ts';

/** What a scripted model sees. */
export interface Seen {
  readonly system: string;
  /** The first message of the user. */
  readonly user: string;
  /** Results of tools so far. */
  readonly results: readonly string[];
  readonly tools: readonly string[];
}

/** What it says. */
export interface Said {
  readonly text?: string;
  readonly call?: { readonly name: string; readonly input: Record<string, unknown> };
}

/** A server and what it was sent. */
export interface ModelServer extends Served {
  readonly bodies: readonly Record<string, unknown>[];
  readonly headers: readonly Record<string, string | string[] | undefined>[];
}

/** Answers a request before the script does; true when it has. */
export type Interference = (
  response: ServerResponse,
  request: { readonly count: number; readonly body: Record<string, unknown> },
) => boolean;

/** A key as endpoints give them out. */
export const KEY = 'sk-local-0123456789abcdef+/==';

const Call = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
});
const OpenaiRequest = z.strictObject({
  model: z.string(),
  messages: z.array(
    z.discriminatedUnion('role', [
      z.strictObject({ role: z.literal('system'), content: z.string() }),
      z.strictObject({ role: z.literal('user'), content: z.string() }),
      z.strictObject({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        tool_calls: z.array(Call).min(1).optional(),
      }),
      z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
    ]),
  ),
  max_tokens: z.int().optional(),
  max_completion_tokens: z.int().optional(),
  temperature: z.number().optional(),
  stream: z.literal(false),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string().regex(/^[\w-]{1,64}$/),
          description: z.string(),
          parameters: z.looseObject({ type: z.literal('object') }),
        }),
      }),
    )
    .min(1)
    .optional(),
});

const Block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1) }),
  z.strictObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
  z.strictObject({ type: z.literal('tool_result'), tool_use_id: z.string(), content: z.string() }),
]);
const AnthropicRequest = z.strictObject({
  model: z.string(),
  max_tokens: z.int(),
  system: z.string(),
  temperature: z.number().optional(),
  messages: z.array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.array(Block).min(1) })),
  tools: z
    .array(
      z.strictObject({
        name: z.string(),
        description: z.string(),
        input_schema: z.looseObject({ type: z.literal('object') }),
      }),
    )
    .min(1)
    .optional(),
});

/** A server for OpenAI chat completions. */
export const serveOpenai = (script: (seen: Seen) => Said, interfere?: Interference): Promise<ModelServer> =>
  serveModel({
    path: '/v1/chat/completions',
    isKnown: ({ headers }) => headers.authorization === `Bearer ${KEY}`,
    refuse: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
    interfere,
    answer(body) {
      const { messages, tools = [] } = OpenaiRequest.parse(body);
      const asked = messages.flatMap((message) =>
        message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [],
      );
      const answered = messages.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : []));
      if (asked.join() !== answered.join()) throw new Error('every tool call needs its result');
      const said = script({
        system: messages
          .flatMap((message) => (message.role === 'system' ? [message.content] : []))
          .join('\n'),
        user: messages.find((message) => message.role === 'user')!.content,
        results: messages.flatMap((message) => (message.role === 'tool' ? [message.content] : [])),
        tools: tools.map((tool) => tool.function.name),
      });
      const call = said.call && {
        id: `call_${asked.length + 1}`,
        type: 'function',
        function: { name: said.call.name, arguments: JSON.stringify(said.call.input) },
      };
      return {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model: body.model,
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: said.text ?? null,
              ...(call ? { tool_calls: [call] } : {}),
            },
            finish_reason: call ? 'tool_calls' : 'stop',
          },
        ],
        usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
      };
    },
  });

/** A server for Anthropic messages. */
export const serveAnthropic = (
  script: (seen: Seen) => Said,
  interfere?: Interference,
): Promise<ModelServer> =>
  serveModel({
    path: '/v1/messages',
    isKnown: ({ headers }) => headers['x-api-key'] === KEY && headers['anthropic-version'] === '2023-06-01',
    refuse: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
    interfere,
    answer(body) {
      const { messages, system, tools = [] } = AnthropicRequest.parse(body);
      if (messages.some(({ role }, index) => role !== (index % 2 === 0 ? 'user' : 'assistant')))
        throw new Error('roles must alternate');
      const blocks = messages.flatMap(({ content }) => content);
      const [first] = blocks;
      const said = script({
        system,
        user: first?.type === 'text' ? first.text : '',
        results: blocks.flatMap((block) => (block.type === 'tool_result' ? [block.content] : [])),
        tools: tools.map(({ name }) => name),
      });
      const use = said.call && [
        { type: 'tool_use', id: `toolu_${messages.length}`, name: said.call.name, input: said.call.input },
      ];
      return {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: body.model,
        content: [...(said.text === undefined ? [] : [{ type: 'text', text: said.text }]), ...(use ?? [])],
        stop_reason: use ? 'tool_use' : 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 100, output_tokens: 10 },
      };
    },
  });

interface Spoken {
  readonly path: string;
  isKnown(request: IncomingMessage): boolean;
  refuse(message: string): object;
  answer(body: Record<string, unknown>): object;
  readonly interfere?: Interference | undefined;
}

async function serveModel({ path, isKnown, refuse, answer, interfere }: Spoken): Promise<ModelServer> {
  const bodies: Record<string, unknown>[] = [];
  const headers: ModelServer['headers'][number][] = [];
  const send = (response: ServerResponse, status: number, value: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const served = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    bodies.push(body);
    headers.push(request.headers);
    if (interfere?.(response, { count: bodies.length, body })) return;
    if (request.method !== 'POST' || request.url !== path) send(response, 404, refuse(`no ${request.url}`));
    else if (!isKnown(request)) {
      const given = request.headers.authorization ?? request.headers['x-api-key'];
      send(response, 401, refuse(`Incorrect API key provided: ${String(given)}`));
    } else
      try {
        send(response, 200, answer(body));
      } catch (error) {
        send(response, 400, refuse((error as Error).message));
      }
  });
  return Object.assign(served, { bodies, headers });
}
