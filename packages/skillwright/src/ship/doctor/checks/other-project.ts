// Links to skills that were compiled in another project.

import { dirname } from 'node:path';
import { realPath } from '../../../base/files/index.ts';
import { isInRuntime } from '../../../skill/workspace/index.ts';
import { defineCheck } from '../check.ts';

/** Reports links into the runtime directory of a project that is not this one. */
export const otherProject = defineCheck({
  id: 'other-project',
  group: 'links and copies',
  summary: 'Links lead to skills of this project or of the user.',
  *find({ roots, context }) {
    const own = new Set(
      roots.bases.map(({ base }) => realPath(base)).concat(realPath(context.workspace.home)),
    );
    for (const { links, scope } of roots.all) {
      for (const { path, real, name } of links) {
        if (real === undefined || !isInRuntime(real)) continue;
        // <project>/.skillc/runtime/<name>
        const project = dirname(dirname(dirname(real)));
        if (own.has(project)) continue;
        yield scope === 'project'
          ? {
              severity: 'warning',
              subject: path,
              message: `'${name}' here is a skill of another project, ${project}`,
              why: 'It changes or vanishes with that project, and is not there for others who have this one.',
              fix: `'skc install ${project}/.skillc/skills/${name}' gives this project its own`,
            }
          : {
              severity: 'info',
              subject: path,
              message: `'${name}' is a skill of the project ${project}`,
              why: 'Agents see it in every project, for as long as that one is there.',
              fix: `leave it, or 'skc clean ${name}' in that project`,
            };
      }
    }
  },
});
