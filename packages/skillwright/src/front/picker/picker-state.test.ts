import { describe, expect, test } from 'vitest';
import { fakePicker, fakeSkill, typeKeys } from '../../../test/picker-fixture.ts';
import { isEnabled, reducePicker, selectedSkill } from './picker-state.ts';

const UP = '\u001b[A';
const DOWN = '\u001b[B';
const PAGE_UP = '\u001b[5~';
const PAGE_DOWN = '\u001b[6~';
const HOME = '\u001b[H';
const END = '\u001b[F';

const skills = [
  fakeSkill('alpha'),
  fakeSkill('beta', { enabled: false }),
  fakeSkill('gamma', { scope: 'user' }),
  fakeSkill('alphabet', { scope: 'user' }),
];
const many = Array.from({ length: 50 }, (_, index) => fakeSkill(`s${index}`));

const nameAfter = (typed: string, of = skills) => selectedSkill(typeKeys(fakePicker(of), typed).state)?.name;

describe('moving', () => {
  test.each([
    ['', 'alpha'],
    [DOWN, 'beta'],
    [DOWN + DOWN + UP, 'beta'],
    [UP, 'alpha'],
    [DOWN.repeat(9), 'alphabet'],
    [END, 'alphabet'],
    [END + HOME, 'alpha'],
    ['\u000e\u000e\u0010', 'beta'],
  ])('%j', (typed, name) => {
    expect(nameAfter(typed)).toBe(name);
  });

  // 24 rows are a list of 20.
  test.each([
    [PAGE_DOWN, 20, 1],
    [PAGE_DOWN + PAGE_DOWN, 40, 21],
    [PAGE_DOWN.repeat(5), 49, 30],
    [PAGE_DOWN.repeat(5) + PAGE_UP, 29, 29],
    [END + UP, 48, 30],
    [DOWN.repeat(19), 19, 0],
    [DOWN.repeat(20), 20, 1],
    [DOWN.repeat(20) + UP.repeat(5), 15, 1],
    [DOWN.repeat(20) + UP.repeat(20), 0, 0],
  ])('%j among many', (typed, selected, top) => {
    expect(typeKeys(fakePicker(many), typed).state).toMatchObject({ selected, top });
  });

  test('a smaller screen keeps the selected skill in view', () => {
    const { state } = typeKeys(fakePicker(many), DOWN.repeat(15));
    const small = reducePicker(state, { kind: 'resized', size: { columns: 80, rows: 8 } }).state;
    expect(small).toMatchObject({ selected: 15, top: 11 });
    expect(reducePicker(small, { kind: 'resized', size: { columns: 80, rows: 24 } }).state).toMatchObject({
      selected: 15,
      top: 11,
    });
    const huge = reducePicker(small, { kind: 'resized', size: { columns: 80, rows: 80 } }).state;
    expect(huge.top).toBe(0);
  });
});

describe('searching', () => {
  test.each([
    ['al', 'al', ['alpha', 'alphabet']],
    ['alp\u007f\u007f', 'a', ['alpha', 'beta', 'gamma', 'alphabet']],
    ['beta x', 'beta x', []],
    ['beta x\u0017', 'beta ', ['beta']],
    ['beta\u0015', '', ['alpha', 'beta', 'gamma', 'alphabet']],
    ['\u007f', '', ['alpha', 'beta', 'gamma', 'alphabet']],
    ['\u001b[200~\n be\tta\u0000\u001b[201~', 'be ta ', []],
    ['e\u0301\u007f', '', ['alpha', 'beta', 'gamma', 'alphabet']],
    ['al\t\t', 'al', ['alphabet']],
    ['\t', '', ['alpha', 'beta']],
    ['\t\t\t', '', []],
    ['\t\t\t\t', '', ['alpha', 'beta', 'gamma', 'alphabet']],
    ['\u001b[Z\u001b[Z', '', ['gamma', 'alphabet']],
  ])('%j', (typed, query, names) => {
    const { state } = typeKeys(fakePicker(skills), typed);
    expect([state.query, state.matches.map(({ name }) => name)]).toEqual([query, names]);
  });

  test('goes back to the best match', () => {
    expect(nameAfter(`${DOWN}${DOWN}a`)).toBe('alpha');
    expect(nameAfter(`${END}\t`)).toBe('alpha');
  });

  test('a query has an end', () => {
    expect(typeKeys(fakePicker(skills), `\u001b[200~${'😀'.repeat(500)}\u001b[201~`).state.query).toBe(
      '😀'.repeat(100),
    );
  });

  test('starts with what was asked for', () => {
    const state = fakePicker(skills, { query: ' al ', scope: 'user' });
    expect([state.query, state.isTyping, state.matches.map(({ name }) => name)]).toEqual([
      'al',
      true,
      ['alphabet'],
    ]);
  });
});

describe('switching', () => {
  const off = { kind: 'switch', name: 'alpha', enabled: false };

  test.each([
    ['nothing is typed', ' ', off],
    ['the list has the keys', `al${DOWN}${UP} `, off],
    ['it is Ctrl-T', 'al\u0014', off],
    ['it is off', `${DOWN} `, { kind: 'switch', name: 'beta', enabled: true }],
    ['the query was taken back', 'a\u007f ', off],
  ])('when %s', (_, typed, effect) => {
    expect(typeKeys(fakePicker(skills), typed).effect).toEqual(effect);
  });

  test('a space in a query is a space', () => {
    const step = typeKeys(fakePicker(skills), 'al pha ');
    expect([step.state.query, step.effect]).toEqual(['al pha ', undefined]);
  });

  test('holds for every skill of the name, and is told until the next key', () => {
    const twins = [fakeSkill('Twin'), fakeSkill('twin', { scope: 'user' })];
    const notice = { text: 'Twin is off', isError: false };
    const event = { kind: 'switched', name: 'Twin', enabled: false, notice } as const;
    const { state } = reducePicker(fakePicker(twins), event);
    expect([twins.map((skill) => isEnabled(state, skill)), state.notice]).toEqual([[false, false], notice]);
    expect(typeKeys(state, ' ').effect).toEqual({ kind: 'switch', name: 'Twin', enabled: true });
    expect(typeKeys(state, DOWN).state.notice).toBeUndefined();
    expect(typeKeys(state, 'x').state.notice).toBeUndefined();
  });

  test('a failure is told', () => {
    const { state } = reducePicker(fakePicker(skills), { kind: 'failed', text: 'no' });
    expect(state.notice).toEqual({ text: 'no', isError: true });
  });
});

describe('the end', () => {
  test.each([
    ['\r', '$alpha'],
    [`${DOWN}\r`, '$beta'],
    ['\u000f', '/project/alpha/SKILL.md'],
    ['\u001b\r', '/project/alpha/SKILL.md'],
    ['\u0003', ''],
    ['al\u0003', ''],
  ])('%j prints %j', (typed, print) => {
    expect(typeKeys(fakePicker(skills), typed).effect).toEqual({ kind: 'leave', print });
  });

  test.each(['\r', '\u000f', '\u0014', ' ', DOWN, END])('%j on an empty list does nothing', (key) => {
    const step = typeKeys(fakePicker([]), key);
    expect([step.effect, step.state.selected]).toEqual([undefined, 0]);
  });
});
