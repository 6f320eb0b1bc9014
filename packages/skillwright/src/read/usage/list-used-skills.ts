// Every skill that has a runtime directory, and so a log or a place for one.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareBytes } from '../../base/files/index.ts';
import {
  canonicalPath,
  findProject,
  hasSkillFile,
  type ResolveContext,
  readBuildManifest,
  readSourcePath,
  storePaths,
} from '../../skill/places/index.ts';
import { logPath } from './access-log.ts';
import { readLog } from './open-log.ts';
import { otherSkills, type UsedSkill } from './read-usage.ts';

/** A skill of the list. */
export interface ListedSkill extends UsedSkill {
  readonly name: string;
}

/**
 * The skills of the runtime directories of the project and of the user. One that was never built is known by its log
 * alone; of one whose source is gone, `dir` is where it was. E015 goes to `report`, and the others are listed.
 */
export function listUsedSkills(context: ResolveContext, report: (error: unknown) => void): ListedSkill[] {
  const project = findProject(context.cwd, context.home);
  const bases = [...(project === undefined ? [] : [project]), context.home];
  return bases.flatMap((base) => {
    const { runtime } = storePaths(base);
    return namesIn(runtime).flatMap((name) => {
      try {
        return skillsOf(join(runtime, name), context.home).map((dir) => ({
          name,
          dir,
          runtime: join(runtime, name),
        }));
      } catch (error) {
        report(error);
        return [];
      }
    });
  });
}

function skillsOf(runtime: string, home: string): string[] {
  const manifest = readBuildManifest(runtime);
  const built = manifest === undefined ? undefined : sourceOf(readSourcePath(manifest, runtime, home));
  const logged = readLog(logPath(runtime), (database) => {
    const last = database.prepare('SELECT skill_path AS path FROM access_log ORDER BY id DESC LIMIT 1').get();
    return last === undefined ? [] : { last: String(last.path), others: otherSkills(database, built ?? '') };
  });
  if (logged === undefined || Array.isArray(logged)) return built === undefined ? [] : [built];
  const { last, others } = logged;
  if (built !== undefined) return [built, ...others];
  return others.length > 0 ? others : [last];
}

function sourceOf(path: string): string {
  try {
    return hasSkillFile(path) ? canonicalPath(path) : path;
  } catch {
    return path;
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => !name.startsWith('.'))
      .sort(compareBytes);
  } catch {
    // No runtime directory yet.
    return [];
  }
}
