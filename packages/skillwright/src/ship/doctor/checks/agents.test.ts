import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { consult, makeInstalledWorld, type Told } from '../../../../test/doctor-world.ts';
import type { Tree } from '../../../../test/make-directory.ts';
import { makeWorld, skillText } from '../../../../test/make-world.ts';
import { agents } from '../../../skill/agents/agents.ts';
import { type AgentFacts, factsOf } from '../agent-facts.ts';

const known = agents
  .map((agent) => ({ id: agent.id, facts: factsOf(agent) }))
  .filter(({ facts }) => facts.documented);

/** A project that uses one agent, with skills in its preferred directory. */
function makeAgentWorld({ facts }: { facts: AgentFacts }, skills: Tree) {
  const [directory] = facts.reads.project;
  const files = Object.entries(skills).map(([path, text]) => [`${directory}/${path}`, text]);
  return makeWorld({ [`~/${facts.marks[0]}`]: { directory: true }, ...Object.fromEntries(files) });
}

const unseen = async (agent: (typeof known)[number], skills: Tree): Promise<Told[]> => {
  const told = await consult(makeAgentWorld(agent, skills));
  return told.filter(([check]) => check === 'unseen-skill');
};

/** The finding about a skill in that directory. */
const expected = (agent: (typeof known)[number], path: string, what: string, severity = 'warning'): Told => [
  'unseen-skill',
  severity,
  `./${agent.facts.reads.project[0]}/${path}`,
  what,
];

const nested = (depth: number) =>
  `${Array.from({ length: depth - 1 }, (_, index) => `d${index}/`).join('')}deep`;

