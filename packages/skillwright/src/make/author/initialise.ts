// Making a project or a skill where it belongs.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { writeError } from '../../base/files/index.ts';
import { isSkillName } from '../../skill/format/index.ts';
import { findProject, isDirectory, isInRuntime, storePaths } from '../../skill/places/index.ts';
import { createSkill } from './create-skill.ts';
import type { TemplateName } from './templates.ts';

/** What was made. */
export interface Initialised {
  project: string;
  created: boolean;
  skill: string | null;
  path: string | null;
  files: string[];
}

/** Names a file cannot have on Windows, whatever its case. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/** Makes a skill in the store, or the store itself. E100 for a name that cannot be one, E050 when it exists. */
export function initialise(
  request: { name: string | undefined; global: boolean; template: TemplateName },
  context: { cwd: string; home: string },
): Initialised {
  const { name } = request;
  const found = request.global ? undefined : findProject(context.cwd, context.home);
  const project = request.global ? context.home : (found ?? newProject(context.cwd));
  const { root, skills } = storePaths(project);
  if (name === undefined) {
    const created = request.global ? !isDirectory(root) : found === undefined;
    try {
      mkdirSync(skills, { recursive: true });
    } catch (error) {
      throw writeError(skills, error);
    }
    return { project, created, skill: null, path: null, files: [] };
  }
  checkName(name);
  const path = join(skills, name);
  return { project, created: true, skill: name, path, files: createSkill(path, name, request.template) };
}

/** The working directory, where it can become a project: one inside a runtime directory would never be found again. */
function newProject(cwd: string): string {
  if (!isInRuntime(cwd)) return cwd;
  throw SkillwrightError.of(
    'E100',
    { why: `${cwd} is a runtime directory and cannot be a project` },
    { help: 'change to the directory of the project, or use --global' },
  );
}

function checkName(name: string): void {
  if (!isSkillName(name)) {
    const help =
      'use 1 to 64 lower-case letters and digits, words joined by single hyphens, such as pdf-forms';
    throw SkillwrightError.of(
      'E100',
      { why: `${name || 'the empty name'} cannot be the name of a skill` },
      { help },
    );
  }
  if (RESERVED.test(name)) {
    throw SkillwrightError.of('E100', {
      why: `${name} is reserved by Windows and cannot be a directory there`,
    });
  }
}
