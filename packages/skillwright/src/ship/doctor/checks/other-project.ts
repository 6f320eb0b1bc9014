// Links to skills that were compiled in another project.

import { dirname } from 'node:path';
import { realPath } from '../../../base/files/index.ts';
import { isInRuntime } from '../../../skill/workspace/index.ts';
import { defineCheck } from '../check.ts';

/** Reports links into the runtime directory of another project. */
export const otherProject = defineCheck({
  id: 'other-project',
  group: 'links and copies',
  summary: "Links lead to this project's skills or to the user's.",
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
              message: `'${name}' belongs to another project, ${project}`,
              why: 'It changes or disappears with that project, and other users of this project do not have it.',
              fix: `'skc install ${project}/.skillc/skills/${name}' installs it in this project`,
            }
          : {
              severity: 'info',
              subject: path,
              message: `'${name}' belongs to the project ${project}`,
              why: 'Agents see it in every project, as long as that project exists.',
              fix: `leave it, or run 'skc clean ${name}' in that project`,
            };
      }
    }
  },
});
