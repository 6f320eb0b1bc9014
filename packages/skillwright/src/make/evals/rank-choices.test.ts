import { expect, test } from 'vitest';
import { CHOSEN, createChoiceRanker } from './rank-choices.ts';

/** The skill that is chosen, and the words for it. */
function choose(skills: Readonly<Record<string, string>>, request: string) {
  const { rank } = createChoiceRanker(
    Object.entries(skills).map(([name, description]) => ({ name, description })),
  );
  const [first] = rank(request);
  return first === undefined || first.score < CHOSEN
    ? null
    : [first.skill.name, ...first.words.map(({ word }) => word)];
}

const kitchen = {
  sourdough: 'Bakes sourdough bread. Use when the user asks about starters, baking or crumb.',
  brainstorm:
    'Explores ideas before building. Use when the user has an idea or wants to think something through.',
  commit: 'Writes git commit messages. Do not use for code review or pull requests.',
};

test.each<[string, Readonly<Record<string, string>>, string, string[] | null]>([
  ['a word of the description', kitchen, 'bake a loaf of bread', ['sourdough', 'bake', 'bread']],
  ['half of a compound says little', kitchen, 'my half-baked startup pitch needs work', null],
  [
    'and loses against words for another',
    kitchen,
    'I have a half-baked idea, help me think it through',
    ['brainstorm', 'idea', 'think'],
  ],
  ['words of every description say nothing', kitchen, 'when the user asks, use the skill', null],
  ['when not to use it', kitchen, 'review my pull request', null],
  [
    'one word of a long request is not enough',
    kitchen,
    'plot the monthly revenue of our crumb subsidiary next to that of last year in one chart',
    null,
  ],
  [
    'Chinese words',
    { weather: '查询天气预报和气温。', travel: '旅行路线规划。' },
    '明天北京的天气怎么样',
    ['weather', '天气'],
  ],
  [
    'Chinese words in any order',
    { weather: '查询天气预报和气温。', travel: '旅行路线规划。' },
    '帮我规划一条去北京的旅行路线',
    ['travel', '规划', '旅行', '路线'],
  ],
  ['other Chinese words', { weather: '查询天气预报和气温。' }, '把这段话翻译成英文', null],
  [
    'Japanese words',
    { sql: 'データベース設計を手伝う。テーブル設計の相談に使う。' },
    'テーブルの設計をレビューしてください',
    ['sql', 'テーブル', '設計'],
  ],
  [
    'Japanese grammar says nothing',
    { sql: 'データベース設計を手伝う。' },
    '今夜の料理を考えてください',
    null,
  ],
  [
    'Korean words with particles',
    { ui: '화면과 컴포넌트를 만든다. 버튼 작업에 쓴다.' },
    '로그인 화면에 버튼을 넣어줘',
    ['ui', '화면에', '버튼을'],
  ],
])('%s', (_, skills, request, expected) => {
  expect(choose(skills, request)).toEqual(expected);
});
