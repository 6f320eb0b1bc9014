import { describe, expect, test } from 'vitest';
import { digestOf, type LockedSkill, renderLock } from './lock.ts';
import { mergeLocks, type Side, type Sides, splitSides } from './merge-locks.ts';

const files = (digit: string) => ({ 'SKILL.md': `sha256:${digit.repeat(64)}` });
const entry: LockedSkill = {
  source: 'https://example.com/skills.git',
  path: 'skills/demo',
  resolution: { commit: '0'.repeat(40) },
  pinned: false,
  digest: digestOf(files('a')),
  files: files('a'),
  executable: [],
  edits: {},
  targets: [{ agent: 'claude', method: 'link' }],
  accepted: [],
  installed_at: '2026-01-01T00:00:00.000Z',
};
const later = '2026-02-02T00:00:00.000Z';
const accepted = {
  finding: '0123456789ab',
  rule: 'SCN201',
  file: 'SKILL.md',
  digest: `sha256:${'a'.repeat(64)}`,
  by: 'Ada',
  reason: 'our own server',
  at: later,
};

/** One skill in the states that two branches can leave it in. */
const states = {
  none: undefined,
  old: entry,
  /** Other content. */
  changed: { ...entry, digest: digestOf(files('b')), files: files('b'), installed_at: later },
  changedOtherwise: { ...entry, digest: digestOf(files('c')), files: files('c'), installed_at: later },
  /** The same content, installed later. */
  later: { ...entry, installed_at: later },
  /** The same content for another agent, alone or as well. */
  forCursor: { ...entry, targets: [{ agent: 'cursor', method: 'copy' }], installed_at: later },
  forBoth: {
    ...entry,
    targets: [
      { agent: 'claude', method: 'link' },
      { agent: 'cursor', method: 'copy' },
    ],
    installed_at: later,
  },
  /** The same content for the same agent, by the other method. */
  copied: { ...entry, targets: [{ agent: 'claude', method: 'copy' }], installed_at: later },
  copiedForBoth: {
    ...entry,
    targets: [
      { agent: 'claude', method: 'copy' },
      { agent: 'cursor', method: 'copy' },
    ],
    installed_at: later,
  },
  pinned: { ...entry, pinned: true, installed_at: later },
  accepted: { ...entry, accepted: [accepted], installed_at: later },
} as const satisfies Record<string, LockedSkill | undefined>;

type State = keyof typeof states;

const lockText = (state: State): string => {
  const skill = states[state];
  return renderLock({ skills: skill === undefined ? {} : { demo: skill } });
};

/** The state after the merge, and how it came about: from both sides alike, from one, joined, or not at all. */
type Outcome = [state: State, how: 'alike' | Side | 'joined' | 'conflict'];

function merged(sides: Sides, take?: Side): Outcome {
  const { lock, taken, joined, conflicts } = mergeLocks(sides, { path: 'lock.json', take });
  const state = (Object.keys(states) as State[]).find((name) => lockText(name) === renderLock(lock));
  const how = { ours: taken.ours, theirs: taken.theirs, joined, conflict: conflicts.map(({ name }) => name) };
  const [word = 'alike', ...more] = Object.entries(how).flatMap(([key, names]) => names.map(() => key));
  expect(more).toEqual([]);
  return [state!, word as Outcome[1]];
}

