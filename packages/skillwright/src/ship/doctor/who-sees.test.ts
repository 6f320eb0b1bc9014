import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeContext } from '../../../test/install-world.ts';
import { makeWorld, skillText } from '../../../test/make-world.ts';
import { readAgentsInSight } from './agent-view.ts';
import { whoSees } from './who-sees.ts';

const used = (...agents: string[]) =>
  Object.fromEntries(agents.map((agent) => [`~/.${agent}`, { directory: true as const }]));

const nested = { '.claude/skills/a/b/deep/SKILL.md': skillText('deep') };
const twice = {
  '.claude/skills/pdf/SKILL.md': skillText('pdf'),
  '~/.claude/skills/pdf/SKILL.md': skillText('pdf'),
};
const shared = {
  '.agents/skills/pdf/SKILL.md': skillText('pdf'),
  '~/.agents/skills/pdf/SKILL.md': skillText('pdf'),
};
const long = `---\nname: long\ndescription: ${'d'.repeat(1100)}\n---\n`;

test.each([
  [
    'in a directory of one agent',
    used('claude'),
    { '.claude/skills/pdf/SKILL.md': skillText('pdf') },
    'pdf',
    { claude: true },
  ],
  [
    'in a directory that several read',
    used('codex', 'cursor'),
    { '.agents/skills/pdf/SKILL.md': skillText('pdf') },
    'pdf',
    { codex: true, cursor: true },
  ],
  ['in no directory of an agent', used('claude'), { 'x/pdf/SKILL.md': skillText('pdf') }, 'pdf', {}],
  ['too deep for one agent', used('claude', 'cursor'), nested, 'deep', { claude: false, cursor: true }],
  [
    'of the project, where the user comes first',
    used('claude'),
    twice,
    '/project/.claude',
    { claude: false },
  ],
  ['of the user, where the user comes first', used('claude'), twice, '/home/.claude', { claude: true }],
  ['of the user, where the project comes first', used('gemini'), shared, '/home/.agents', { gemini: false }],
  ['of the user, where both are kept', used('codex'), shared, '/home/.agents', { codex: true }],
  [
    'with a description that is too long',
    used('codex', 'claude'),
    { '.agents/skills/long/SKILL.md': long, '.claude/skills/long': { link: '../../.agents/skills/long' } },
    'long',
    { codex: false, claude: true },
  ],
  [
    'with a name that one agent refuses',
    used('copilot', 'cursor'),
    { '.agents/skills/Odd_Name/SKILL.md': skillText('Odd_Name') },
    'Odd_Name',
    { copilot: false, cursor: true },
  ],
  [
    'without a description',
    used('claude', 'cursor'),
    { '.claude/skills/bare/SKILL.md': '---\nname: bare\n---\n\n# Bare\n' },
    'bare',
    { claude: true, cursor: false },
  ],
] as const)('a skill %s', async (_, agents, files, wanted, expected) => {
  const world = makeWorld({ '.git': { directory: true }, ...agents, ...files });
  const seen = readAgentsInSight(await makeContext(world));
  const dirs = seen.flatMap(({ roots }) =>
    roots.flatMap(({ skills }) => skills.map(({ identity }) => identity)),
  );
  const places = { '/project': world.project, '/home': world.home };
  const [scope, base] = Object.entries(places).find(([word]) => wanted.startsWith(word)) ?? [];
  const prefix = base === undefined ? undefined : join(base, wanted.slice(scope!.length));
  const dir = dirs.find((one) =>
    prefix === undefined ? one.endsWith(`/${wanted}`) : one.startsWith(prefix),
  );
  const sights = whoSees(seen);
  expect(
    Object.fromEntries(sights.of(dir ?? '').map(({ agent, unseen }) => [agent, unseen === undefined])),
  ).toEqual(expected);
  expect(sights.agents(dir ?? '')).toEqual(
    Object.entries(expected).flatMap(([agent, isSeen]) => (isSeen ? [agent] : [])),
  );
});
