// A report for a terminal: the sentence, what needs a decision, what is new.

import { makeVisible, type Paint } from '../../base/diagnostics/index.ts';
import { type SkillReport, undeclaredOf } from './report.ts';
import { abilitiesIn, decisionOf, mainReason, worstFirst } from './report-words.ts';

const MAX_ROWS = 20;

/** The summary for people. */
export function renderReportText(report: SkillReport, paint: Paint): string {
  const { counts, baseline, problems, fail_on: failOn, failing, output } = report;
  const undecided = worstFirst(report.skills).filter(({ decision }) => decision.state === 'needed');
  const lines = [paint.strong(report.summary)];
  const told = undecided.slice(0, MAX_ROWS).flatMap((skill) => {
    const can = abilitiesIn(skill);
    const names = can.map(({ word }) => word).join(', ');
    const beyond = can.filter(({ isDeclared }) => !isDeclared).map(({ word }) => word);
    const marked = beyond.length === can.length ? 'not declared' : `not declared: ${beyond.join(', ')}`;
    const word = skill.verdict === 'danger' ? paint.error(skill.verdict) : paint.warning(skill.verdict);
    return [
      `  ${word}  ${makeVisible(skill.path)}: ${makeVisible(decisionOf(skill))}`,
      ...(mainReason(skill) === '' ? [] : [`      ${makeVisible(mainReason(skill))}`]),
      ...(can.length === 0
        ? []
        : [`      ${paint.faint(`can use ${names}${beyond.length === 0 ? '' : ` (${marked})`}`)}`]),
    ];
  });
  lines.push(...told);
  if (undecided.length > MAX_ROWS) lines.push(`  … and ${undecided.length - MAX_ROWS} more`);
  const broken = report.skills.filter(({ decision }) => decision.agents === 'broken');
  lines.push(
    ...broken.slice(0, MAX_ROWS).map((skill) => {
      const why = skill.lint.findings.find(({ severity }) => severity === 'error')?.message ?? '';
      return `  ${paint.error('broken')}  ${makeVisible(skill.path)}: ${makeVisible(why)}`;
    }),
  );
  if (broken.length > MAX_ROWS) lines.push(`  … and ${broken.length - MAX_ROWS} more`);
  lines.push(
    ...problems.map(
      ({ path, code, message }) => `  ${paint.error(code)}  ${makeVisible(path)}: ${makeVisible(message)}`,
    ),
  );
  lines.push(
    `${counts.danger} danger, ${counts.caution} caution, ${counts.clean} clean${counts.accepted === 0 ? '' : ` (${counts.accepted} accepted)`}${counts.locked === 0 ? '' : `, ${counts.locked} locked`}`,
  );
  const beyond = report.skills.filter((skill) => undeclaredOf(skill).length > 0).length;
  if (beyond > 0) lines.push(`${beyond} can do more than ${beyond === 1 ? 'it declares' : 'they declare'}`);
  if (baseline !== null) {
    const since = [
      ...baseline.new.map((path) => `  new      ${makeVisible(path)}`),
      ...baseline.changed.map(
        (path) =>
          `  changed  ${makeVisible(path)}: ${makeVisible(report.skills.find((skill) => skill.path === path)?.changes.join(', ') ?? '')}`,
      ),
      ...baseline.gone.map((path) => `  gone     ${makeVisible(path)}`),
    ];
    lines.push(
      since.length === 0 ? 'nothing changed since the baseline' : 'since the baseline:',
      ...since.slice(0, MAX_ROWS),
    );
    if (since.length > MAX_ROWS) lines.push(`  … and ${since.length - MAX_ROWS} more`);
    if (baseline.written) lines.push(`wrote ${makeVisible(baseline.path)}`);
  }
  if (failOn !== null)
    lines.push(
      failing.length === 0
        ? paint.good(`passes --fail-on ${failOn}`)
        : paint.error(`fails --fail-on ${failOn}: ${failing.map(makeVisible).join(', ')}`),
    );
  if (output !== null) lines.push(`wrote ${makeVisible(output)}`);
  return `${lines.join('\n')}\n`;
}
