import { describe, expect, test } from 'vitest';
import { quoteScalar, renameField, repairFields, setTextField, trimFence } from './edit-frontmatter.ts';

const body = '\n# Demo\n\nname: not this one\n';

describe('setTextField', () => {
  const cases: { what: string; before: string; after: string }[] = [
    { what: 'a plain value', before: '---\nname: A\nx: 1\n---\n', after: '---\nname: demo\nx: 1\n---\n' },
    { what: 'a comment stays', before: '---\nname: A # why\n---\n', after: '---\nname: demo # why\n---\n' },
    {
      what: 'a hash in quotes is not a comment',
      before: '---\nname: "A #1"\n---\n',
      after: '---\nname: demo\n---\n',
    },
    { what: 'a quoted key', before: '---\n"name": A\n---\n', after: '---\nname: demo\n---\n' },
    {
      what: 'a folded value',
      before: '---\nname: >-\n  A\n\n  B\n\nx: 1\n---\n',
      after: '---\nname: demo\n\nx: 1\n---\n',
    },
    {
      what: 'an unindented list',
      before: '---\nname:\n- A\n- B\nx: 1\n---\n',
      after: '---\nname: demo\nx: 1\n---\n',
    },
    {
      what: 'Windows line ends',
      before: '---\r\nx: 1\r\nname: A\r\n---\r\n',
      after: '---\r\nx: 1\r\nname: demo\r\n---\r\n',
    },
    {
      what: 'a byte order mark',
      before: '\ufeff---\nx: 1\n---\n',
      after: '\ufeff---\nname: demo\nx: 1\n---\n',
    },
    {
      what: 'a missing field with Windows line ends',
      before: '---\r\nx: 1\r\n---\r\n',
      after: '---\r\nname: demo\r\nx: 1\r\n---\r\n',
    },
    {
      what: 'only the top-level field',
      before: '---\nm:\n  name: A\nname: B\n---\n',
      after: '---\nm:\n  name: A\nname: demo\n---\n',
    },
  ];
  test.each(cases)('$what', ({ before, after }) => {
    expect(setTextField(before + body, { field: 'name', value: 'demo' })).toBe(after + body);
  });

  const refused: { what: string; text: string }[] = [
    { what: 'fields on one line', text: '---\n{ name: A, x: 1 }\n---\n' },
    { what: 'a list over several lines', text: '---\nname: [A,\nB]\nx: 1\n---\n' },
    { what: 'a comment that would be lost', text: '---\nname:\n  - A # why\n---\n' },
    { what: 'a value with an alias', text: '---\nname: &n A\nx: *n\n---\n' },
    { what: 'indented fields without the wanted one', text: '---\n  x: 1\n  y: 2\n---\n' },
    { what: 'no frontmatter', text: '# Demo\n' },
  ];
  test.each(refused)('refuses $what', ({ text }) => {
    expect(setTextField(text + body, { field: 'name', value: 'demo' })).toBe(text + body);
  });

  test.each(['null', 'true', '1e3', '007', 'a: b', ' x ', '#x', '- x'])(
    'quotes %j where YAML needs it',
    (value) => {
      const text = setTextField('---\nname: A\n---\n', { field: 'name', value });
      expect(text).toBe(`---\nname: ${JSON.stringify(value)}\n---\n`);
    },
  );
});

describe('renameField', () => {
  test('changes only the key', () => {
    const text = '---\nx: allowed_tools\nallowed_tools:   Read # why\n---\n';
    const renamed = '---\nx: allowed_tools\nallowed-tools:   Read # why\n---\n';
    expect(renameField(text + body, { from: 'allowed_tools', to: 'allowed-tools' })).toBe(renamed + body);
  });
  test('does not overwrite a field', () => {
    const text = '---\nName: A\nname: B\n---\n';
    expect(renameField(text, { from: 'Name', to: 'name' })).toBe(text);
  });
});

describe('quoteScalar', () => {
  const path = ['metadata', 'version'];
  test.each([
    ['---\nmetadata:\n  version: 1.10\n---\n', '---\nmetadata:\n  version: "1.10"\n---\n'],
    [
      '---\nmetadata:\n  a: 1.10\n  version:  1.10  # x\n---\n',
      '---\nmetadata:\n  a: 1.10\n  version:  "1.10"  # x\n---\n',
    ],
    ['---\nmetadata: {version: 1.10}\n---\n', '---\nmetadata: {version: 1.10}\n---\n'],
    ['---\nmetadata:\n  version: 2.0\n---\n', '---\nmetadata:\n  version: 2.0\n---\n'],
  ])('%j', (before, after) => {
    expect(quoteScalar(before, { path, written: '1.10' })).toBe(after);
  });
});

describe('repairFields', () => {
  const cases: { what: string; before: string; after: string }[] = [
    {
      what: 'only the broken field changes',
      before: '---\r\nx:   [ 1 ]  # odd\r\ndescription: When: now\r\n---\r\n',
      after: '---\r\nx:   [ 1 ]  # odd\r\ndescription: "When: now"\r\n---\r\n',
    },
    {
      what: 'tabs stay where they are allowed',
      before: '---\ncode: |\n  a\n  \tb\ndescription: When: now\n---\n',
      after: '---\ncode: |\n  a\n  \tb\ndescription: "When: now"\n---\n',
    },
    {
      what: 'text that cannot be repaired stays',
      before: '---\nx: !!js/function y\n---\n',
      after: '---\nx: !!js/function y\n---\n',
    },
  ];
  test.each(cases)('$what', ({ before, after }) => {
    expect(repairFields(before + body)).toBe(after + body);
  });
});

test('trimFence changes only the fence', () => {
  expect(trimFence('\ufeff--- \t\r\nx: 1 \r\n---\r\n', 1)).toBe('\ufeff---\r\nx: 1 \r\n---\r\n');
});
