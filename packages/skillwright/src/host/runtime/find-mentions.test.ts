import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorld, skillText } from '../../../test/make-world.ts';
import { createSession } from './create-session.ts';

function makeMentions(policy: 'ambiguous' | 'precedence' = 'ambiguous') {
  const world = makeWorld({
    ...Object.fromEntries(
      ['deploy', 'deploy-app', 'home', 'path-tool', 'twice'].map((name) => [
        `.agents/skills/${name}/SKILL.md`,
        skillText(name),
      ]),
    ),
    '~/.agents/skills/twice/SKILL.md': skillText('twice'),
    'my skills/spaced/SKILL.md': skillText('spaced'),
    '.agents/skills/spaced': { link: '../../my skills/spaced' },
  });
  const session = createSession({
    cwd: world.project,
    home: world.home,
    trust: true,
    policy,
    discovery: { cache: false },
  });
  const find = async (text: string) => (await session).mentions(text);
  const names = async (text: string) => (await find(text)).map(({ name, problem }) => problem ?? name);
  return { world, find, names };
}

describe('$name', () => {
  test.each([
    ['Please use $deploy now', ['deploy']],
    ['$deploy-app.', ['deploy-app']],
    ['($deploy), "$home"', ['deploy', 'home']],
    ['$Deploy', ['deploy']],
    ['$deploy $deploy $deploy-app', ['deploy', 'deploy-app']],
    ['$deploy:', ['deploy']],
    ['$unknown and $deploy-nothing', []],
    ['$HOME/bin and $PATH', []],
    [`\${deploy} $(deploy) \\$deploy $$deploy a$deploy`, []],
    ['`$deploy` in a line', ['deploy']],
    ['```sh\necho $deploy\n```\n', []],
    ['~~~\r\n$deploy\r\n~~~\r\n$home', ['home']],
    ['```\nnever closed $deploy', []],
    ['', []],
  ])('%j', async (text, names) => {
    expect(await makeMentions().names(text)).toEqual(names);
  });

  test('reports its position and its skill', async () => {
    const { world, find } = makeMentions();
    const path = join(world.project, '.agents/skills/deploy/SKILL.md');
    expect(await find('Use $deploy.')).toEqual([
      {
        text: '$deploy',
        start: 4,
        end: 11,
        name: 'deploy',
        skill: expect.objectContaining({ path }),
        problem: null,
        candidates: [],
      },
    ]);
  });

  test('an ambiguous name lists the candidates, unless precedence decides', async () => {
    const { world, find } = makeMentions();
    const own = join(world.project, '.agents/skills/twice/SKILL.md');
    const candidates = [own, join(world.home, '.agents/skills/twice/SKILL.md')];
    expect(await find('$twice')).toMatchObject([{ skill: null, problem: 'ambiguous', candidates }]);
    const other = makeMentions('precedence');
    expect(await other.find('$twice')).toMatchObject([{ skill: { scope: 'project' }, problem: null }]);
  });
});

describe('[$name](path)', () => {
  test('matches exactly the skill at the path, in any spelling', async () => {
    const { world, find } = makeMentions();
    const user = join(world.home, '.agents/skills/twice/SKILL.md');
    for (const text of [
      `[$twice](${user})`,
      '[$twice](~/.agents/skills/twice/SKILL.md)',
      '[$anything](~/.agents/skills/twice)',
    ])
      expect(await find(`Use ${text}!`), text).toMatchObject([
        { text, start: 4, end: 4 + text.length, name: 'twice', skill: { path: user }, problem: null },
      ]);
    expect(await find('[$spaced](<my skills/spaced/SKILL.md>)')).toMatchObject([
      { name: 'spaced', skill: { dir: join(world.project, 'my skills/spaced') } },
    ]);
  });

  test('does not lead outside the catalog', async () => {
    const { names } = makeMentions();
    expect(await names('[$deploy](/etc/passwd)')).toEqual(['not-in-catalog']);
  });
});

describe('a path', () => {
  test.each([
    ['Use .agents/skills/deploy/SKILL.md now', ['deploy']],
    ['Use ./.agents/skills/deploy.', ['deploy']],
    ['Use ~/.agents/skills/twice and `.agents/skills/home/`', ['twice', 'home']],
    ['See [how we deploy](.agents/skills/deploy/SKILL.md) and [this](https://example.com/a).', ['deploy']],
    ['Use "my skills/spaced/SKILL.md", please', ['spaced']],
    ['src/main.ts, https://example.com/.agents/skills/deploy, and/or, /etc/passwd', []],
    ['[text](/etc/passwd) and [text](missing.md)', []],
    ['```\n.agents/skills/deploy/SKILL.md\n```', []],
    ['.agents/skills/deploy/scripts/run.sh', []],
    ['$deploy at .agents/skills/deploy', ['deploy']],
  ])('%j', async (text, names) => {
    expect(await makeMentions().names(text)).toEqual(names);
  });

  test('reports its position', async () => {
    const { find } = makeMentions();
    expect(await find('Use `.agents/skills/deploy/SKILL.md`.')).toMatchObject([
      { text: '.agents/skills/deploy/SKILL.md', start: 5, end: 35, name: 'deploy', problem: null },
    ]);
  });

  test('absolute, to one of several skills with the same name', async () => {
    const { world, find } = makeMentions();
    const path = join(world.home, '.agents/skills/twice/SKILL.md');
    expect(await find(`Take ${path}, not the other.`)).toMatchObject([{ text: path, skill: { path } }]);
  });
});

test('text that runs into a name is not part of it', async () => {
  const names = ['한국어', '한국어학', 'pdf-forms', '数据处理', '数据'];
  const world = makeWorld(
    Object.fromEntries(names.map((name) => [`.agents/skills/${name}/SKILL.md`, skillText(name)])),
  );
  const session = await createSession({
    cwd: world.project,
    home: world.home,
    trust: true,
    discovery: { cache: false },
  });
  const find = async (text: string) => (await session.mentions(text)).map(({ text: written }) => written);
  expect(await find('$한국어를 써 줘')).toEqual(['$한국어']);
  expect(await find('$한국어에서는 어때?')).toEqual(['$한국어']);
  expect(await find('$한국어학원을 찾아 줘')).toEqual([]);
  expect(await find('$한국어학을 읽어')).toEqual(['$한국어학']);
  expect(await find('$pdf-forms를 쓰고, $数据处理帮我')).toEqual(['$pdf-forms', '$数据处理']);
  expect(await find('$pdf-formsを使って')).toEqual(['$pdf-forms']);
  expect(await find('$pdf-formsx')).toEqual([]);
});

test.each(['[', '$이', '"/', 'a/', './', 'a+', '[a](', '`'])(
  'a long message of %j is read soon',
  async (part) => {
    expect((await makeMentions().find(part.repeat(300_000))).length).toBe(0);
  },
);
