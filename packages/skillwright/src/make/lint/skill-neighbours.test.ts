import { describe, expect, test } from 'vitest';
import { type Neighbour, SkillNeighbours, wordsAmong } from './skill-neighbours.ts';

const at = (path: string, name: string, description: string): Neighbour => ({
  identity: `/${path}`,
  path,
  name,
  description,
});
const text = 'Draws pictures of systems and processes. Use when a picture says more than many words.';

/** The likeness of each linted skill: identity, kind, path of the other. */
function compare(linted: readonly Neighbour[], visible: readonly Neighbour[] = []): string[] {
  const set = new SkillNeighbours();
  for (const skill of linted) set.add(skill);
  for (const skill of visible) set.addVisible(skill);
  return [...set.compare()].map(([identity, { kind, other }]) => `${identity} ${kind} ${other.path}`).sort();
}

test('every later skill is like the first of its kind', () => {
  expect(
    compare([at('a', 'one', text), at('b', 'two', text), at('c', 'ONE', 'Other.'), at('d', 'three', text)]),
  ).toEqual(['/b description a', '/c name a', '/d description a']);
});

test('a skill found by two paths is not its own neighbour', () => {
  expect(compare([at('a', 'one', text), { ...at('link', 'one', text), identity: '/a' }])).toEqual([]);
});

test('telling words count, in any order and form', () => {
  expect(
    compare([
      at('a', 'one', text),
      at('b', 'two', 'USE FOR A PICTURE: draw systems, process words!'),
      at('c', 'three', 'Draws walls. Use when a wall says more than many words.'),
    ]),
  ).toEqual(['/b description a']);
});

test('the most similar skill is named', () => {
  expect(
    compare([at('a', 'one', `${text} Of gardens and fences.`), at('b', 'two', text), at('c', 'three', text)]),
  ).toEqual(['/b description a', '/c description b']);
});

describe('skills that are not linted', () => {
  test('a linted skill is like them, and they are never reported', () => {
    expect(compare([at('a', 'one', text)], [at('b', 'two', text), at('c', 'three', text)])).toEqual([
      '/a description b',
    ]);
  });

  test('a linted skill, a copy and another version of it are left out', () => {
    expect(compare([at('a', 'one', text)], [at('a', 'one', text), at('b', 'One', `${text} Still.`)])).toEqual(
      [],
    );
  });

  test('one text for two products', () => {
    expect(compare([at('a', 'jira', `${text} For Jira.`)], [at('b', 'asana', `${text} For Asana.`)])).toEqual(
      [],
    );
  });
});

test('shared words are quoted as written', () => {
  const set = new SkillNeighbours();
  set.add(at('a', 'one', text));
  set.addVisible(at('b', 'two', 'Draw a system, a process: pictures, not words.'));
  expect(wordsAmong(text, set.compare().get('/a')!.shared)).toEqual([
    'Draws',
    'pictures',
    'systems',
    'processes',
    'words',
  ]);
});

describe('hostile sets', () => {
  test('thousands of equal descriptions are all found', () => {
    const skills = Array.from({ length: 20_000 }, (_, index) => at(`p${index}`, `name-${index}`, text));
    expect(compare(skills)).toHaveLength(19_999);
  });

  test('thousands of descriptions that differ in one word', () => {
    const word = (index: number) => `${index.toString(36)}x`;
    const skills = Array.from({ length: 20_000 }, (_, index) =>
      at(`p${index}`, `skill-${word(index)}`, `${text} For ${word(index)}.`),
    );
    expect(compare(skills)).toEqual([]);
  });

  test('endless descriptions, and empty ones', () => {
    expect(
      compare([
        at('a', 'one', 'word '.repeat(1_000_000)),
        at('b', 'two', '!'.repeat(1_000_000)),
        at('c', '', ''),
        at('d', '__proto__', '\u0000\ud800'),
        at('e', 'constructor', ''),
      ]),
    ).toEqual([]);
  });
});
