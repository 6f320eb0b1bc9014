// Lists every skill with a runtime directory, and so with a log or a place for one.

import { join } from 'node:path';
import { namesIn, realPath } from '../../base/files/index.ts';
import { buildRecord, isSkill } from '../../skill/skill/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import { readLog } from './log-file.ts';
import { otherSkills, type UsedSkill } from './read-usage.ts';

/** One listed skill. */
export interface ListedSkill extends UsedSkill {
  readonly name: string;
}

/**
 * The skills of the project's and the user's runtime directories. A skill that was never built is known by its log
 * alone; for one whose source is gone, `dir` is its former path. Reports E015 and lists the rest.
 */
export function listUsedSkills(workspace: Workspace, report: (error: unknown) => void): ListedSkill[] {
  return workspace.stores.flatMap(({ runtime }) => {
    return namesIn(runtime).flatMap((name) => {
      try {
        return skillsOf(join(runtime, name), workspace.home).map((dir) => ({
          name,
          dir,
          runtime: join(runtime, name),
          home: workspace.home,
        }));
      } catch (error) {
        report(error);
        return [];
      }
    });
  });
}

function skillsOf(runtime: string, home: string): string[] {
  const recorded = buildRecord(home).runtime(runtime);
  const built = recorded === undefined ? undefined : sourceOf(recorded.source);
  const logged = readLog({ runtime, home }, (database) => {
    const last = database.prepare('SELECT skill_path AS path FROM access_log ORDER BY id DESC LIMIT 1').get();
    return last === undefined ? [] : { last: String(last.path), others: otherSkills(database, built ?? '') };
  });
  if (logged === undefined || Array.isArray(logged)) return built === undefined ? [] : [built];
  const { last, others } = logged;
  if (built !== undefined) return [built, ...others];
  return others.length > 0 ? others : [last];
}

/** Real path of the source; the written path when it is gone. */
const sourceOf = (path: string) => (isSkill(path) ? realPath(path) : path);
