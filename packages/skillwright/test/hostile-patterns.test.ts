// Hostile patterns must not keep skc busy.

import { expect, test } from 'vitest';
import { connectInProcess } from './judge-mcp-rows.ts';
import { makeWorld, skillText } from './make-world.ts';

const name = 'a'.repeat(200);
const hostile = `${'*a'.repeat(30)}c`;

function makeHostile() {
  return makeWorld({
    '.skillc/skills/demo/SKILL.md': skillText('demo'),
    [`.skillc/skills/demo/${name}`]: '',
    [`.skillc/skills/${'a'.repeat(60)}/SKILL.md`]: skillText('a'.repeat(60)),
  });
}

test('a pattern that would backtrack for ever is answered, on the command line', async () => {
  const world = makeHostile();
  expect(await world.run(['sources', 'demo', '--pattern', hostile])).toMatchObject({
    status: 0,
    stdout: 'demo/\n',
  });
  expect(await world.run(['list', '--pattern', hostile])).toMatchObject({
    status: 0,
    stdout: 'no skill matches; there are 2\n',
  });
});

test('and over MCP', async () => {
  const client = await connectInProcess(makeHostile());
  const call = (tool: string, args: object) => client.callTool({ name: tool, arguments: { ...args } });
  expect(await call('skc_sources', { skill: 'demo', pattern: hostile })).toMatchObject({
    structuredContent: { total: 0 },
  });
  expect(await call('skc_list', { pattern: hostile })).toMatchObject({ structuredContent: { filtered: 0 } });
});

test('a broken pattern is an error', async () => {
  const world = makeHostile();
  for (const words of [['sources', 'demo'], ['list']])
    expect(await world.run([...words, '--pattern', '[a'])).toMatchObject({
      status: 1,
      stderr: `error[E100]: invalid pattern '[a': a [ without ]\nhelp: run \`skc ${words[0]} --help\` to see the options\n`,
    });
});
