// The examples run unchanged with the built package.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bindTools } from '../src/host/adapters/bind-tools.ts';
import { createSession } from '../src/host/runtime/create-session.ts';
import { runProcess } from './built-package.ts';
import { makeDirectory } from './make-directory.ts';
import { processEnvironment } from './process-environment.ts';

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));

const frameworks = ['ai-sdk', 'openai-agents', 'langchain', 'mastra'];

test.each(frameworks)('%s', async (name) => {
  const agent = join(examples, name, 'agent.ts');
  expect(readFileSync(agent, 'utf8').split('\n').length).toBeLessThan(40);
  const home = makeDirectory();
  // Mastra may report its use, and tests stay off the network.
  const env = { ...processEnvironment, HOME: home, MASTRA_TELEMETRY_DISABLED: '1' };
  const result = runProcess(process.execPath, [agent], { cwd: home, env });
  const discovery = { bundled: [join(examples, 'skills')], cache: false as const };
  const tools = await bindTools(await createSession({ cwd: home, home, discovery }));
  const calls = {
    skill_search: { query: 'tell users what changed' },
    skill_load: { name: 'release-notes' },
    skill_read: { name: 'release-notes', file: 'references/style.md' },
  };
  const texts: string[] = [];
  const lines: string[] = [];
  for (const [tool, input] of Object.entries(calls)) {
    const text = await tools.find(({ name }) => name === tool)!.run(input);
    texts.push(text);
    lines.push(`${tool} ${JSON.stringify(input)}: ${text.length} characters`);
  }
  expect(texts[0]).toContain('"name":"release-notes"');
  expect(texts[2]).toBe(readFileSync(join(examples, 'skills/release-notes/references/style.md'), 'utf8'));
  expect(result).toEqual({
    status: 0,
    stdout: `${[...lines, 'Exports keep their column order (4f2a91c).'].join('\n')}\n`,
    stderr: '',
  });
});

test.each(frameworks)('the guide shows the example of %s as it is', (name) => {
  const guide = readFileSync(new URL('../../../docs/guide/embed.md', import.meta.url), 'utf8');
  const blocks = [...guide.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code!);
  const shown = blocks.filter((code) => code.includes(`'skillwright/adapters/${name}'`));
  expect(shown.length).toBe(1);
  const example = readFileSync(join(examples, name, 'agent.ts'), 'utf8');
  const [imports, agent] = shown[0]!.split('\n\n');
  expect([imports, agent].filter((part) => !example.includes(part!))).toEqual([]);
});
