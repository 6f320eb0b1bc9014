// SKL303: links stay inside the skill.

import { quoteText } from '../quote-text.ts';
import { defineRule } from '../rule.ts';
import { type LinkPlace, skillLinks } from '../skill-links.ts';

type Way = Extract<LinkPlace, { kind: 'outside' }>['by'];

const messages: Readonly<Record<Way, (target: string) => string>> = {
  parent: (target) => `the link ${target} leaves the skill directory`,
  symlink: (target) => `the link ${target} leaves the skill directory through a symbolic link`,
  machine: (target) => `the link ${target} is a path on this machine, not in the skill`,
  site: (target) => `the link ${target} starts at the root of a web site, not in the skill`,
};

/** Reports links to files that are not part of the skill. */
export const linkNoEscape = defineRule({
  id: 'SKL303',
  name: 'link-no-escape',
  severity: 'error',
  summary: 'No link leads out of the skill directory.',
  *check(skill) {
    for (const { file, line, target, place } of skillLinks(skill)) {
      if (place.kind !== 'outside') continue;
      yield {
        message: messages[place.by](quoteText(target)),
        file,
        line,
        help:
          place.by === 'site'
            ? 'write the whole address, https:// included'
            : 'copy the file into the skill, or mention it without a link',
        ...(place.by === 'site' ? { severity: 'warning' } : {}),
      };
    }
  },
});
