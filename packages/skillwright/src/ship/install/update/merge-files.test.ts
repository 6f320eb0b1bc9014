import { expect, test } from 'vitest';
import type { SkillFile } from '../place/stored-files.ts';
import { mergeFiles } from './merge-files.ts';

const long = (first: string, last: string) => `${first}\nb\nc\nd\ne\n${last}\n`;

/** Content by path; a `!` at the end of a path makes it executable. */
function files(content: Record<string, string>): Map<string, SkillFile> {
  return new Map(
    Object.entries(content).map(([path, text]) => [
      path.replace('!', ''),
      { bytes: Buffer.from(text), executable: path.endsWith('!') },
    ]),
  );
}

const shown = (map: ReadonlyMap<string, SkillFile>) =>
  Object.fromEntries(
    [...map].map(([path, { bytes, executable }]) => [path + (executable ? '!' : ''), bytes.toString()]),
  );

type Content = Record<string, string>;

interface Case {
  readonly base: Content;
  readonly mine: Content;
  readonly theirs: Content;
  readonly files: Content;
  readonly kept?: string[];
  readonly merged?: string[];
  readonly conflicts?: string[];
}

const cases: Record<string, Case> = {
  'nothing was edited': {
    base: { a: '1', b: '1' },
    mine: { a: '1', b: '1' },
    theirs: { a: '2', c: '2' },
    files: { a: '2', c: '2' },
  },
  'an edit stays': {
    base: { a: '1', b: '1' },
    mine: { a: 'mine', b: '1' },
    theirs: { a: '1', b: '2' },
    files: { a: 'mine', b: '2' },
    kept: ['a'],
  },
  'an added file stays': {
    base: { a: '1' },
    mine: { a: '1', x: 'mine' },
    theirs: { a: '2' },
    files: { a: '2', x: 'mine' },
    kept: ['x'],
  },
  'a deleted file stays deleted': {
    base: { a: '1', b: '1' },
    mine: { a: '1' },
    theirs: { a: '2', b: '1' },
    files: { a: '2' },
    kept: ['b'],
  },
  'deleted on both sides': {
    base: { a: '1', b: '1' },
    mine: { a: '1' },
    theirs: { a: '1' },
    files: { a: '1' },
  },
  'added alike on both sides': { base: {}, mine: { a: '1' }, theirs: { a: '1' }, files: { a: '1' } },
  'added differently on both sides': {
    base: {},
    mine: { a: '1' },
    theirs: { a: '2' },
    files: { a: '2' },
    conflicts: ['a'],
  },
  'deleted here, changed there': {
    base: { a: '1' },
    mine: {},
    theirs: { a: '2' },
    files: { a: '2' },
    conflicts: ['a'],
  },
  'changed here, deleted there': {
    base: { a: '1' },
    mine: { a: '2' },
    theirs: {},
    files: {},
    conflicts: ['a'],
  },
  'different lines': {
    base: { a: long('a', 'f') },
    mine: { a: long('A', 'f') },
    theirs: { a: long('a', 'F') },
    files: { a: long('A', 'F') },
    kept: ['a'],
    merged: ['a'],
  },
  'the same lines': {
    base: { a: long('a', 'f') },
    mine: { a: long('A', 'f') },
    theirs: { a: long('x', 'f') },
    files: { a: long('x', 'f') },
    conflicts: ['a'],
  },
  'a mode that changed here': {
    base: { a: '1' },
    mine: { 'a!': '1' },
    theirs: { a: '1' },
    files: { 'a!': '1' },
    kept: ['a'],
  },
  'a mode that changed there': {
    base: { a: long('a', 'f') },
    mine: { a: long('A', 'f') },
    theirs: { 'a!': long('a', 'F') },
    files: { 'a!': long('A', 'F') },
    kept: ['a'],
    merged: ['a'],
  },
  'a file here, a directory there': {
    base: {},
    mine: { a: 'file' },
    theirs: { 'a/b': 'in a directory' },
    files: { 'a/b': 'in a directory' },
    conflicts: ['a/b'],
  },
};

test.each(Object.entries(cases))('%s', (_, { base, mine, theirs, ...expected }) => {
  const result = mergeFiles({ base: files(base), mine: files(mine), theirs: files(theirs) });
  expect({ ...result, files: shown(result.files) }).toEqual({
    kept: [],
    merged: [],
    conflicts: [],
    ...expected,
  });
});
