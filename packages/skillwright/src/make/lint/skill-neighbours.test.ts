import { describe, expect, test } from 'vitest';
import { SkillNeighbours } from './skill-neighbours.ts';

const at = (path: string, name: string, description: string) => ({
  identity: `/${path}`,
  path,
  name,
  description,
});
const text = 'Draws pictures of systems and processes. Use when a picture says more than many words.';

test('every later skill finds the first of its kind, and repeated lookups agree', () => {
  const set = new SkillNeighbours();
  expect(set.meet(at('a', 'one', text))).toBeUndefined();
  expect(set.meet(at('b', 'two', text))).toEqual({ kind: 'description', other: { path: 'a', name: 'one' } });
  expect(set.meet(at('c', 'ONE', 'Other.'))).toEqual({ kind: 'name', other: { path: 'a', name: 'one' } });
  expect(set.meet(at('a', 'one', text))).toBeUndefined();
  expect(set.meet(at('b', 'two', text))).toEqual({ kind: 'description', other: { path: 'a', name: 'one' } });
});

test('a skill found by two paths is not its own neighbour', () => {
  const set = new SkillNeighbours();
  set.meet({ ...at('a', 'one', text), identity: '/real' });
  expect(set.meet({ ...at('link', 'one', text), identity: '/real' })).toBeUndefined();
});

test('differences in order, case and punctuation count', () => {
  const set = new SkillNeighbours();
  set.meet(at('a', 'one', text));
  expect(set.meet(at('b', 'two', text.toUpperCase().replaceAll('.', '!')))?.kind).toBe('description');
  expect(set.meet(at('c', 'three', text.split(' ').reverse().join(' ')))).toBeUndefined();
  expect(
    set.meet(at('d', 'four', `${text} ${text.replaceAll('picture', 'sculpture')} More, and more of it.`)),
  ).toBeUndefined();
});

describe('hostile sets', () => {
  test('thousands of equal descriptions are all found', () => {
    const set = new SkillNeighbours();
    const found = Array.from({ length: 20_000 }, (_, index) =>
      set.meet(at(`p${index}`, `name-${index}`, text)),
    );
    expect(found.filter((likeness) => likeness?.kind === 'description')).toHaveLength(19_999);
  });

  test('thousands of descriptions that differ in one word', () => {
    const set = new SkillNeighbours();
    const word = (index: number) => `${index.toString(36)}x`;
    const found = Array.from({ length: 20_000 }, (_, index) =>
      set.meet(at(`p${index}`, `skill-${word(index)}`, `${text} For ${word(index)}.`)),
    );
    expect(found.filter((likeness) => likeness !== undefined)).toEqual([]);
  });

  test('endless descriptions, and empty ones', () => {
    const set = new SkillNeighbours();
    expect(set.meet(at('a', 'one', 'word '.repeat(1_000_000)))).toBeUndefined();
    expect(set.meet(at('b', 'two', '!'.repeat(1_000_000)))).toBeUndefined();
    expect(set.meet(at('c', '', ''))).toBeUndefined();
    expect(set.meet(at('d', '__proto__', '\u0000\ud800'))).toBeUndefined();
    expect(set.meet(at('e', 'constructor', ''))).toBeUndefined();
  });
});
