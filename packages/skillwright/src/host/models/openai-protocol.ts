// OpenAI chat completions: the request and the answer.

import * as z from 'zod';
import type { Protocol, ProtocolSettings } from './ask-endpoint.ts';
import type { ModelAnswer, ModelRequest, ModelTurn } from './model.ts';
import { readToolInput } from './text-calls.ts';

const Completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z
            .union([z.string(), z.array(z.object({ text: z.string().optional() }))])
            .nullish()
            .transform((content) =>
              typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join(''),
            ),
          refusal: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({
                id: z.string(),
                function: z.object({ name: z.string(), arguments: z.unknown().optional() }),
              }),
            )
            .nullish(),
        }),
      }),
    )
    .min(1),
  usage: z
    .object({ prompt_tokens: z.number().nonnegative(), completion_tokens: z.number().nonnegative() })
    .nullish(),
});

/** The protocol of OpenAI and of the many servers that speak it. */
export const openaiProtocol: Protocol = {
  defaultUrl: 'https://api.openai.com/v1',
  path: (url) => (url.endsWith('/chat/completions') ? url : `${url}/chat/completions`),
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body: (request, settings) => ({
    model: settings.model,
    messages: [{ role: 'system', content: request.system }, ...request.turns.map(writeTurn)],
    ...limitOf(settings),
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    ...openaiTools(request),
    stream: false,
  }),
  read(value): ModelAnswer {
    const { choices, usage } = Completion.parse(value);
    const { message, finish_reason: reason } = choices[0]!;
    return {
      text: message.content || message.refusal || '',
      calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: given } }) => ({
        id,
        name,
        input: readToolInput(given),
      })),
      inputTokens: usage?.prompt_tokens ?? null,
      outputTokens: usage?.completion_tokens ?? null,
      isCut: reason === 'length',
    };
  },
  // Newer models of OpenAI refuse the old name of the limit, and most other servers know only that.
  amend: (refusal, settings) =>
    !settings.isNewLimit && refusal.includes('max_completion_tokens')
      ? { ...settings, isNewLimit: true }
      : undefined,
};

const limitOf = ({ maxTokens, isNewLimit }: ProtocolSettings) =>
  isNewLimit ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens };

function openaiTools({ tools = [] }: ModelRequest): object {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
  };
}

function writeTurn(turn: ModelTurn): object {
  if (turn.role === 'user') return { role: 'user', content: turn.text };
  if (turn.role === 'tool') return { role: 'tool', tool_call_id: turn.id, content: turn.text };
  if (turn.calls.length === 0) return { role: 'assistant', content: turn.text };
  return {
    role: 'assistant',
    content: turn.text === '' ? null : turn.text,
    tool_calls: turn.calls.map(({ id, name, input }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    })),
  };
}
