// The files that belong to a skill. Hidden files and directories, such as `.env` and `.git`, and `node_modules` do not,
// and are never handed out.

import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { resolveInside } from './contained-path.ts';

/** True for names that are never part of a skill. */
export function isIgnoredName(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

/** True for the name of a file with evals, such as `trigger-evals.json`, `pdf-triggering.eval.json` or `routing.yaml`. */
export function isEvalName(name: string): boolean {
  return /^(?:.+[-_.])?(?:evals?|triggers?|triggering|routing|activation|eval[-_]?set)(?:[-_.].+)?\.(?:jsonl?|ndjson|ya?ml|csv)$/i.test(
    name,
  );
}

/** Names in a skill's own directory that can be nothing but evals: `triggers.json` may be content. */
const ownEvals =
  /^(?:eval[-_]queries|eval[-_]?set|(?:.+[-_.])?(?:triggers?[-_](?:evals?|quer(?:y|ies)|cases?|prompts?|dataset|tests?)|triggering\.evals?)|test[-_]triggers)\.(?:jsonl?|ndjson|ya?ml|csv)$/i;

/**
 * True for evals, which test a skill and are not content: an agent that searches must not find the questions. They
 * are part of the skill all the same, and are hashed and published.
 */
export function isEvalFile(path: string): boolean {
  return (
    /^evals\/|(?:^|\/)eval_queries\.json$|(?:^|\/)evals\/(?:evals|questions)\.json$/.test(path) ||
    (path.includes('/')
      ? /(?:^|\/)evals\/[^/]+$/.test(path) && isEvalName(path.slice(path.lastIndexOf('/') + 1))
      : ownEvals.test(path))
  );
}

/** True for a path relative to a skill, if nothing that it names is left out of skills. */
function isPartOfSkill(path: string): boolean {
  return path.split(/[\\/]/).every((name) => name === '.' || !isIgnoredName(name));
}

/**
 * The real path of something that is part of the skill in `root`; undefined when nothing is there, or when the path or the
 * place it leads to is not part of the skill. E012 when links lead out.
 */
export function resolvePart(root: string, path: string): string | undefined {
  const real = resolveInside(root, path);
  if (real === undefined || !isPartOfSkill(path)) return undefined;
  return isPartOfSkill(relative(realpathSync.native(root), real)) ? real : undefined;
}
