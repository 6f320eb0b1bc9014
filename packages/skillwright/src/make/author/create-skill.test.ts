import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asNobody } from '../../../test/as-nobody.ts';
import { makeDirectory } from '../../../test/make-directory.ts';
import { createSkill } from './create-skill.ts';
import { renderTemplate, templateNames, titleOf } from './templates.ts';

test.each(templateNames)('%s writes exactly its files', (template) => {
  const root = makeDirectory();
  const files = createSkill(join(root, 'a/b/demo'), 'demo', template);
  expect(files).toEqual([...renderTemplate(template, 'demo').keys()]);
  const onDisk = readdirSync(join(root, 'a/b/demo'), { recursive: true, withFileTypes: true });
  expect(onDisk.filter((entry) => entry.isFile()).length).toBe(files.length);
  expect(readdirSync(join(root, 'a/b'))).toEqual(['demo']);
});

test('leaves nothing behind in a read-only directory', (context) => {
  const root = makeDirectory({ 'closed/x': '' });
  chmodSync(root, 0o755);
  chmodSync(join(root, 'closed'), 0o555);
  const dir = join(root, 'closed/demo');
  expect(() => asNobody(context, () => createSkill(dir, 'demo', 'minimal'))).toThrow(
    `cannot write '${dir}': permission denied`,
  );
  expect(readdirSync(join(root, 'closed'))).toEqual(['x']);
  chmodSync(join(root, 'closed'), 0o755);
});

test.each([
  ['demo', 'Demo'],
  ['pdf-forms', 'Pdf Forms'],
  ['2d-art', '2d Art'],
])('the title of %s is %s', (name, title) => {
  expect(titleOf(name)).toBe(title);
});
