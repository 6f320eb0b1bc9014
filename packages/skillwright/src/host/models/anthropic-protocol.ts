// Anthropic messages: the request and the answer.

import * as z from 'zod';
import type { Protocol } from './ask-endpoint.ts';
import type { ModelAnswer, ModelRequest, ModelTurn } from './model.ts';
import { readToolInput } from './text-calls.ts';

const Message = z.object({
  content: z.array(
    z.looseObject({
      type: z.string(),
      text: z.string().optional(),
      id: z.string().optional(),
      name: z.string().optional(),
      input: z.unknown().optional(),
    }),
  ),
  stop_reason: z.string().nullish(),
  usage: z
    .object({
      input_tokens: z.number().nonnegative(),
      output_tokens: z.number().nonnegative(),
      cache_creation_input_tokens: z.number().nonnegative().nullish(),
      cache_read_input_tokens: z.number().nonnegative().nullish(),
    })
    .nullish(),
});

/** The protocol of Anthropic. */
export const anthropicProtocol: Protocol = {
  defaultUrl: 'https://api.anthropic.com',
  path(url) {
    if (url.endsWith('/messages')) return url;
    return url.endsWith('/v1') ? `${url}/messages` : `${url}/v1/messages`;
  },
  headers: (key) => ({
    'anthropic-version': '2023-06-01',
    ...(key === undefined ? {} : { 'x-api-key': key }),
  }),
  body: (request, { model, maxTokens, temperature }) => ({
    model,
    max_tokens: maxTokens,
    system: request.system,
    messages: writeTurns(request.turns),
    ...(temperature === undefined ? {} : { temperature }),
    ...anthropicTools(request),
  }),
  read(value): ModelAnswer {
    const { content, stop_reason: reason, usage } = Message.parse(value);
    return {
      text: content.flatMap(({ type, text = '' }) => (type === 'text' ? [text] : [])).join(''),
      calls: content.flatMap(({ type, id, name, input }) =>
        type === 'tool_use' && id !== undefined && name !== undefined
          ? [{ id, name, input: readToolInput(input) }]
          : [],
      ),
      inputTokens: usage
        ? usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0)
        : null,
      outputTokens: usage?.output_tokens ?? null,
      isCut: reason === 'max_tokens',
    };
  },
  amend: () => undefined,
};

function anthropicTools({ tools = [] }: ModelRequest): object {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: parameters,
    })),
  };
}

type Block = Record<string, unknown>;

/** Results of tools are blocks of one user message. */
function writeTurns(turns: readonly ModelTurn[]): { role: string; content: Block[] }[] {
  const messages: { role: string; content: Block[] }[] = [];
  for (const turn of turns) {
    const role = turn.role === 'assistant' ? 'assistant' : 'user';
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...blocksOf(turn));
    else messages.push({ role, content: blocksOf(turn) });
  }
  return messages;
}

function blocksOf(turn: ModelTurn): Block[] {
  if (turn.role === 'tool') return [{ type: 'tool_result', tool_use_id: turn.id, content: turn.text }];
  const text = turn.text === '' ? [] : [{ type: 'text', text: turn.text }];
  if (turn.role === 'user') return text;
  return [...text, ...turn.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }))];
}
