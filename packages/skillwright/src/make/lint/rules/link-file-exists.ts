// SKL301: link targets exist.

import { posix } from 'node:path';
import type { LintSkill } from '../lint-skill.ts';
import { quoteText } from '../quote-text.ts';
import { defineRule } from '../rule.ts';
import { skillLinks } from '../skill-links.ts';

/** Reports relative links and images whose file or directory does not exist. */
export const linkFileExists = defineRule({
  id: 'SKL301',
  name: 'link-file-exists',
  severity: 'error',
  summary: 'Every relative link leads to a file or directory of the skill.',
  *check(skill) {
    let namesakes: ReadonlyMap<string, string> | undefined;
    for (const { file, line, target, place } of skillLinks(skill)) {
      if (place.kind !== 'missing') continue;
      namesakes ??= findNamesakes(skill);
      const namesake = namesakes.get(posix.basename(place.path.replaceAll('\\', '/')).toLowerCase());
      yield {
        message: `the link ${quoteText(target)} leads to nothing`,
        file,
        line,
        help:
          namesake === undefined
            ? 'correct the path, add the file, or remove the link'
            : `did you mean ${quoteText(posix.relative(posix.dirname(file), namesake))}?`,
        ...(place.certainty === 'doubtful' ? { severity: 'warning' } : {}),
      };
    }
  },
});

/** One file per file name in lower case: wrong paths are mostly wrong in the directory or in case. */
function findNamesakes(skill: LintSkill): ReadonlyMap<string, string> {
  return new Map(skill.tree.map(({ path }) => [posix.basename(path).toLowerCase(), path]));
}
