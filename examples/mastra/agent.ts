// A Mastra agent with skills: node examples/mastra/agent.ts

import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Agent } from '@mastra/core/agent';
import { createSkillTools } from 'skillwright/adapters/mastra';
import { createSession } from 'skillwright/host';
import { model } from './scripted-model.ts';

const session = await createSession({
  cwd: process.cwd(),
  home: homedir(),
  // Skills that ship with the agent. The user's own skills are found automatically.
  discovery: { bundled: [fileURLToPath(new URL('../skills', import.meta.url))] },
});

const agent = new Agent({
  id: 'writer',
  name: 'Writer',
  instructions: `You write for users.\n\n${(await session.prompt()).text}`,
  model,
  tools: await createSkillTools(session),
});

const { steps, text } = await agent.generate('Write the release notes of version 2.');

for (const { payload } of steps.flatMap(({ toolResults }) => toolResults))
  console.log(
    `${payload.toolName} ${JSON.stringify(payload.args)}: ${String(payload.result).length} characters`,
  );
console.log(text);
