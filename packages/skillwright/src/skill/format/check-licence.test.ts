import { expect, test } from 'vitest';
import { checkLicence } from './check-licence.ts';

test.each([
  'MIT',
  'mit',
  'Apache-2.0',
  'GPL-3.0-or-later',
  'GPL-2.0+',
  'MIT OR Apache-2.0',
  '(MIT AND CC-BY-4.0) OR (GPL-2.0-only WITH Classpath-exception-2.0)',
  'LicenseRef-Acme-1',
  'Proprietary. LICENSE.txt has complete terms',
  'Complete terms in LICENSE.txt',
  'SEE LICENSE IN terms.md',
  'UNLICENSED',
  '',
])('%s', (text) => {
  expect(checkLicence(text)).toEqual([]);
});

test.each([
  ['Apache 2.0', 'Apache-2.0'],
  ['MIT License', 'MIT'],
  ['The MIT License', 'MIT'],
  ['GPLv3', 'GPL-3.0'],
  ['BSD 3-Clause', 'BSD-3-Clause'],
  ['CC0', 'CC0-1.0'],
])('%s is nearly %s', (text, near) => {
  expect(checkLicence(text)).toEqual([
    {
      kind: 'value',
      field: 'license',
      path: ['license'],
      message: `license '${text}' is not an SPDX expression`,
      help: `did you mean ${near}?`,
      severity: 'warning',
    },
  ]);
});

test.each([
  'Free for everybody',
  'MIT OR',
  'OR MIT',
  '(MIT',
  'MIT)',
  'MIT Apache-2.0',
  'MIT WITH Apache-2.0',
  '()',
  `${'('.repeat(900)}MIT`,
])('%s is none', (text) => {
  expect(checkLicence(text)).toHaveLength(1);
});
