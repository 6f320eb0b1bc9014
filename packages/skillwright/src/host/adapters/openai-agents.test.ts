import { Agent, type Model, type ModelRequest, Runner, tool, Usage } from '@openai/agents';
import { describeAdapter } from '../../../test/adapter-contract.ts';
import { createSkillTools } from './openai-agents.ts';

describeAdapter(
  'OpenAI Agents',
  async (session, { instructions, task, calls, answer, signal }, options) => {
    const requests: ModelRequest[] = [];
    const turns = [
      ...calls.map(({ id, tool: name, input }) => ({
        type: 'function_call' as const,
        callId: id,
        name,
        status: 'completed' as const,
        arguments: JSON.stringify(input),
      })),
      {
        type: 'message' as const,
        role: 'assistant' as const,
        status: 'completed' as const,
        content: [{ type: 'output_text' as const, text: answer }],
      },
    ];
    const model: Model = {
      async getResponse(request) {
        const turn = turns[requests.push({ ...request, input: structuredClone(request.input) }) - 1]!;
        return { usage: new Usage(), output: [turn] };
      },
      getStreamedResponse() {
        throw new Error('not streamed');
      },
    };
    const agent = new Agent({
      name: 'agent',
      instructions,
      model,
      tools: await createSkillTools(session, tool, options),
    });
    const { finalOutput } = await new Runner({ tracingDisabled: true }).run(
      agent,
      task,
      signal && { signal },
    );
    const { systemInstructions, input } = requests.at(-1)!;
    return {
      system: systemInstructions ?? '',
      tools: requests[0]!.tools.flatMap((each) =>
        each.type === 'function'
          ? [
              {
                name: each.name,
                description: each.description,
                fields: Object.keys(each.parameters.properties),
              },
            ]
          : [],
      ),
      results: (typeof input === 'string' ? [] : input).flatMap((item) =>
        item.type === 'function_call_result' ? [{ id: item.callId, text: textOf(item.output) }] : [],
      ),
      answer: finalOutput ?? '',
    };
  },
  { wrongInput: /^error\[E100\]: limit must be a number/ },
);

const textOf = (output: unknown) => (typeof output === 'string' ? output : (output as { text: string }).text);
