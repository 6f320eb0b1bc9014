// An OpenAI Agents SDK agent with skills: node examples/openai-agents/agent.ts

import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Agent, run, tool } from '@openai/agents';
import { createSkillTools } from 'skillwright/adapters/openai-agents';
import { createSession } from 'skillwright/host';
import { model } from './scripted-model.ts';

const session = await createSession({
  cwd: process.cwd(),
  home: homedir(),
  // Skills that ship with the agent. The user's own skills are found automatically.
  discovery: { bundled: [fileURLToPath(new URL('../skills', import.meta.url))] },
});

const agent = new Agent({
  name: 'Writer',
  instructions: `You write for users.\n\n${(await session.prompt()).text}`,
  model,
  tools: await createSkillTools(session, tool),
});

const { newItems, finalOutput } = await run(agent, 'Write the release notes of version 2.');

for (const item of newItems) {
  if (item.type === 'tool_call_item' && item.rawItem.type === 'function_call')
    process.stdout.write(`${item.rawItem.name} ${item.rawItem.arguments}: `);
  if (item.type === 'tool_call_output_item') console.log(`${String(item.output).length} characters`);
}
console.log(finalOutput);
