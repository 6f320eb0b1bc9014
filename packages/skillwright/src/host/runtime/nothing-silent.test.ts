// Everything that is left out, repaired or skipped is reported in the caller's result.

import { describe, expect, test } from 'vitest';
import type { Tree } from '../../../test/make-directory.ts';
import { makeWorld, skillText, type World } from '../../../test/make-world.ts';
import { createSession } from './create-session.ts';
import type { SessionOptions } from './session.ts';

const open = (world: World, options: Partial<SessionOptions> = {}) =>
  createSession({
    cwd: world.project,
    home: world.home,
    env: {},
    trust: true,
    discovery: { cache: false },
    ...options,
  });

const skill = (frontmatter: string): Tree => ({
  '.agents/skills/demo/SKILL.md': `---\nname: demo\ndescription: Use when testing.\n${frontmatter}---\nBody.\n`,
});

test.each(['cwd', 'home'] as const)('a relative %s is refused', async (field) => {
  await expect(open(makeWorld(), { [field]: 'somewhere' })).rejects.toMatchObject({
    code: 'E100',
    message: `${field} must be an absolute path, not 'somewhere'`,
  });
});

test('a missing home is refused', async () => {
  const { project: cwd } = makeWorld();
  await expect(createSession({ cwd } as SessionOptions)).rejects.toMatchObject({ code: 'E100' });
});

describe('loading and planning', () => {
  const frontmatter = `argument-hint: [a] [b]
toolsets: ["tools/a:T", "../b", 7]
hooks:
  PreToolUse: [{matcher: Bash, hooks: [{type: command, command: exit 0}, {type: comand}]}]
  PreTolUse: [{hooks: [{type: command, command: x}]}]
`;
  const expected = [
    ['W016', expect.stringContaining('SKILL.md:4: ')],
    [
      'W017',
      expect.stringMatching(/^left out of skill 'demo': hooks\.PreToolUse\[0\]\.hooks\[1\]: type must be/),
    ],
    ['W017', expect.stringMatching(/^left out of skill 'demo': toolsets\[1\] must be 'path:Export'/)],
    ['W017', expect.stringMatching(/^left out of skill 'demo': toolsets\[2\] must be 'path:Export'/)],
    ['W019', "unknown hook event 'PreTolUse'"],
  ];

  test('report repairs and omissions', async () => {
    const session = await open(makeWorld(skill(frontmatter)));
    const loaded = await session.load({ name: 'demo' });
    const plan = await session.plan({ name: 'demo' });
    const told = ({ diagnostics }: typeof loaded | typeof plan) =>
      diagnostics.map(({ code, message }) => [code, message]);
    expect(told(plan)).toEqual(expected);
    const blocks = expect.stringMatching(
      /^hook without an answer: 'demo: PreToolUse, PreTolUse': you have not/,
    );
    expect(told(loaded)).toEqual([...expected, ['W060', blocks]]);
    expect(plan.hooks.map(({ event, handler }) => [event, handler.type])).toEqual([
      ['PreToolUse', 'command'],
      ['PreTolUse', 'command'],
    ]);
  });

  test('a broken toolset does not affect the others', async () => {
    const session = await open(makeWorld(skill(frontmatter)));
    const { diagnostics } = await session.activate({ name: 'demo' });
    expect(diagnostics.map(({ code }) => code)).toEqual(['W017', 'W017', 'E080']);
    expect(diagnostics.at(-1)!.message).toContain("'tools/a:T'");
  });

  test('a closed quiz reveals nothing about the text behind it', async () => {
    const quiz =
      'quiz: {title: Q, gate: true, questions: [{question: A?, options: [{label: x, correct: true}, {label: y}]}]}\n';
    const session = await open(makeWorld(skill(`${frontmatter}${quiz}`)));
    const { status, diagnostics } = await session.load({ name: 'demo' });
    expect([status, diagnostics]).toEqual(['quiz', []]);
  });
});

test('the catalog, the prompt and the search report that discovery was cut short', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 8 }, (_, number) => [
      `.agents/skills/skill-${number}/SKILL.md`,
      skillText(`skill-${number}`),
    ]),
  );
  const session = await open(makeWorld(many), { discovery: { cache: false, maxDirectories: 3 } });
  const { truncated, diagnostics } = await session.catalog();
  expect([truncated, diagnostics.map(({ code }) => code)]).toEqual([true, ['W007']]);
  const { text, incomplete } = await session.prompt();
  expect([incomplete, text.includes('<incomplete>Not every directory was searched')]).toEqual([true, true]);
  expect((await session.search({ query: 'skill-7' })).incomplete).toBe(true);
  expect(
    (await session.provider().then((provider) => provider.getTier1Context())).includes('<incomplete>'),
  ).toBe(true);
});

