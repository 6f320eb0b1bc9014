import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RegistryFailure, RegistrySkill, registryErrors } from './registry-protocol.ts';

const page = readFileSync(new URL('../../../../../docs/registry-protocol.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, code]) =>
  JSON.parse(code!.replace('<64 hex digits>', '0'.repeat(64))),
);

test('the examples on the page follow the protocol', () => {
  expect(RegistrySkill.parse(examples[0])).toEqual(examples[0]);
  expect(RegistryFailure.parse(examples[1])).toEqual(examples[1]);
  expect(examples).toHaveLength(2);
});

test('the page lists every error with its status', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(Object.fromEntries(rows)).toEqual(registryErrors);
});

test.each([
  ['name', '../x'],
  ['level', 'trusted'],
  ['rating', 6],
  ['downloads', -1],
  ['latest', '1.0'],
  ['repository', 'javascript:alert(1)'],
  ['updated', 'yesterday'],
])('%s may not be %j', (field, value) => {
  expect(RegistrySkill.safeParse({ ...examples[0], [field]: value }).success).toBe(false);
});
