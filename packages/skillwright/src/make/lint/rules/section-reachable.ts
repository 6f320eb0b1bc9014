// SKL405: an agent that has the stub can reach every section.

import { orUndefined } from '../../../base/diagnostics/index.ts';
import {
  decodeText,
  formatBytes,
  isEvalFile,
  isIgnoredName,
  MAX_HEADINGS,
  MAX_TEXT_BYTES,
  readInside,
} from '../../../base/files/index.ts';
import { foldText } from '../../../base/markdown/index.ts';
import { hasSections } from '../../../read/index/index.ts';
import type { LintDocument, LintSubject } from '../lint-subject.ts';
import { quoteText } from '../quote-text.ts';
import { defineRule, firstFindings, type RuleFinding } from '../rule.ts';

/** Reports sections that neither a stub, nor an outline, nor `show`, `search` or `open` leads to. */
export const sectionReachable = defineRule({
  id: 'SKL405',
  name: 'section-reachable',
  severity: 'warning',
  summary: 'An agent that has the stub can reach every section.',
  check(skill) {
    const documents = skill.files().filter((path) => hasSections(path) && !isEvalFile(path));
    const findings = [...findLeftOut(skill), ...documents.flatMap((path) => findIn(skill, path))];
    return firstFindings(findings, (left) => `${left} more such findings`);
  },
});

function findIn(skill: LintSubject, path: string): RuleFinding[] {
  const document = skill.document(path);
  // A replacement character is written by an author, or stands for bytes that are not text.
  const isDoubtful = document === undefined || document.text.includes('\ufffd');
  const obstacle = isDoubtful ? findObstacle(skill, path) : undefined;
  if (obstacle === undefined) return document === undefined ? [] : findUnnamed(path, document);
  const message = `agents cannot read ${quoteText(path)}, because it is ${obstacle}`;
  return [{ message, file: path, help: 'split a large file, and save it as text' }];
}

/** Linked files that are not part of the skill: no stub mentions them, and no index holds them. */
function findLeftOut(skill: LintSubject): RuleFinding[] {
  const isLeftOut = (path: string) => path.split('/').some((name) => name !== '.' && isIgnoredName(name));
  return skill
    .links()
    .filter(({ place }) => place.kind === 'inside' && isLeftOut(place.path))
    .map(({ file, line, target }) => ({
      message: `the link ${quoteText(target)} leads to a file that agents never get: hidden files and node_modules are not part of a skill`,
      file,
      line,
      help: 'move the file to a folder without a dot, such as references',
    }));
}

/** Why an index leaves a file out. Links out of the skill are reported by another rule. */
function findObstacle(skill: LintSubject, path: string): string | undefined {
  if (skill.sizeOf(path) > MAX_TEXT_BYTES) return `larger than ${formatBytes(MAX_TEXT_BYTES)}`;
  const bytes = orUndefined(() => readInside(skill.dir, path, { maxBytes: MAX_TEXT_BYTES }));
  return decodeText(bytes ?? new Uint8Array()).binary ? 'not text' : undefined;
}

function findUnnamed(file: string, { markdown: { headings, moreHeadings } }: LintDocument): RuleFinding[] {
  const empty = headings
    .filter(({ text }) => foldText(text) === '')
    .map(({ line }) => ({
      message: 'the heading is empty: no outline says what its section is about',
      file,
      line,
      help: 'give it a text, or remove it',
    }));
  if (moreHeadings === 0) return empty;
  const message = `the last ${moreHeadings} headings are left out of outlines: a file may have ${MAX_HEADINGS}`;
  return [...empty, { message, file, help: 'split the file' }];
}
