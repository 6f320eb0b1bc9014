// A report as one HTML file: a first page for the person who decides, and everything else folded.

import { formatCount } from '../../base/diagnostics/index.ts';
import { ABILITY_KINDS } from '../../guard/scan/index.ts';
import {
  badge,
  type Content,
  dayAndTime,
  definitions,
  emptyState,
  foreign,
  formatCount as formatNumber,
  type Html,
  html,
  join,
  notice,
  page,
  table,
} from '../pages/index.ts';
import type { ReportedSkill, SkillReport } from './report.ts';
import { abilitiesIn, decisionOf, licenceOf, mainReason, originOf, worstFirst } from './report-words.ts';
import { decidedVerdict, skillEntry } from './skill-entry.ts';

/** In the head of a report; the next report may replace the file. */
export const PAGE_MARK = 'skc report';

/** The whole page. */
export function renderReportPage(report: SkillReport): string {
  const skills = worstFirst(report.skills);
  const ids = new Map(report.skills.map((skill, at) => [skill, `skill-${at + 1}`]));
  const link = (skill: ReportedSkill) => html`<a href="#${ids.get(skill)!}">${foreign(skill.name)}</a>`;
  const undecided = skills.filter(({ decision }) => decision.state === 'needed');
  return page({
    title: `Skill report: ${report.project}`,
    brand: { name: `Skill report: ${report.project}`, href: '#main' },
    assets: 'inline',
    generator: PAGE_MARK,
    main: html`<div class="stack-large">
<div class="page-head"><h1 class="verdict">${report.summary}</h1>
<p>${dayAndTime(report.generated_at)}, ${report.tool}${report.baseline === null ? '' : html`, compared with <bdi class="mono">${report.baseline.path}</bdi>`}</p></div>
${figures(report)}
${failureNotice(report)}
${undecided.length === 0 ? '' : section('Needs a decision', undecidedTable(undecided, link))}
${changes(report, link)}
${problems(report)}
${section('All skills', html`${legend(skills)}${allTable(skills, link)}`)}
<section class="page-break"><div class="section-head"><h2>Details</h2></div>${skills.map((skill) => skillEntry(skill, ids.get(skill)!))}</section>
${section('How to read this report', explanation())}
</div>`,
  }).toString();
}

const section = (title: string, content: Content): Html =>
  html`<section><div class="section-head"><h2>${title}</h2></div>${content}</section>`;

function figures({ counts, baseline }: SkillReport): Html {
  const shown: readonly (readonly [string, number])[] = [
    ['Skills', counts.skills],
    ['Can be used', counts.usable],
    ['Need a decision', counts.undecided],
    ['Danger', counts.danger],
    ['Caution', counts.caution],
    ['Accepted', counts.accepted],
    ['Do more than declared', counts.undeclared],
    ...(counts.broken === 0 ? [] : [['Cannot be loaded', counts.broken] as const]),
    ...(counts.locked === 0 ? [] : [['Locked by a quiz', counts.locked] as const]),
    ...(baseline === null
      ? []
      : [['New', baseline.new.length] as const, ['Changed', baseline.changed.length] as const]),
  ];
  return html`<dl class="stats">${shown.map(([term, value]) => html`<div><dt>${term}</dt><dd>${formatNumber(value)}</dd></div>`)}</dl>`;
}

function failureNotice({ fail_on: failOn, failing }: SkillReport): Html {
  if (failOn === null) return html``;
  if (failing.length === 0) return notice('good', { title: `Passes --fail-on ${failOn}` });
  return notice('bad', {
    title: `Fails --fail-on ${failOn}`,
    body: html`<ul>${failing.map((path) => html`<li>${foreign(path)}</li>`)}</ul>`,
  });
}

type Link = (skill: ReportedSkill) => Html;

function undecidedTable(skills: readonly ReportedSkill[], link: Link): Html {
  return table({
    caption: 'Skills that need a decision',
    columns: [
      { title: 'Skill' },
      { title: 'Verdict' },
      { title: 'Why' },
      { title: 'Can do' },
      { title: 'Source' },
    ],
    rows: skills.map((skill) => [
      link(skill),
      decidedVerdict(skill),
      foreign(mainReason(skill)),
      canDo(skill),
      foreign(originOf(skill)),
    ]),
  });
}

