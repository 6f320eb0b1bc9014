import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test, vi } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { holdLock, isHeld, lockFile } from './hold-lock.ts';

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('holdLock', () => {
  test('only one owner at a time; the file stays, and stays empty', () => {
    const file = join(makeDirectory({}), 'work/lock');
    const release = holdLock(file);
    expect(isHeld(failureOf(() => holdLock(file)))).toBe(true);
    release();
    release();
    holdLock(file)();
    expect(statSync(file).size).toBe(0);
  });

  test('a database that a project ships is not opened', () => {
    const root = makeDirectory({});
    const file = join(root, 'lock');
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE t (x)');
    database.close();
    expect(failureOf(() => holdLock(file))).toMatchObject({ code: 'E015' });
  });

  test('a journal beside the file is neither followed nor removed', () => {
    const root = makeDirectory({ lock: '', 'lock-journal': 'names a file to delete' });
    expect(failureOf(() => holdLock(join(root, 'lock')))).toMatchObject({ code: 'E015' });
    expect(readdirSync(root)).toEqual(['lock', 'lock-journal']);
  });

  test('a link is not followed', () => {
    const root = makeDirectory({ target: 'text', 'work/lock': { link: '../target' } });
    expect(failureOf(() => holdLock(join(root, 'work/lock')))).toMatchObject({ code: 'E017' });
    expect(failureOf(() => holdLock(join(root, 'work/lock'), root))).toMatchObject({ code: 'E017' });
    expect(readFileSync(join(root, 'target'), 'utf8')).toBe('text');
  });

  test('E016 when the file cannot be made', () => {
    const root = makeDirectory({ work: 'a file' });
    expect(failureOf(() => holdLock(join(root, 'work/lock')))).toMatchObject({ code: 'E016' });
  });
});

describe('lockFile', () => {
  test('locks beside the file, and leaves nothing there', () => {
    const root = makeDirectory({ 'state.json': '{}' });
    const unlock = lockFile(join(root, 'state.json'));
    expect(isHeld(failureOf(() => holdLock(join(root, 'state.json.lock'))))).toBe(true);
    unlock();
    expect(readdirSync(root)).toEqual(['state.json']);
  });

  test('E016 while others hold it: going on would lose a change of theirs', () => {
    const root = makeDirectory({ 'state.json': '{}' });
    const unlock = holdLock(join(root, 'state.json.lock'));
    const clock = vi.spyOn(performance, 'now');
    let time = 0;
    clock.mockImplementation(() => (time += 5000));
    const failure = failureOf(() => lockFile(join(root, 'state.json')));
    clock.mockRestore();
    unlock();
    expect(failure).toMatchObject({ code: 'E016', message: expect.stringContaining('other processes') });
    lockFile(join(root, 'state.json'))();
  });

  test('where no lock can be made, the work goes on', () => {
    const root = makeDirectory({ 'state.json.lock': { directory: true } });
    lockFile(join(root, 'state.json'))();
    expect(readdirSync(root)).toEqual(['state.json.lock']);
  });
});
