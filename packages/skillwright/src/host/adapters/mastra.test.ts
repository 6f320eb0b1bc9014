import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { MockLanguageModelV4 } from 'ai/test';
import { describeAdapter } from '../../../test/adapter-contract.ts';
import { modelTurns, readPrompt } from '../../../test/language-model-turns.ts';
import { createSkillTools } from './mastra.ts';

describeAdapter(
  'Mastra',
  async (session, script, options) => {
    const model = new MockLanguageModelV4({ doGenerate: modelTurns(script) });
    // Mastra and the AI SDK have the same interface in types of different versions.
    const sameModel = model as MastraModelConfig;
    const tools = await createSkillTools(session, options);
    const { instructions } = script;
    const agent = new Agent({ id: 'agent', name: 'agent', instructions, model: sameModel, tools });
    const { text } = await agent.generate(script.task, {
      maxSteps: script.calls.length + 1,
      ...(script.signal && { abortSignal: script.signal }),
    });
    return { ...readPrompt(model.doGenerateCalls), answer: text };
  },
  { wrongInput: /Tool input validation failed for skill_search[\s\S]+limit/ },
);
