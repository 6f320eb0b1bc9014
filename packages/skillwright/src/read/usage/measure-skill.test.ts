import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { estimateTokens } from '../../base/tokens/estimate-tokens.ts';
import { measureSkill } from './measure-skill.ts';

test('a skill costs what its text files cost together', () => {
  const root = makeDirectory({
    'demo/SKILL.md': '# Demo\n\nSome words.\n',
    'demo/scripts/run.py': 'print("hello")\n',
    'demo/assets/picture.png': new Uint8Array([137, 80, 78, 71, 0, 0, 1]),
    'demo/.git/config': 'hidden\n',
    'demo/out': { link: '../outside.md' },
    'outside.md': 'not part of it\n',
  });
  const expected = estimateTokens('# Demo\n\nSome words.\n') + estimateTokens('print("hello")\n');
  expect(measureSkill(join(root, 'demo'))).toBe(expected);
  expect(measureSkill(join(root, 'gone'))).toBe(0);
});
