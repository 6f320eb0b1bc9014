// The scripted model of the adapter tests in the model interface that the AI SDK and Mastra share.

import type { MockLanguageModelV4 } from 'ai/test';
import type { Script, Transcript } from './adapter-contract.ts';

type Request = MockLanguageModelV4['doGenerateCalls'][number];
type Turn = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;

const usage: Turn['usage'] = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** A turn for each call of a script, and one for the answer. */
export function modelTurns({ calls, answer }: Script): Turn[] {
  const requests = calls.map(
    ({ id, tool, input }): Turn => ({
      content: [{ type: 'tool-call', toolCallId: id, toolName: tool, input: JSON.stringify(input) }],
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    }),
  );
  const last: Turn = {
    content: [{ type: 'text', text: answer }],
    finishReason: { unified: 'stop', raw: undefined },
    usage,
    warnings: [],
  };
  return [...requests, last];
}

/** Texts the model received, from the recorded requests. */
export function readPrompt(requests: readonly Request[]): Omit<Transcript, 'answer'> {
  const prompt = requests.at(-1)!.prompt;
  const results = prompt.flatMap((message) => (message.role === 'tool' ? message.content : []));
  return {
    system: prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n\n'),
    tools: (requests[0]!.tools ?? []).flatMap((tool) =>
      tool.type === 'function'
        ? [
            {
              name: tool.name,
              description: tool.description ?? '',
              fields: Object.keys(tool.inputSchema.properties ?? {}),
            },
          ]
        : [],
    ),
    results: results.flatMap((part) =>
      part.type === 'tool-result' ? [{ id: part.toolCallId, text: textOf(part.output) }] : [],
    ),
  };
}

/** Text as it is; what a framework reports as an object, as JSON. */
const textOf = (output: object) =>
  'value' in output && typeof output.value === 'string' ? output.value : JSON.stringify(output);
