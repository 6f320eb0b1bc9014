import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { adoptIndex } from './adopt-index.ts';
import { buildIndex } from './build-index.ts';
import { openIndex } from './open-index.ts';

const text = '---\nname: demo\ndescription: Demo.\n---\n\n# Steps\n\nTurn the handle.\n';

/** The same skill in another place each time. */
function makeSkill(name: string, content = text) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'skc-adopt-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const sourceDir = join(root, name);
  mkdirSync(sourceDir);
  writeFileSync(join(sourceDir, 'SKILL.md'), content);
  return { sourceDir, indexDir: join(root, '.skillc'), tokenizer: 'porter' as const, now: new Date() };
}

test('an index built elsewhere from the same files answers here, and is up to date', () => {
  const bytes = readFileSync(buildIndex(makeSkill('there')).path);
  const here = makeSkill('here');
  expect(adoptIndex(bytes, here)).toBe(true);
  expect(buildIndex(here).status).toBe('unchanged');
  const index = openIndex({ skill: 'demo', ...here });
  onTestFinished(() => index.close());
  index.checkFresh();
  expect(index.search('handle').results.map(({ section }) => section)).toEqual(['Steps']);
});

test('an index of other files, of another tokenizer, or a damaged one is refused', () => {
  const bytes = readFileSync(buildIndex(makeSkill('there')).path);
  expect(adoptIndex(bytes, makeSkill('here', `${text}More.\n`))).toBe(false);
  expect(adoptIndex(bytes, { ...makeSkill('here'), tokenizer: 'unicode' })).toBe(false);
  expect(adoptIndex(bytes.subarray(0, 2000), makeSkill('here'))).toBe(false);
  expect(adoptIndex(Buffer.from('nothing'), makeSkill('here'))).toBe(false);
});
