// An AI SDK agent with skills: node examples/ai-sdk/agent.ts

import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ToolLoopAgent } from 'ai';
import { createSkillTools } from 'skillwright/adapters/ai-sdk';
import { createSession } from 'skillwright/host';
import { model } from './scripted-model.ts';

const session = await createSession({
  cwd: process.cwd(),
  home: homedir(),
  // Skills that ship with the agent. The user's own skills are found automatically.
  discovery: { bundled: [fileURLToPath(new URL('../skills', import.meta.url))] },
});

const agent = new ToolLoopAgent({
  model,
  instructions: `You write for users.\n\n${(await session.prompt()).text}`,
  tools: await createSkillTools(session),
});

const { steps, text } = await agent.generate({ prompt: 'Write the release notes of version 2.' });

for (const { toolName, input, output } of steps.flatMap(({ toolResults }) => toolResults))
  console.log(`${toolName} ${JSON.stringify(input)}: ${String(output).length} characters`);
console.log(text);
