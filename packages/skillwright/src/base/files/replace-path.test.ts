import { lstatSync, readlinkSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { listTree } from '../../../test/make-world.ts';
import { changeTogether, movePath, type Replacement, replacePath, restorePath } from './replace-path.ts';

const before = { skill: '/', 'skill/a.md': 'old', work: '/', 'work/new': '/', 'work/new/a.md': 'new' };
const after = { skill: '/', 'skill/a.md': 'new', work: '/', 'work/old': '/', 'work/old/a.md': 'old' };

function makePlace() {
  const root = makeDirectory({ 'skill/a.md': 'old', 'work/new/a.md': 'new' });
  const replacement: Replacement = {
    path: join(root, 'skill'),
    staged: join(root, 'work/new'),
    aside: join(root, 'work/old'),
  };
  const steps: string[] = [];
  const options = { step: (move: string) => void steps.push(move) };
  return { root, replacement, steps, options };
}

class Killed extends Error {}

describe('a replacement', () => {
  test('puts the new content in place and the old one aside; repeated, it does nothing', () => {
    const { root, replacement, steps, options } = makePlace();
    replacePath(replacement, options);
    expect(listTree(root)).toEqual(after);
    replacePath(replacement, options);
    expect({ tree: listTree(root), steps }).toEqual({ tree: after, steps: ['aside', 'place'] });
  });

  test.each(['aside', 'place'])('killed at "%s", it is carried out or taken back', (at) => {
    for (const finish of [replacePath, restorePath]) {
      const { root, replacement } = makePlace();
      const step = (move: string) => {
        if (move === at) throw new Killed();
      };
      expect(() => replacePath(replacement, { step })).toThrow(Killed);
      finish(replacement);
      const { work, 'work/new': _, 'work/new/a.md': __, ...old } = before;
      expect(listTree(root)).toEqual(finish === replacePath ? after : { ...old, work });
    }
  });

  test('is taken back, at once and after being killed in between', () => {
    for (const at of ['', 'unplace', 'return']) {
      const { root, replacement } = makePlace();
      replacePath(replacement);
      const step = (move: string) => {
        if (move === at) throw new Killed();
      };
      if (at !== '') expect(() => restorePath(replacement, { step })).toThrow(Killed);
      restorePath(replacement);
      expect(listTree(root)).toEqual({ skill: '/', 'skill/a.md': 'old', work: '/' });
    }
  });

  test('keeps content that would be lost where the caller says', () => {
    const { root, replacement } = makePlace();
    replacePath(replacement);
    restorePath(replacement, { rescue: () => join(root, 'kept') });
    expect(listTree(root)).toEqual({
      ...{ kept: '/', 'kept/a.md': 'new', skill: '/', 'skill/a.md': 'old', work: '/' },
    });
  });

  test('of nothing, and by nothing', () => {
    const root = makeDirectory({ old: 'old', new: 'new' });
    replacePath({ path: join(root, 'there'), staged: join(root, 'new') });
    replacePath({ path: join(root, 'old'), aside: join(root, 'gone') });
    expect(listTree(root)).toEqual({ gone: 'old', there: 'new' });
  });
});

test('a moved link still leads to its target', () => {
  const root = makeDirectory({ target: 'text', 'a/link': { link: '../target' }, 'b/c': '' });
  movePath(join(root, 'a/link'), join(root, 'b/link'));
  expect(lstatSync(join(root, 'b/link')).isSymbolicLink()).toBe(true);
  expect(readlinkSync(join(root, 'b/link'))).toBe(join(root, 'target'));
  expect(listTree(join(root, 'a'))).toEqual({});
});

describe('changes together', () => {
  test('are settled when all are made', () => {
    const told: string[] = [];
    const result = changeTogether((made) => {
      made({ undo: () => told.push('undo'), settle: () => told.push('settle') });
      made({ undo: () => told.push('undo') });
      return 7;
    });
    expect({ result, told }).toEqual({ result: 7, told: ['settle'] });
  });

  test('are taken back when one fails, the last one first', () => {
    const root = makeDirectory({ a: '1', b: '2' });
    const move = (from: string, to: string) => {
      renameSync(join(root, from), join(root, to));
      return { undo: () => renameSync(join(root, to), join(root, from)) };
    };
    const work = () =>
      changeTogether((made) => {
        made(move('a', 'c'));
        made(move('b', 'a'));
        throw new Error('no');
      });
    expect(work).toThrow('no');
    expect(listTree(root)).toEqual({ a: '1', b: '2' });
  });
});