test('rules name every skill, and a rule for another tool is reported', async () => {
  const names = ['数据处理', 'my skill'];
  const rules = ['数据处理', 'my skill']
    .map((name) => `[[permissions.deny]]\ntool = "skill_load"\nskill_name = "${name}"\n`)
    .join('');
  const world = makeWorld({
    ...Object.fromEntries(names.map((name) => [`.agents/skills/${name}/SKILL.md`, skillText(name)])),
    '~/.skillc/config.toml': `${rules}[[permissions.deny]]\ntool = "Bash"\n`,
  });
  const session = await open(world);
  const { skills, hidden, diagnostics } = await session.catalog();
  expect([skills, hidden.map(({ skill: { name }, reason }) => [name, reason])]).toEqual([
    [],
    [
      ['my skill', 'denied'],
      ['数据处理', 'denied'],
    ],
  ]);
  expect(diagnostics.map(({ code }) => code)).toEqual(['W018']);
  const typo = makeWorld({ '~/.skillc/config.toml': '[[permissions.deny]]\ntool = "skil_load"\n' });
  await expect(open(typo)).rejects.toMatchObject({ code: 'E110', help: "did you mean 'skill_load'?" });
});

test('skills that are all disabled do not appear, and the reason names the setting', async () => {
  const world = makeWorld({ ...skill(''), '.skillc/config.toml': '[skills]\nenabled = false\n' });
  const session = await open(world);
  const { skills, hidden, diagnostics } = await session.catalog();
  expect([skills, hidden.map(({ reason }) => reason), diagnostics.map(({ code }) => code)]).toEqual([
    [],
    ['denied'],
    ['W111'],
  ]);
  expect((await session.prompt()).text).toBe('');
  expect((await session.search({ query: 'demo' })).results).toEqual([]);
  await expect(session.load({ name: 'demo' })).rejects.toMatchObject({ code: 'E060' });
});

describe('search and suggestions', () => {
  const world = () =>
    makeWorld({
      '.agents/skills/release-notes/SKILL.md': skillText(
        'release-notes',
        '# x\n',
        'Drafts release notes from commits.',
      ),
      '.agents/skills/parcels/SKILL.md': skillText('parcels', '# x\n', 'Sends parcels with customs papers.'),
      '.agents/skills/hidden/SKILL.md':
        '---\nname: hidden\ndescription: Handles zeppelins.\ndisable-model-invocation: true\n---\n',
    });

  test('typos are corrected when the query finds nothing', async () => {
    const session = await open(world());
    const search = async (query: string) => {
      const { results, corrected } = await session.search({ query });
      return [results.map(({ skill: { name } }) => name), corrected];
    };
    expect(await search('relase notess')).toEqual([['release-notes'], 'release notes']);
    expect(await search('cutsoms')).toEqual([['parcels'], 'customs']);
    expect(await search('release')).toEqual([['release-notes'], undefined]);
    expect(await search('zepelins')).toEqual([[], undefined]);
  });

  test('returns as many results as configured', async () => {
    const place = world();
    place.write({ '~/.skillc/config.toml': '[search]\ndefault_limit = 1\nmax_limit = 1\n' });
    const session = await open(place);
    const { count, truncated } = await session.search({ query: 'release parcels', limit: 30 });
    expect([count, truncated]).toEqual([1, true]);
  });

  test('a message suggests skills without triggers, with the matching words', async () => {
    const session = await open(world());
    const suggested = await session.triggers('Could you draft the notes for our next release?');
    expect(suggested.map(({ skill: { name }, reasons }) => [name, reasons])).toEqual([
      [
        'release-notes',
        [
          { kind: 'description', value: 'Drafts', matched: 'draft' },
          { kind: 'description', value: 'notes', matched: 'notes' },
          { kind: 'description', value: 'release', matched: 'release' },
        ],
      ],
    ]);
    expect(suggested[0]!.score).toBe(0.267);
    expect(await session.triggers('Thanks, that looks good.')).toEqual([]);
  });
});

test('a project without trust says how many skills it hides', async () => {
  const world = makeWorld({
    '.agents/skills/one/SKILL.md': skillText('one'),
    '.claude/skills/two/SKILL.md': skillText('two'),
    '~/.agents/skills/mine/SKILL.md': skillText('mine'),
  });
  const of = async (trust: boolean) => {
    const { skills, diagnostics } = await (await open(world, { trust })).catalog();
    return [skills.map(({ name }) => name), diagnostics.map(({ code, message }) => [code, message])];
  };
  expect(await of(false)).toEqual([
    ['mine'],
    [['W020', `2 skills of '${world.project}' hidden: the user has not trusted this project`]],
  ]);
  expect(await of(true)).toEqual([['one', 'two', 'mine'], []]);
  await expect((await open(world, { trust: false })).load({ name: 'one' })).rejects.toMatchObject({
    code: 'E001',
    help: `2 skills of '${world.project}' hidden: the user has not trusted this project; if the user trusts this project, open the session with \`trust: true\``,
  });
});

test('a name that other agents may refuse is reported', async () => {
  const world = makeWorld({
    '.agents/skills/Bad_Name/SKILL.md': skillText('Bad_Name'),
    '.agents/skills/other/SKILL.md': skillText('another'),
    '.agents/skills/good/SKILL.md': skillText('good'),
  });
  const { skills, diagnostics } = await (await open(world)).catalog();
  expect(skills.map(({ name }) => name).sort()).toEqual(['Bad_Name', 'another', 'good']);
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ['W011', "name 'Bad_Name' breaks the rules: lower-case letters, digits and single hyphens, 64 at most"],
    ['W011', "name 'another' is not its directory's name, 'other'"],
  ]);
});
