// A model that follows a script, so that the example runs without a key. Replace it with the name of a model.

import { type Model, type ModelResponse, setTracingDisabled, Usage } from '@openai/agents';

// Do not send traces to OpenAI.
setTracingDisabled(true);

type Turn = ModelResponse['output'][number];

const call = (name: string, input: object): Turn => ({
  type: 'function_call',
  callId: name,
  name,
  status: 'completed',
  arguments: JSON.stringify(input),
});

const answer = (text: string): Turn => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});

const turns = [
  call('skill_search', { query: 'tell users what changed' }),
  call('skill_load', { name: 'release-notes' }),
  call('skill_read', { name: 'release-notes', file: 'references/style.md' }),
  answer('Exports keep their column order (4f2a91c).'),
];

export const model: Model = {
  async getResponse() {
    return { usage: new Usage(), output: turns.splice(0, 1) };
  },
  getStreamedResponse() {
    throw new Error('the script is not streamed');
  },
};