describe.each(known)('$id', (agent) => {
  const { facts } = agent;
  const { label } = facts;

  test('sees a skill that follows the standard', async () => {
    expect(await consult(makeAgentWorld(agent, { 'good/SKILL.md': skillText('good') }))).toEqual([]);
  });

  test('finds skills down to its own depth', async () => {
    const depth = facts.depth ?? 6;
    const skill = (at: number) => ({ [`${nested(at)}/SKILL.md`]: skillText('deep') });
    expect(await unseen(agent, skill(depth))).toEqual([]);
    const deeper = await unseen(agent, skill(depth + 1));
    expect(deeper).toEqual(
      facts.depth === undefined ? [] : [expected(agent, nested(depth + 1), `not seen by ${label}: 'deep'`)],
    );
  });

  test('accepts its own set of names', async () => {
    const long = 'n'.repeat(65);
    const skills = { 'Odd_Name/SKILL.md': skillText('Odd_Name'), [`${long}/SKILL.md`]: skillText(long) };
    expect(await unseen(agent, skills)).toEqual([
      ...(facts.names?.pattern === undefined
        ? []
        : [expected(agent, 'Odd_Name', `not seen by ${label}: 'Odd_Name'`)]),
      ...(facts.names === undefined ? [] : [expected(agent, long, `not seen by ${label}: '${long}'`)]),
    ]);
  });

  test('uses the directory name if that is its rule', async () => {
    const told = {
      required: [expected(agent, 'there', `not seen by ${label}: 'here'`)],
      called: [
        expected(agent, 'there', `listed under its directory name by ${label}: 'here' as 'there'`, 'info'),
      ],
      none: [],
    }[facts.directory ?? 'none'];
    expect(await unseen(agent, { 'there/SKILL.md': skillText('here') })).toEqual(told);
  });

  test('needs a description, or falls back to the text', async () => {
    const skills = {
      'bare/SKILL.md': '---\nname: bare\n---\n\n# Bare\n',
      'torn/SKILL.md': '---\n{{{\n---\n',
    };
    const isHelped = facts.description.missing === 'fallback';
    const what = isHelped ? 'shown with its first lines, because it has no description, by' : 'not seen by';
    expect(await unseen(agent, skills)).toEqual(
      ['bare', 'torn'].map((name) =>
        expected(agent, name, `${what} ${label}: '${name}'`, isHelped ? 'info' : 'warning'),
      ),
    );
  });

  test('accepts descriptions up to its own limit', async () => {
    const { max = 1024, over } = facts.description;
    const text = (length: number) => ({
      'long/SKILL.md': skillText('long', '# long\n', '𝒹'.repeat(length)),
    });
    expect(await unseen(agent, text(max))).toEqual([]);
    const told = {
      'left-out': [expected(agent, 'long', `not seen by ${label}: 'long'`)],
      cut: [expected(agent, 'long', `shown with a shortened description by ${label}: 'long'`, 'info')],
      none: [],
    }[over ?? 'none'];
    expect(await unseen(agent, text(max + 1))).toEqual(told);
  });

  test('leaves some skills to the user', async () => {
    const text = '---\nname: quiet\ndescription: x\ndisable-model-invocation: yes\n---\n';
    expect(await unseen(agent, { 'quiet/SKILL.md': text })).toEqual(
      facts.honoursDisabled
        ? [expected(agent, 'quiet', `not offered to the model by ${label}: 'quiet'`, 'info')]
        : [],
    );
  });

  test('has limited room for the list', async () => {
    const many = Array.from({ length: 40 }, (_, index) => `skill-${index}`);
    const skills = Object.fromEntries(
      many.map((name) => [
        `${name}/SKILL.md`,
        skillText(name, '', 'several words about one thing '.repeat(30)),
      ]),
    );
    const told = await consult(makeAgentWorld(agent, skills));
    const { listing } = facts;
    const isCatalogued = ['.agents/skills', '.claude/skills'].includes(facts.reads.project[0]!);
    expect(told.map(([check, severity, subject]) => [check, severity, subject])).toEqual([
      ...(listing === undefined ? [] : [['listing-budget', 'warning', agent.id]]),
      // This list is over skc's own budget too.
      ...(isCatalogued ? [['listing-budget', 'warning', 'skc']] : []),
    ]);
    if (listing !== undefined)
      expect(told[0]![3]).toMatch(
        new RegExp(`${listing.unit}, but ${label} has room for ${listing.max.toLocaleString('en')}$`),
      );
  });

  test('picks one of two skills with the same name', async () => {
    const [project, user] = [facts.reads.project[0]!, facts.reads.user[0]!];
    const world = makeWorld({
      [`~/${facts.marks[0]}`]: { directory: true },
      [`${project}/twin/SKILL.md`]: skillText('twin', '# ours\n'),
      [`~/${user}/twin/SKILL.md`]: skillText('twin', '# mine\n'),
    });
    const { stdout } = await world.run(['doctor', '--json']);
    const { findings } = JSON.parse(stdout.replaceAll('<cwd>', '.').replaceAll('<home>', '~'));
    const verdicts = {
      project: `uses ./${project}/twin (the project before the user)`,
      user: `uses ~/${user}/twin (the user before the project)`,
      both: "keeps both, and '$twin' selects neither",
    };
    expect(findings).toContainEqual({
      check: 'same-name',
      group: 'what agents see',
      severity: 'warning',
      subject: 'twin',
      message: `several skills are called 'twin': ~/${user}/twin, ./${project}/twin`,
      why: expect.stringContaining(`${label}: ${verdicts[facts.precedence]}`),
      fix: 'rename one of them, or remove it',
      fixable: false,
      fixed: false,
    });
  });
});

test('the facts', () => {
  const table = known.map(({ id, facts }) => {
    const { precedence, depth, names, directory, description, honoursDisabled, listing, reads } = facts;
    const limits = { depth, name: names?.max, description: description.max, listing: listing?.max };
    return [id, precedence, reads.project.includes('.agents/skills'), limits, directory, honoursDisabled];
  });
  expect(table).toEqual([
    ['claude', 'user', false, { depth: 1, description: 1536, listing: 2000 }, 'called', true],
    ['codex', 'both', true, { depth: 6, name: 64, description: 1024, listing: 8000 }, undefined, undefined],
    ['cursor', 'project', true, {}, undefined, true],
    ['gemini', 'project', true, { depth: 1 }, undefined, undefined],
    ['copilot', 'project', true, { name: 64, description: 1024 }, undefined, true],
    ['opencode', 'project', true, { description: 1024 }, 'required', undefined],
  ]);
});

