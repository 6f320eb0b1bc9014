// A model that follows a script, so that the example runs without a key. Replace it with a real model.

import { MockLanguageModelV4 } from 'ai/test';

type Turn = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;

const usage: Turn['usage'] = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

const call = (toolName: string, input: object): Turn => ({
  content: [{ type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) }],
  finishReason: { unified: 'tool-calls', raw: undefined },
  usage,
  warnings: [],
});

const answer = (text: string): Turn => ({
  content: [{ type: 'text', text }],
  finishReason: { unified: 'stop', raw: undefined },
  usage,
  warnings: [],
});

export const model = new MockLanguageModelV4({
  doGenerate: [
    call('skill_search', { query: 'tell users what changed' }),
    call('skill_load', { name: 'release-notes' }),
    call('skill_read', { name: 'release-notes', file: 'references/style.md' }),
    answer('Exports keep their column order (4f2a91c).'),
  ],
});
