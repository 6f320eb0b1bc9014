import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { skillWithText } from '../../../skill/skill/open-skill.ts';
import { lintSubject } from '../lint-subject.ts';
import { fileRules } from './files.ts';

const scriptAllowed = fileRules.find(({ id }) => id === 'SKL402')!;

test.each([
  ['program', '\x7fELF\0', 0o755, true],
  ['blob', '\x7fELF\0', 0o644, false],
  ['Makefile', 'all:\n', 0o755, false],
  ['deploy', '#!/bin/sh\n', 0o644, true],
  ['deploy.expect', '#!/usr/bin/expect\n', 0o755, true],
  ['notes.xyz', '#!/bin/sh\n', 0o644, false],
  ['data.json', '{}', 0o755, false],
  ['tool.mjs', '', 0o644, false],
  ['tool.cjs', '', 0o644, false],
  ['tool.rb', '', 0o644, true],
])('%s with %j and mode %o is refused: %j', (name, content, mode, refused) => {
  const dir = mkdtempSync(join(tmpdir(), 'skc-script-'));
  try {
    mkdirSync(join(dir, 'scripts'));
    writeFileSync(join(dir, 'scripts', name), content);
    chmodSync(join(dir, 'scripts', name), mode);
    const skill = lintSubject(skillWithText(dir, '---\nname: demo\n---\n'), { profile: 'spec' });
    expect([...scriptAllowed.check(skill, {})].map(({ file }) => file)).toEqual(
      refused ? [`scripts/${name}`] : [],
    );
  } finally {
    rmSync(dir, { recursive: true });
  }
});
