// A LangChain agent with skills: node examples/langchain/agent.ts

import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { AIMessage, createAgent, ToolMessage, tool } from 'langchain';
import { createSkillTools } from 'skillwright/adapters/langchain';
import { createSession } from 'skillwright/host';
import { model } from './scripted-model.ts';

const session = await createSession({
  cwd: process.cwd(),
  home: homedir(),
  // Skills that ship with the agent. The user's own skills are found automatically.
  discovery: { bundled: [fileURLToPath(new URL('../skills', import.meta.url))] },
});

const agent = createAgent({
  model,
  systemPrompt: `You write for users.\n\n${(await session.prompt()).text}`,
  tools: await createSkillTools(session, tool),
});

const task = 'Write the release notes of version 2.';
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: task }] });

for (const message of messages) {
  for (const { name, args } of (AIMessage.isInstance(message) && message.tool_calls) || [])
    process.stdout.write(`${name} ${JSON.stringify(args)}: `);
  if (ToolMessage.isInstance(message)) console.log(`${message.text.length} characters`);
}
console.log(messages.at(-1)?.text);