test('Claude Code does not read the shared directory', async () => {
  const world = makeWorld({
    '~/.claude': { directory: true },
    '~/.codex': { directory: true },
    ...Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [`.agents/skills/${name}/SKILL.md`, skillText(name)]),
    ),
    // It finds this one through a link.
    '.claude/skills/a': { link: '../../.agents/skills/a' },
  });
  expect(await consult(world)).toEqual([
    [
      'unread-directory',
      'info',
      './.agents/skills',
      'Claude Code does not read this directory and does not see b, c, d, e, f and 1 more',
    ],
  ]);
});

test('a collection that is nested too deep is one finding', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const world = makeWorld(
    Object.fromEntries(names.map((name) => [`.claude/skills/all/${name}/SKILL.md`, skillText(name)])),
  );
  expect(await consult(world)).toEqual([
    ['unseen-skill', 'warning', './.claude/skills/all', "not seen by Claude Code: 'a', 'b', 'c' and 2 more"],
  ]);
});

test('agents without facts are checked by the standard, and only when they are used', async () => {
  const bare = '---\nname: bare\n---\n';
  const world = makeWorld({ '.goose/skills/bare/SKILL.md': bare, '.agents/skills/bare/SKILL.md': bare });
  expect(await consult(world)).toEqual([
    [
      'unseen-skill',
      'warning',
      './.agents/skills/bare',
      "not seen by agents that read .agents/skills: 'bare'",
    ],
    ['unseen-skill', 'warning', './.goose/skills/bare', "not seen by goose: 'bare'"],
  ]);
});

test('a link, a copy and the source of one skill are one skill', async () => {
  const world = await makeInstalledWorld();
  await world.run(['build', '.skillc/skills/pdf', '--target', 'cursor', '--copy', '--scope', 'project']);
  world.write({ '~/.cursor': { directory: true } });
  const told = await consult(world);
  expect(told.filter(([check]) => check === 'same-name')).toEqual([]);
});

test('a variable moves the directory of its agent', async () => {
  const world = makeWorld({ '~/elsewhere/skills/bare/SKILL.md': '---\nname: bare\n---\n' });
  const { stdout } = await world.run(['doctor', '--json'], {
    env: { CLAUDE_CONFIG_DIR: join(world.home, 'elsewhere') },
  });
  expect(JSON.parse(stdout).findings).toMatchObject([
    { check: 'unseen-skill', subject: '<home>/elsewhere/skills/bare' },
  ]);
});

test("skc's own budget", async () => {
  const world = makeWorld({
    '.skillc/config.toml': '[catalog]\nmax_entries = 1\n',
    '.claude/skills/a/SKILL.md': skillText('a'),
    '.claude/skills/b/SKILL.md': skillText('b'),
  });
  expect(await consult(world)).toEqual([
    ['listing-budget', 'warning', 'skc', "the list of 2 skills does not fit skc's own budget"],
  ]);
});

test('a directory with more entries than the search limit', async () => {
  const world = makeWorld({
    '.skillc/config.toml': '[catalog]\nmax_directories = 2\n',
    '.claude/skills/a/SKILL.md': skillText('a'),
    '.claude/skills/b/deep/er/SKILL.md': skillText('deep'),
    '.claude/skills/c/deep/er/SKILL.md': skillText('deeper'),
  });
  const told = await consult(world);
  expect(told.filter(([check]) => check === 'cut-search')).toEqual([
    ['cut-search', 'warning', './.claude/skills', expect.stringContaining('2 directories')],
  ]);
});
