// Creates a project or a skill in its store.

import { join } from 'node:path';
import { invalidOption } from '../../base/diagnostics/index.ts';
import { isDirectory, makeDirectory, refuseLinks } from '../../base/files/index.ts';
import { isReservedName, isSkillName } from '../../skill/format/index.ts';
import { isInRuntime, storeAt, type Workspace, writeIgnoreLines } from '../../skill/workspace/index.ts';
import { createSkill } from './create-skill.ts';
import type { TemplateName } from './templates.ts';

/** Files that were created. */
interface Initialised {
  project: string;
  created: boolean;
  skill: string | null;
  path: string | null;
  files: string[];
}

/** Creates a skill in the store, or the store itself. E100 for an invalid name, E050 when it exists, E017 when a link is in the way. */
export function initialise(
  request: { name: string | undefined; global: boolean; template: TemplateName; dryRun?: boolean },
  workspace: Workspace,
): Initialised {
  const { name } = request;
  const found = request.global ? undefined : workspace.project?.dir;
  const project = request.global ? workspace.home : (found ?? newProject(workspace.cwd));
  const store = storeAt(request.global ? 'user' : 'project', project);
  const { root, skills } = store;
  // A repository may ship links. In the home directory they are the user's own.
  if (!request.global) refuseLinks(project, join(skills, name ?? ''));
  if (name === undefined) {
    const created = !isDirectory(root);
    if (request.dryRun !== true) {
      makeDirectory(skills);
      writeIgnoreLines(store);
    }
    return { project, created, skill: null, path: null, files: [] };
  }
  checkNewName(name);
  const path = join(skills, name);
  const files = createSkill(path, name, request.template, request);
  if (request.dryRun !== true) writeIgnoreLines(store);
  return { project, created: true, skill: name, path, files };
}

/** The working directory, if it can become a project: one inside a runtime directory would never be found again. */
function newProject(cwd: string): string {
  if (!isInRuntime(cwd)) return cwd;
  const help = 'change to the project directory, or use --global';
  throw invalidOption(`${cwd} is a runtime directory and cannot be a project`, help);
}

function checkNewName(name: string): void {
  if (!isSkillName(name)) {
    const help = 'use 1 to 64 lower-case letters and digits, joined by single hyphens, such as pdf-forms';
    throw invalidOption(`'${name}' is not a valid skill name`, help);
  }
  if (isReservedName(name)) throw invalidOption(`${name} is a reserved name on Windows`);
}
