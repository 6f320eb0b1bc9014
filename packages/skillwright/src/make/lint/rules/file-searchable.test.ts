import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { skillWithText } from '../../../skill/skill/open-skill.ts';
import { lintSubject } from '../lint-subject.ts';
import { fileRules } from './files.ts';

const fileSearchable = fileRules.find(({ id }) => id === 'SKL404')!;

const MIB = 1024 * 1024;

test.each<[string, string | Buffer, boolean]>([
  ['manual.md', 'a'.repeat(MIB), false],
  ['manual.md', 'a'.repeat(MIB + 1), true],
  ['tool.weird', `${'text\n'.repeat(MIB / 4)}`, true],
  ['picture.png', Buffer.alloc(2 * MIB), false],
])('%s', (name, content, reported) => {
  const dir = mkdtempSync(join(tmpdir(), 'skc-large-'));
  try {
    mkdirSync(join(dir, 'data'));
    writeFileSync(join(dir, 'data', name), content);
    const skill = lintSubject(skillWithText(dir, '---\nname: demo\n---\n'), { profile: 'spec' });
    expect([...fileSearchable.check(skill, {})].map(({ file }) => file)).toEqual(
      reported ? [`data/${name}`] : [],
    );
  } finally {
    rmSync(dir, { recursive: true });
  }
});
