import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { makeWorld, skillText } from '../../../test/make-world.ts';
import { createSession } from './create-session.ts';
import type { Session, SessionOptions } from './session.ts';

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
  model: (messages: Message[], tools: { name: string }[]) => Promise<Reply>,
  options: SessionOptions,
) => Promise<string>;

/** The program of the guide that exports a name, run from its text. */
async function readProgram<Exported>(name = 'runAgent'): Promise<{ code: string } & Exported> {
  const blocks = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block!);
  const code = blocks.find((block) => block.includes(`function ${name}(`))!;
  const host = new URL('../index.ts', import.meta.url).href;
  const file = join(makeDirectory(), 'agent.ts');
  writeFileSync(file, code.replace("'skillwright/host'", JSON.stringify(host)));
  return { code, ...(await import(/* @vite-ignore */ pathToFileURL(file).href)) };
}

test('the agent in the guide has fewer than 40 lines, finds a skill, loads it and reads its files', async () => {
  const { code, runAgent } = await readProgram<{ runAgent: RunAgent }>();
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
      { id: '6', tool: 'skill_read', input: { name: 'repo-review', file: '../notes/SKILL.md' } },
    ],
    [],
  ];
  let seen: Message[] = [];
  let offered: string[] = [];
  const model: Parameters<RunAgent>[1] = async (messages, tools) => {
    seen = messages;
    offered = tools.map(({ name }) => name);
    return { text: 'done', calls: script.shift()! };
  };
  const options = { cwd: world.project, home: world.home, trust: true };
  expect(await runAgent('Please $repo-review, not $notes', model, options)).toBe('done');
  expect(offered).toEqual([
    'skill_search',
    'skill_load',
    'skill_read',
    'skill_outline',
    'skill_section',
    'skill_find_in',
  ]);
  expect(seen[0]!.content).toContain('<name>repo-review</name>');
  expect(seen[0]!.content).not.toContain('notes');
  expect(seen[2]!.content).toContain('Read list.md.');
  expect(seen[3]!.content).toBe('notes cannot be used: denied');
  expect(seen.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
    expect.stringMatching(/^\{"results":\[\{"name":"repo-review",[^[\]]*\],"count":1,/),
    expect.stringContaining('already_loaded="true"'),
    '- risk first',
    expect.stringContaining("error[E060]: denied by permission rule: 'notes'"),
    'no tool is called no_such_tool',
    expect.stringContaining('error[E012]'),
  ]);
});

test('the user is asked as the guide says, and a permanent answer holds in later sessions', async () => {
  const { openWithQuestions } = await readProgram<{
    openWithQuestions: (
      ask: (question: string) => Promise<string>,
      options: SessionOptions,
    ) => Promise<Session>;
  }>('openWithQuestions');
  const world = makeWorld({
    '.agents/skills/notes/SKILL.md': skillText('notes'),
    '~/.skillc/config.toml': '[[permissions.confirm]]\ntool = "skill_load"\n',
  });
  const options = { cwd: world.project, home: world.home, trust: true };
  const asked: string[] = [];
  const load = async (answer: string) => {
    const session = await openWithQuestions(async (question) => {
      asked.push(question);
      return answer;
    }, options);
    return session.load({ name: 'notes' }).then(
      ({ status }) => status,
      ({ code }) => code,
    );
  };
  expect([await load('no'), await load('yes'), await load('always'), await load('no')]).toEqual([
    'E061',
    'loaded',
    'loaded',
    'loaded',
  ]);
  expect(asked).toEqual([1, 2, 3].map(() => 'Let the agent read notes? yes, no, always'));
});

test('a conversation resumes as the guide says', async () => {
  const { resumeConversation } = await readProgram<{
    resumeConversation: (
      saved: string,
      options: SessionOptions,
    ) => Promise<{ session: Session; notes: string[] }>;
  }>('resumeConversation');
  const world = makeWorld({
    '.agents/skills/same/SKILL.md': skillText('same'),
    '.agents/skills/edited/SKILL.md': skillText('edited'),
    '.agents/skills/removed/SKILL.md': skillText('removed'),
  });
  const options = { cwd: world.project, home: world.home, trust: true };
  const before = await createSession({ ...options, permissions: { confirm: [{ tool: 'skill_load' }] } });
  for (const name of ['same', 'edited', 'removed']) await before.load({ name }, { confirmed: true });
  const saved = JSON.stringify(await before.save());
  world.write({ '.agents/skills/edited/SKILL.md': skillText('edited', 'Another text.\n') });
  rmSync(join(world.project, '.agents/skills/removed'), { recursive: true });
  const { session, notes } = await resumeConversation(saved, options);
  expect([session.id, notes.slice(0, 2), notes.length]).toEqual([
    before.id,
    ['edited has changed: load it again', 'removed is gone'],
    5,
  ]);
  expect((await session.load({ name: 'same' })).status).toBe('already-loaded');
});
