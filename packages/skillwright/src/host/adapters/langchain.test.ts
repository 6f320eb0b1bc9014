import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { AIMessage, createAgent, fakeModel, SystemMessage, ToolMessage, tool } from 'langchain';
import { describeAdapter } from '../../../test/adapter-contract.ts';
import { createSkillTools } from './langchain.ts';

describeAdapter(
  'LangChain',
  async (session, { instructions, task, calls, answer, signal }, options) => {
    const model = fakeModel();
    for (const { id, tool: name, input } of calls) model.respondWithTools([{ id, name, args: input }]);
    model.respond(new AIMessage(answer));
    const tools = await createSkillTools(session, tool, options);
    const agent = createAgent({ model, tools, systemPrompt: instructions });
    const { messages } = await agent.invoke(
      { messages: [{ role: 'user', content: task }] },
      signal === undefined ? {} : { signal },
    );
    const seen = model.calls.at(-1)!.messages;
    return {
      system: seen
        .filter((message) => SystemMessage.isInstance(message))
        .map(({ text }) => text)
        .join('\n\n'),
      tools: tools.map((each) => {
        const { name, description = '', parameters } = convertToOpenAITool(each).function;
        return { name, description, fields: Object.keys((parameters as { properties: object }).properties) };
      }),
      results: seen.flatMap((message) =>
        ToolMessage.isInstance(message) ? [{ id: message.tool_call_id, text: message.text }] : [],
      ),
      answer: messages.at(-1)!.text,
    };
  },
  { wrongInput: /^Error invoking tool 'skill_search'[\s\S]+at limit/ },
);
