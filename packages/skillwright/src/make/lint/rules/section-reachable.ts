// SKL405: every section can be asked for.

import { isEvalFile } from '../../../base/files/index.ts';
import { foldText, MAX_HEADINGS } from '../../../base/markdown/index.ts';
import { hasSections } from '../../../read/index/index.ts';
import type { LintDocument, LintSkill } from '../lint-skill.ts';
import { defineRule, type RuleFinding } from '../rule.ts';

const MAX_FINDINGS = 10;

/** Reports sections that neither a stub, nor an outline, nor `show` can name. */
export const sectionReachable = defineRule({
  id: 'SKL405',
  name: 'section-reachable',
  severity: 'warning',
  summary: 'Every section has a heading by which an agent can ask for it.',
  *check(skill) {
    const findings = documentsOf(skill).flatMap(([path, document]) => [...findUnnamed(path, document)]);
    yield* findings.slice(0, MAX_FINDINGS);
    const left = findings.length - MAX_FINDINGS;
    if (left > 0) yield { message: `${left} more sections cannot be asked for` };
  },
});

function documentsOf(skill: LintSkill): [string, LintDocument][] {
  return skill.tree
    .filter(({ path, kind }) => kind === 'file' && hasSections(path) && !isEvalFile(path))
    .flatMap(({ path }) => {
      const document = skill.document(path);
      return document === undefined ? [] : [[path, document] as [string, LintDocument]];
    });
}

function* findUnnamed(file: string, { markdown }: LintDocument): Generator<RuleFinding> {
  for (const { text, line } of markdown.headings)
    if (foldText(text) === '')
      yield {
        message: 'the heading is empty: agents cannot ask for its section',
        file,
        line,
        help: 'give it a text, or remove it',
      };
  if (markdown.moreHeadings > 0)
    yield {
      message: `the last ${markdown.moreHeadings} headings are left out of outlines: a file may have ${MAX_HEADINGS}`,
      file,
      help: 'split the file',
    };
}
