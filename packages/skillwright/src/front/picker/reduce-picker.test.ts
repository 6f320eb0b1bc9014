import { describe, expect, test } from 'vitest';
import { fakePicker, fakeSkill, fakeStanding, typeKeys } from '../../../test/picker-fixture.ts';
import { selectedSkill } from './picker-state.ts';
import { reducePicker } from './reduce-picker.ts';

const UP = '\u001b[A';
const DOWN = '\u001b[B';
const PAGE_UP = '\u001b[5~';
const PAGE_DOWN = '\u001b[6~';
const FIRST = '\u001b[1;5H';
const LAST = '\u001b[1;5F';
const F1 = '\u001bOP';

const skills = [
  fakeSkill('alpha'),
  fakeSkill('beta', { enabled: false }),
  fakeSkill('gamma', { scope: 'user' }),
  fakeSkill('alphabet', { scope: 'user' }),
];
const [alpha, beta] = skills as [(typeof skills)[0], (typeof skills)[0]];
const many = Array.from({ length: 50 }, (_, index) => fakeSkill(`s${index}`));

const nameAfter = (typed: string, of = skills) => selectedSkill(typeKeys(fakePicker(of), typed).state)?.name;

describe('moving', () => {
  test.each([
    ['', 'alpha'],
    [DOWN, 'beta'],
    [DOWN + DOWN + UP, 'beta'],
    [UP, 'alpha'],
    [DOWN.repeat(9), 'alphabet'],
    [LAST, 'alphabet'],
    [LAST + FIRST, 'alpha'],
    ['\u000e\u000e\u0010', 'beta'],
  ])('%j', (typed, name) => {
    expect(nameAfter(typed)).toBe(name);
  });

  // 24 rows hold a list of 20.
  test.each([
    [PAGE_DOWN, 20, 1],
    [PAGE_DOWN + PAGE_DOWN, 40, 21],
    [PAGE_DOWN.repeat(5), 49, 30],
    [PAGE_DOWN.repeat(5) + PAGE_UP, 29, 29],
    [LAST + UP, 48, 30],
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
    expect(nameAfter(`${LAST}\t`)).toBe('alpha');
  });

  test('starts with the query given', () => {
    const state = fakePicker(skills, { query: ' al ', scope: 'user' });
    expect([state.query, state.isTyping, state.matches.map(({ name }) => name)]).toEqual([
      'al',
      true,
      ['alphabet'],
    ]);
  });
});

describe('switching', () => {
  const off = { kind: 'switch', skill: alpha, enabled: false, scope: 'all' };

  test.each([
    ['nothing is typed', ' ', off],
    ['the list has the focus', `al${DOWN}${UP} `, off],
    ['it is Ctrl-T', 'al\u0014', off],
    ['it is off', `${DOWN} `, { kind: 'switch', skill: beta, enabled: true, scope: 'all' }],
    ['a scope is shown', '\t ', { ...off, scope: 'project' }],
    ['the query was deleted', 'a\u007f ', off],
  ])('when %s', (_, typed, effect) => {
    expect(typeKeys(fakePicker(skills), typed).effect).toEqual(effect);
  });

  test('a space in a query is a space', () => {
    const step = typeKeys(fakePicker(skills), 'al pha ');
    expect([step.state.query, step.effect]).toEqual(['al pha ', undefined]);
  });

  test('applies only to the skill under the cursor, and is reported until the next key', () => {
    const twins = [fakeSkill('twin'), fakeSkill('twin', { scope: 'user' })];
    const notice = { text: 'twin is off', isError: false };
    const standing = fakeStanding([twins[1]!]);
    const { state } = reducePicker(fakePicker(twins), { kind: 'switched', standing, notice });
    expect([twins.map(state.standing.isOn), state.notice]).toEqual([[true, false], notice]);
    expect(typeKeys(state, `${DOWN} `).effect).toMatchObject({ skill: twins[1], enabled: true });
    expect(typeKeys(state, DOWN).state.notice).toBeUndefined();
    expect(typeKeys(state, 'x').state.notice).toBeUndefined();
  });

  test('a failure is reported', () => {
    const { state } = reducePicker(fakePicker(skills), { kind: 'failed', text: 'no' });
    expect(state.notice).toEqual({ text: 'no', isError: true });
  });
});

describe('help', () => {
  test.each([
    ['F1 opens it', F1, true],
    ['? too', '?', true],
    ['? in a query is text', 'a?', false],
    ['another key closes it', `${F1} `, false],
    ['text closes it', `${F1}x`, false],
  ])('%s', (_, typed, hasHelp) => {
    const { state, effect } = typeKeys(fakePicker(skills), typed);
    expect([state.hasHelp, effect]).toEqual([hasHelp, undefined]);
  });

  test('the key that closes it does nothing else', () => {
    const { state } = typeKeys(fakePicker(skills), `${F1}x`);
    expect(state.query).toBe('');
    expect(typeKeys(fakePicker(skills), `${F1}\u0003`).effect).toEqual({
      kind: 'leave',
      picked: { kind: 'left' },
    });
  });
});

describe('the end', () => {
  test.each([
    ['\r', { kind: 'picked', skill: alpha, as: 'mention' }],
    [`${DOWN}\r`, { kind: 'picked', skill: beta, as: 'mention' }],
    ['\u000f', { kind: 'picked', skill: alpha, as: 'path' }],
    ['\u001b\r', { kind: 'picked', skill: alpha, as: 'path' }],
    ['zzz\r', { kind: 'unmatched', query: 'zzz' }],
    ['\u0003', { kind: 'left' }],
    ['al\u0003', { kind: 'left' }],
    ['\u0004', { kind: 'left' }],
  ])('%j', (typed, picked) => {
    expect(typeKeys(fakePicker(skills), typed).effect).toEqual({ kind: 'leave', picked });
  });

  test.each(['\u0014', ' ', DOWN, LAST])('%j on an empty list does nothing', (key) => {
    const step = typeKeys(fakePicker([]), key);
    expect([step.effect, step.state.selected]).toEqual([undefined, 0]);
  });

  test('Enter on an empty list to choose from does nothing', () => {
    const choosing = { question: 'Which?', factsOf: () => [] };
    expect(typeKeys(fakePicker([], { choosing }), '\r').effect).toBeUndefined();
  });

  test('Ctrl-Z suspends', () => {
    expect(typeKeys(fakePicker(skills), '\u001a').effect).toEqual({ kind: 'suspend' });
  });
});
