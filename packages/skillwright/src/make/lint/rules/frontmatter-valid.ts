// SKL100: SKILL.md starts with frontmatter that can be read.

import { type FrontmatterProblem, PROFILES } from '../../../skill/format/index.ts';
import { isPaddedFence, repairFields, trimFence } from '../edit-frontmatter.ts';
import { boundMessage } from '../quote-text.ts';
import { defineRule } from '../rule.ts';

const HELP: Readonly<Record<FrontmatterProblem['kind'], string>> = {
  missing: "start the file with a line '---', then name and description, then a line '---'",
  unterminated: "put a line '---' after the last field",
  'too-large': 'move long texts into the body or into files of the skill',
  yaml: 'put quotes around values with special characters in them',
  'not-a-mapping': "write one field per line, as in 'name: my-skill'",
  repaired: 'correct it, or let --fix do it: other agents may leave the skill out',
  'duplicate-key': 'remove one of the two',
  'dropped-key': 'remove it',
};

/** Reports problems of the frontmatter as a whole. */
export const frontmatterValid = defineRule({
  id: 'SKL100',
  name: 'frontmatter-valid',
  severity: 'error',
  summary: 'SKILL.md starts with frontmatter between two `---` lines that is a valid YAML mapping.',
  fixable: true,
  *check({ frontmatter, text, profile }) {
    for (const problem of frontmatter.problems) {
      const { kind, line } = problem;
      const isFence = kind === 'repaired' && isPaddedFence(text, line);
      const fix = correction(problem);
      yield {
        message: boundMessage(problem.message),
        line,
        help: isFence ? 'remove the white space' : HELP[kind],
        severity: kind === 'repaired' ? PROFILES[profile].deviation : 'error',
        ...(fix === undefined || fix(text) === text ? {} : { fix }),
      };
    }
  },
});

/** Only a repair made while reading can be written to the file. */
function correction({ kind, line }: FrontmatterProblem): ((text: string) => string) | undefined {
  if (kind !== 'repaired') return undefined;
  return (text) => (isPaddedFence(text, line) ? trimFence(text, line) : repairFields(text));
}
