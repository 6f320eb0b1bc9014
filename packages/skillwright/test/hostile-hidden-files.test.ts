// A SKILL.md at the root of a repository: hidden files and node_modules lie in the directory, and are not part of the skill.

import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createSession, SkillContextProvider } from '../src/host/index.ts';
import { loadCatalog } from '../src/read/catalog/load-catalog.ts';
import { makeWorld, skillText, type World } from './make-world.ts';
import { connect } from './mcp-client.ts';
import { workspaceAt } from './open-workspace.ts';
import { startRpc } from './rpc-client.ts';

const SECRET = 'swordfish';
const hidden = [
  '.env',
  '.git/config',
  'node_modules/x/index.md',
  'docs/.notes.md',
  './.env',
  'alias.md',
  'folder/config',
];

let world: World;
beforeEach(() => {
  const quiz =
    'quiz:\n  questions:\n    - question: Q?\n      options: [{ label: a, correct: true }, { label: b }]\n      on-incorrect: { load-reference: .env }\n';
  world = makeWorld({
    '.claude/skills/repo/SKILL.md': skillText('repo', '# repo\n\nText.\n').replace(
      '---\n\n#',
      `${quiz}---\n\n#`,
    ),
    '.claude/skills/repo/docs/open.md': '# Open\n\nfine\n',
    '.claude/skills/repo/docs/.notes.md': SECRET,
    '.claude/skills/repo/.env': `KEY=${SECRET}\n`,
    '.claude/skills/repo/.git/config': SECRET,
    '.claude/skills/repo/node_modules/x/index.md': SECRET,
    '.claude/skills/repo/alias.md': { link: '.env' },
    '.claude/skills/repo/folder': { link: '.git' },
  });
});

test('no command gives them', async () => {
  for (const path of hidden) {
    const opened = await world.run(['open', 'repo', path]);
    expect([path, opened.status, opened.stderr]).toEqual([
      path,
      1,
      `error[E021]: file not found: '${path}'\nhelp: hidden files and node_modules are not part of a skill\n`,
    ]);
    const shown = await world.run(['show', 'repo', '--section', 'repo', '--file', path, '--fresh']);
    expect(shown.stdout + shown.stderr).not.toContain(SECRET);
  }
  for (const dir of ['.git', 'node_modules', 'folder'])
    expect((await world.run(['sources', 'repo', '--dir', dir])).stderr).toMatch(/^error\[E022\]/);
  const words = [
    ['sources', 'repo'],
    ['search', 'repo', SECRET, '--fresh'],
    ['outline', 'repo'],
    ['load', 'repo'],
    ['find', SECRET],
    ['quiz', 'repo', '--answer', '1=2'],
    ['publish', 'repo', '--static', join(world.root, 'site')],
  ];
  for (const line of words) {
    const { stdout, stderr } = await world.run(line);
    expect([line[0], `${stdout}${stderr}`.includes(`KEY=${SECRET}`)]).toEqual([line[0], false]);
    // It refuses to publish what it would have to leave out, and names it.
    if (line[0] !== 'publish') expect(stdout).not.toContain('alias.md');
  }
  expect(Object.values(world.list()).filter((text) => text.includes(SECRET)).length).toBe(4);
});

test("nor do MCP's tools and resources", async () => {
  const { client } = await connect({ cwd: world.project, home: world.home });
  for (const path of hidden) {
    const { structuredContent } = await client.callTool({
      name: 'skc_open',
      arguments: { skill: 'repo', path },
    });
    expect(structuredContent).toMatchObject({ error: { code: 'E021' } });
    const read = await client
      .readResource({ uri: `skill://project/repo/${path}` })
      .catch((error: Error) => error);
    expect(JSON.stringify(read)).not.toContain(SECRET);
  }
});

test('nor do sessions, providers and rpc', async () => {
  const session = await createSession({ cwd: world.project, home: world.home, env: {}, trust: true });
  const workspace = workspaceAt({ cwd: world.project, home: world.home });
  const provider = new SkillContextProvider(await loadCatalog(workspace, { cache: false }));
  const rpc = startRpc({ cwd: world.project, home: world.home });
  await rpc.call('initialize', { trust: true });
  for (const path of hidden) {
    await expect(session.readResource({ name: 'repo', file: path })).rejects.toMatchObject({ code: 'E021' });
    expect(await provider.getTier3Resource('repo', path)).toBeNull();
    await expect(rpc.call('skills.read', { name: 'repo', file: path })).rejects.toMatchObject({
      data: { code: 'E021' },
    });
  }
  const loaded = await session.load({ name: 'repo' });
  expect(JSON.stringify(loaded)).not.toMatch(/alias\.md|\.env|node_modules/);
});
