import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { makeWorld, skillText } from '../../../test/make-world.ts';
import type { SessionOptions } from './session.ts';

const guide = readFileSync(new URL('../../../../../docs/guide/embed.md', import.meta.url), 'utf8');

interface Message {
  readonly role: string;
  readonly content: unknown;
}
interface Reply {
  readonly text: string;
  readonly calls: { id: string; tool: string; input: Record<string, string> }[];
}
type RunAgent = (
  task: string,
  model: (messages: Message[]) => Promise<Reply>,
  options: SessionOptions,
) => Promise<string>;

/** The program of the guide, run from its text. */
async function readProgram(): Promise<{ code: string; runAgent: RunAgent }> {
  const code = /```ts\n([\s\S]*?)```/.exec(guide)![1]!;
  const runtime = new URL('./index.ts', import.meta.url).href;
  const file = join(makeDirectory(), 'agent.ts');
  writeFileSync(file, code.replace("'skillwright/host'", JSON.stringify(runtime)));
  return { code, ...(await import(/* @vite-ignore */ pathToFileURL(file).href)) };
}

test('the agent of the guide has under 40 lines, finds a skill, loads it and reads its files', async () => {
  const { code, runAgent } = await readProgram();
  expect(code.split('\n').length).toBeLessThan(40);
  const world = makeWorld({
    '.agents/skills/repo-review/SKILL.md': skillText('repo-review', 'Read list.md.\n'),
    '.agents/skills/repo-review/list.md': '- risk first',
    '.agents/skills/notes/SKILL.md': skillText('notes', 'Write notes.\n'),
    '~/.skillc/config.toml': '[[permissions.deny]]\ntool = "skill_load"\nskill_name = "notes"\n',
  });
  const script: Reply['calls'][] = [
    [{ id: '1', tool: 'skill_search', input: { query: 'review' } }],
    [{ id: '2', tool: 'skill_load', input: { name: 'repo-review' } }],
    [
      { id: '3', tool: 'skill_read', input: { name: 'repo-review', file: 'list.md' } },
      { id: '4', tool: 'skill_load', input: { name: 'notes' } },
      { id: '5', tool: 'no_such_tool', input: {} },
    ],
    [],
  ];
  let seen: Message[] = [];
  const model = async (messages: Message[]) => {
    seen = messages;
    return { text: 'done', calls: script.shift()! };
  };
  const options = { cwd: world.project, home: world.home, trust: true };
  expect(await runAgent('Please $repo-review', model, options)).toBe('done');
  expect(seen[0]!.content).toContain('<name>repo-review</name>');
  expect(seen[0]!.content).not.toContain('notes');
  expect(seen[2]!.content).toContain('Read list.md.');
  expect(seen.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
    {
      results: [expect.objectContaining({ skill: expect.objectContaining({ name: 'repo-review' }) })],
      count: 1,
      truncated: false,
      incomplete: false,
    },
    expect.stringContaining('already_loaded="true"'),
    '- risk first',
    "denied by permission rule: 'notes'",
    'no tool is called no_such_tool',
  ]);
});