/** Abilities as badges; those without a declaration stand out. */
function canDo(skill: ReportedSkill): Html {
  const found = abilitiesIn(skill);
  if (found.length === 0) return html`<span class="muted">nothing found</span>`;
  return html`<span class="tags">${found.map(({ word, isDeclared }) =>
    isDeclared
      ? badge(word)
      : badge(word, {
          tone: 'warn',
          sign: '!',
          title: 'Found in its files, not declared in its frontmatter',
        }),
  )}</span>`;
}

/** Explains the mark where it is used. */
function legend(skills: readonly ReportedSkill[]): Html {
  if (skills.every((skill) => abilitiesIn(skill).every(({ isDeclared }) => isDeclared))) return html``;
  return html`<p class="muted small">${badge('network', { tone: 'warn', sign: '!' })} with a mark: found in its files, and not declared in its frontmatter.</p>`;
}

function changes({ baseline, skills }: SkillReport, link: Link): Html {
  if (baseline === null) return html``;
  const { new: added, changed, gone } = baseline;
  const by = new Map(skills.map((skill) => [skill.path, skill]));
  const rows = [
    ...added.map(
      (path) => [by.get(path), badge('new', { tone: 'accent' }), newAbilities(by.get(path))] as const,
    ),
    ...changed.map(
      (path) =>
        [
          by.get(path),
          badge('changed', { tone: 'warn' }),
          join((by.get(path)?.changes ?? []).map(foreign), ', '),
        ] as const,
    ),
  ];
  const content = table({
    caption: 'Changes since the baseline',
    columns: [{ title: 'Skill' }, { title: 'Change' }, { title: 'Verdict' }, { title: 'What' }],
    rows: [
      ...rows.flatMap(([skill, mark, what]) =>
        skill === undefined ? [] : [[link(skill), mark, decidedVerdict(skill), what]],
      ),
      ...gone.map((path) => [foreign(path), badge('gone'), '', '']),
    ],
    empty: emptyState('Nothing changed since the baseline'),
  });
  return section('Since the baseline', content);
}

const newAbilities = (skill: ReportedSkill | undefined): Html =>
  skill === undefined ? html`` : canDo(skill);

function problems({ problems: all }: SkillReport): Html {
  if (all.length === 0) return html``;
  return section(
    'Could not be read',
    html`<ul class="points">${all.map(({ path, code, message }) => html`<li>${badge(code, { tone: 'bad' })} ${foreign(path)}: ${foreign(message)}</li>`)}</ul>`,
  );
}

function allTable(skills: readonly ReportedSkill[], link: Link): Html {
  return table({
    caption: 'All skills',
    columns: [
      { title: 'Skill' },
      { title: 'Verdict' },
      { title: 'Decision' },
      { title: 'Can do' },
      { title: 'Licence' },
      { title: 'Source' },
      { title: 'Trust', kind: 'number' },
      { title: 'Lint', kind: 'number' },
    ],
    rows: skills.map((skill) => [
      link(skill),
      decidedVerdict(skill),
      foreign(decisionOf(skill)),
      canDo(skill),
      skill.licence.problem === null
        ? foreign(licenceOf(skill))
        : html`${foreign(licenceOf(skill))} ${badge('!', { tone: 'warn', title: skill.licence.problem })}`,
      foreign(originOf(skill)),
      skill.trust.score,
      skill.lint.errors === 0
        ? formatCount(skill.lint.warnings, 'warning')
        : formatCount(skill.lint.errors, 'error'),
    ]),
    empty: emptyState('There are no skills'),
  });
}

function explanation(): Html {
  return definitions([
    [
      'Verdict',
      'What the scanner says about the files, without findings that somebody accepted. Danger: do not use it. Caution: read the findings first. Clean does not prove a skill safe.',
    ],
    [
      'Can do',
      html`Found in scripts of the skill and in commands of its instructions: ${ABILITY_KINDS.join(', ')}. A mark means that its frontmatter does not declare it (allowed-tools, compatibility, metadata.sandbox, metadata.requires).`,
    ],
    [
      'Decision',
      'A skill with findings needs one. The baseline records who accepted which findings, why and when; an acceptance ends when the file changes.',
    ],
    [
      'Trust',
      'From 0 to 100, by origin, licence, version, author, scan, size and integrity. It uses no network.',
    ],
  ]);
}
