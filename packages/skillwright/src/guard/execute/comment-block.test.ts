import { expect, test } from 'vitest';
import { commentBlock, firstLine } from './list-scripts.ts';

const scripts: [string, string, string][] = [
  [
    'a shell comment under a shebang',
    '#!/bin/sh\n# Fills a form.\n#\n# Usage: fill FILE\n\n# Not this.\n',
    'Fills a form.\n\nUsage: fill FILE',
  ],
  ['a shell comment under strict modes', '#!/usr/bin/env bash\nset -euo pipefail\n\n# Fills.\n', 'Fills.'],
  [
    'a docstring',
    '"""Fills a form.\n\n    Usage:\n      fill FILE\n"""\n',
    'Fills a form.\n\nUsage:\n  fill FILE',
  ],
  ['a docstring on one line', "#!/usr/bin/env python3\n'''Fills.'''\nprint()\n", 'Fills.'],
  ['a docstring below an encoding', '# -*- coding: utf-8 -*-\nr"""Fills."""\n', 'Fills.'],
  ['JavaScript line comments', '// Fills a form.\n//   More.\nrun()\n', 'Fills a form.\nMore.'],
  [
    'a JavaScript block comment',
    "'use strict';\n/**\n * Fills a form.\n *\n * @param x\n */\n",
    'Fills a form.\n\n@param x',
  ],
  ['CRLF and a byte order mark', '\ufeff#!/bin/sh\r\n# Fills.\r\n# More.\r\necho\r\n', 'Fills.\nMore.'],
  ['code first', 'echo hello\n# Not this.\n', ''],
  ['a block that never ends', '/* Fills.\n', 'Fills.'],
  ['nothing', '', ''],
  ['only a shebang', '#!/bin/sh', ''],
  ['checkers', '# shellcheck disable=SC1\n# Fills.\n', 'Fills.'],
];

test.for(scripts)('%s', ([, text, block]) => {
  expect(commentBlock(text)).toBe(block);
});

test('a long block is cut in linear time', () => {
  expect(commentBlock('# x\n'.repeat(100_000)).split('\n')).toHaveLength(200);
  expect(commentBlock(`/*${' *'.repeat(200_000)}`).length).toBeGreaterThan(0);
});

test('the first line is the first with text', () => {
  expect([firstLine('\n\n  Fills.\nMore.'), firstLine('')]).toEqual(['Fills.', '']);
});
