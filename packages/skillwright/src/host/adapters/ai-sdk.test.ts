import { ToolLoopAgent } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describeAdapter } from '../../../test/adapter-contract.ts';
import { modelTurns, readPrompt } from '../../../test/language-model-turns.ts';
import { createSkillTools } from './ai-sdk.ts';

describeAdapter(
  'the AI SDK',
  async (session, script, options) => {
    const model = new MockLanguageModelV4({ doGenerate: modelTurns(script) });
    const tools = await createSkillTools(session, options);
    const agent = new ToolLoopAgent({ model, instructions: script.instructions, tools });
    const { text } = await agent.generate({
      prompt: script.task,
      ...(script.signal && { abortSignal: script.signal }),
    });
    return { ...readPrompt(model.doGenerateCalls), answer: text };
  },
  { wrongInput: /^AI_InvalidToolInputError: Invalid input for tool skill_search[\s\S]+limit/ },
);