describe('both sides of a lock', () => {
  test.each<[base: State | 'unknown', ours: State, theirs: State, outcome: Outcome]>([
    // Equal sides.
    ['unknown', 'old', 'old', ['old', 'alike']],
    ['old', 'changed', 'changed', ['changed', 'alike']],
    ['none', 'changed', 'changed', ['changed', 'alike']],
    // One side changed it.
    ['old', 'changed', 'old', ['changed', 'ours']],
    ['old', 'old', 'changed', ['changed', 'theirs']],
    ['old', 'none', 'old', ['none', 'ours']],
    ['old', 'old', 'none', ['none', 'theirs']],
    ['none', 'changed', 'none', ['changed', 'ours']],
    ['none', 'none', 'changed', ['changed', 'theirs']],
    ['old', 'copied', 'old', ['copied', 'ours']],
    ['old', 'old', 'copied', ['copied', 'theirs']],
    // Without a base, a side that has no entry did not touch it.
    ['unknown', 'changed', 'none', ['changed', 'ours']],
    ['unknown', 'none', 'changed', ['changed', 'theirs']],
    // Both changed it to the same content: for the agents of both, at the later time.
    ['unknown', 'old', 'later', ['later', 'joined']],
    ['unknown', 'later', 'old', ['later', 'joined']],
    ['none', 'old', 'forCursor', ['forBoth', 'joined']],
    ['none', 'forCursor', 'old', ['forBoth', 'joined']],
    ['changed', 'forCursor', 'old', ['forBoth', 'joined']],
    ['unknown', 'old', 'forBoth', ['forBoth', 'joined']],
    ['unknown', 'forBoth', 'old', ['forBoth', 'joined']],
    // Both place it for the same agent, differently.
    ['unknown', 'old', 'copied', ['none', 'conflict']],
    ['unknown', 'copied', 'old', ['none', 'conflict']],
    ['none', 'old', 'copiedForBoth', ['none', 'conflict']],
    ['none', 'copiedForBoth', 'old', ['none', 'conflict']],
    ['changed', 'forBoth', 'copied', ['none', 'conflict']],
    // Both changed it in other ways.
    ['old', 'changed', 'changedOtherwise', ['none', 'conflict']],
    ['unknown', 'old', 'changed', ['none', 'conflict']],
    ['unknown', 'later', 'changed', ['none', 'conflict']],
    ['unknown', 'old', 'pinned', ['none', 'conflict']],
    ['unknown', 'old', 'accepted', ['none', 'conflict']],
    ['old', 'none', 'changed', ['none', 'conflict']],
    ['old', 'changed', 'none', ['none', 'conflict']],
  ])('base %s, ours %s, theirs %s: %j', (base, ours, theirs, outcome) => {
    const sides = {
      ours: lockText(ours),
      theirs: lockText(theirs),
      base: base === 'unknown' ? undefined : lockText(base),
    };
    expect(merged(sides)).toEqual(outcome);
    // A side is taken only where the two cannot be merged.
    const isConflict = outcome[1] === 'conflict';
    expect(merged(sides, 'ours')).toEqual(isConflict ? [ours, 'ours'] : outcome);
    expect(merged(sides, 'theirs')).toEqual(isConflict ? [theirs, 'theirs'] : outcome);
  });

  test('each skill is merged by itself, in the order of names', () => {
    const base = renderLock({ skills: { zeta: states.old, beta: states.old } });
    const ours = renderLock({ skills: { zeta: states.old, beta: states.changed, alpha: states.old } });
    const theirs = renderLock({
      skills: {
        zeta: states.changed,
        beta: states.changedOtherwise,
        alpha: states.forCursor,
        aardvark: states.old,
      },
    });
    const result = mergeLocks({ ours, theirs, base }, { path: 'lock.json' });
    expect(result).toEqual({
      lock: { skills: { aardvark: states.old, alpha: states.forBoth, zeta: states.changed } },
      taken: { ours: [], theirs: ['aardvark', 'zeta'] },
      joined: ['alpha'],
      conflicts: [{ name: 'beta', ours: states.changed, theirs: states.changedOtherwise }],
    });
    expect(Object.keys(result.lock.skills)).toEqual(['aardvark', 'alpha', 'zeta']);
  });

  test('a base that is not a lock counts as unknown; a side that is not one is an error', () => {
    const [ours, theirs] = [lockText('old'), lockText('changed')];
    expect(merged({ ours, theirs, base: '{' })).toEqual(['none', 'conflict']);
    for (const sides of [
      { ours: '{', theirs, base: undefined },
      { ours, theirs: '{', base: undefined },
    ])
      expect(() => mergeLocks(sides, { path: 'lock.json' })).toThrow(
        expect.objectContaining({ code: 'E211', message: "lock file unusable: 'lock.json': it is not JSON" }),
      );
  });
});

describe('conflict markers', () => {
  const lines = (...all: string[]) => all.join('\n');
  const [open, middle, close, ancestor] = ['<<<<<<< HEAD', '=======', '>>>>>>> topic', '||||||| 1a2b3c'];

  test.each<[string, string, Sides | undefined]>([
    ['none', lines('a', 'b'), undefined],
    [
      'two sides',
      lines('a', open, 'b', middle, 'c', close, 'd'),
      { ours: lines('a', 'b', 'd'), theirs: lines('a', 'c', 'd'), base: undefined },
    ],
    [
      'two sides and the base',
      lines('a', open, 'b', ancestor, 'x', middle, 'c', close, 'd'),
      { ours: lines('a', 'b', 'd'), theirs: lines('a', 'c', 'd'), base: lines('a', 'x', 'd') },
    ],
    ['empty sides', lines('a', open, middle, close), { ours: 'a', theirs: 'a', base: undefined }],
    [
      'two conflicts with a base each',
      lines(open, 'a', ancestor, 'x', middle, 'b', close, open, 'c', ancestor, 'y', middle, 'd', close),
      { ours: lines('a', 'c'), theirs: lines('b', 'd'), base: lines('x', 'y') },
    ],
    [
      'a base in the first conflict only',
      lines(open, 'a', ancestor, 'x', middle, 'b', close, open, 'c', middle, 'd', close),
      { ours: lines('a', 'c'), theirs: lines('b', 'd'), base: undefined },
    ],
    [
      'a base in the second conflict only',
      lines(open, 'a', middle, 'b', close, open, 'c', ancestor, 'y', middle, 'd', close),
      { ours: lines('a', 'c'), theirs: lines('b', 'd'), base: undefined },
    ],
    [
      'without labels, with CRLF',
      '<<<<<<<\r\na\r\n=======\r\nb\r\n>>>>>>>\r\n',
      { ours: 'a\r\n', theirs: 'b\r\n', base: undefined },
    ],
    [
      'lines that only look like markers',
      lines(open, '<<<<<<<x', ' =======', '========', middle, '>>>>>>>>', close),
      { ours: lines('<<<<<<<x', ' =======', '========'), theirs: '>>>>>>>>', base: undefined },
    ],
    ['one in another', lines(open, 'a', open, 'b', middle, 'c', close), undefined],
    ['an end without a start', lines('a', close), undefined],
    ['a middle without a start', lines('a', middle, 'b'), undefined],
    ['a base without a start', lines('a', ancestor, 'b'), undefined],
    ['a start without an end', lines(open, 'a', middle, 'b'), undefined],
    ['a start alone', lines(open, 'a'), undefined],
    ['no middle', lines(open, 'a', close), undefined],
    ['no middle after the base', lines(open, 'a', ancestor, 'x', close), undefined],
    ['two middles', lines(open, 'a', middle, 'b', middle, 'c', close), undefined],
    ['two bases', lines(open, 'a', ancestor, 'x', ancestor, 'y', middle, 'b', close), undefined],
    ['the base after the middle', lines(open, 'a', middle, 'b', ancestor, 'x', close), undefined],
  ])('%s', (_, text, sides) => {
    expect(splitSides(text)).toEqual(sides);
  });
});
