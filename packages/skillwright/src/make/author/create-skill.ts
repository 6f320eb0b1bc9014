// Writes a new skill to disk, completely or not at all.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  discardTemporary,
  renamePath,
  statusAt,
  systemErrorCode,
  temporaryBeside,
  writeError,
} from '../../base/files/index.ts';
import { renderTemplate, type TemplateName } from './templates.ts';

/** Writes the template's files into `dir`, which must not exist (E050). Returns their paths relative to it. */
export function createSkill(
  dir: string,
  name: string,
  template: TemplateName,
  { dryRun = false }: { readonly dryRun?: boolean | undefined } = {},
): string[] {
  const files = renderTemplate(template, name);
  const staging = temporaryBeside(dir);
  try {
    if (statusAt(dir) !== undefined) throw exists(name, dir);
    if (dryRun) return [...files.keys()];
    mkdirSync(dirname(dir), { recursive: true });
    for (const [path, text] of files) {
      mkdirSync(dirname(join(staging, path)), { recursive: true });
      writeFileSync(join(staging, path), text);
    }
    renamePath(staging, dir);
  } catch (error) {
    discardTemporary(staging);
    const code = systemErrorCode(error);
    // Another process created the directory between the check and the rename.
    if ((code === 'ENOTEMPTY' || code === 'EEXIST') && statusAt(dir) !== undefined) throw exists(name, dir);
    throw writeError(dir, error);
  }
  return [...files.keys()];
}

function exists(name: string, path: string): SkillwrightError {
  return SkillwrightError.of('E050', { skill: name }, { help: `it is at ${path}`, data: { path } });
}
