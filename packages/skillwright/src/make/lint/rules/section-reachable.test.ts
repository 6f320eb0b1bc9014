import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { skillWithText } from '../../../skill/skill/open-skill.ts';
import { lintSubject } from '../lint-subject.ts';
import { sectionReachable } from './section-reachable.ts';

test('Markdown that cannot be read is out of reach', () => {
  const parent = mkdtempSync(join(tmpdir(), 'skc-reach-'));
  const dir = join(parent, 'demo');
  try {
    mkdirSync(join(dir, 'references'), { recursive: true });
    const put = (name: string, content: string | Buffer) =>
      writeFileSync(join(dir, 'references', name), content);
    put('good.md', '# Good\n');
    put('latin.md', Buffer.from('# Caf\xe9\x01\n', 'latin1'));
    put('large.md', Buffer.alloc(16 * 1024 * 1024 + 1, 'a'));
    put('picture.png', Buffer.from([0xff, 0xfe, 0]));
    writeFileSync(join(parent, 'outside.md'), '# Outside\n');
    symlinkSync(join(parent, 'outside.md'), join(dir, 'references', 'link.md'));
    const skill = lintSubject(skillWithText(dir, '---\nname: demo\n---\n'), { profile: 'spec' });
    expect([...sectionReachable.check(skill, {})].map(({ message }) => message)).toEqual([
      "agents cannot read 'references/large.md', because it is larger than 16 MiB",
      "agents cannot read 'references/latin.md', because it is not text",
    ]);
  } finally {
    rmSync(parent, { recursive: true });
  }
});
