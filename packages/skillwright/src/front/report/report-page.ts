// Writes a report as one HTML file: a first page to decide by, and everything else folded.

import { formatCount } from '../../base/diagnostics/index.ts';
import { ABILITY_KINDS } from '../../guard/scan/index.ts';
import {
  abilityBadge,
  abilityTable,
  badge,
  type Content,
  day,
  dayAndTime,
  definitions,
  emptyState,
  findingList,
  foreign,
  formatCount as formatNumber,
  type Html,
  html,
  notice,
  page,
  points,
  showControls,
  table,
  trustFactors,
  verdictBadge,
} from '../pages/index.ts';
import { type ReportedSkill, type SkillReport, undeclaredOf } from './report.ts';
import {
  type Line,
  type Piece,
  type ReportEntry,
  type ReportSection,
  reportDocument,
} from './report-document.ts';

/** In the head of a report; the next report may replace the file. */
export const PAGE_MARK = 'skc report';
/** Findings and places shown; the JSON report has all. */
const MAX_SHOWN = 30;

/** The whole page. */
export function renderReportPage(report: SkillReport): string {
  const {
    title,
    project,
    tool,
    generated_at,
    comparedWith,
    checked,
    figures,
    gate,
    failing,
    sections,
    entries,
  } = reportDocument(report);
  const isLong = entries.length > FEW_SKILLS;
  const detailed = entries
    .filter(({ skill }) => entries.length <= MANY_SKILLS || isNoted(skill))
    .slice(0, MANY_SKILLS);
  const ids = new Map(detailed.map(({ skill }, at) => [skill, `skill-${at + 1}`]));
  const byName = Map.groupBy(entries, ({ skill }) => skill.name);
  const apart = ({ name, path }: ReportedSkill) =>
    placeApart(
      path,
      byName.get(name)!.map(({ skill }) => skill.path),
    );
  const isShort = detailed.length < entries.length;
  const write = (line: Line): Html =>
    html`${line.map((piece) => pieceHtml(piece, { ids, apart, isShort, write }))}`;
  const titles = [...sections.map((section) => section.title), 'Details', 'How to read this report'];
  const details = headed('Details', [
    detailed.length === entries.length
      ? ''
      : html`<p class="muted">${formatNumber(detailed.length)} of ${formatNumber(entries.length)} skills: those that need a decision, are broken or changed, or whose licence is refused. The JSON report has all.</p>`,
    isLong ? filterChoices() : '',
    detailed.map((entry) => writeEntry(entry, { ids, apart, isShort: false, write })),
  ]);
  return page({
    title: `Skill report: ${project}`,
    brand: { name: `Skill report: ${project}`, href: '#main' },
    assets: 'inline',
    generator: PAGE_MARK,
    main: html`<div class="stack-large report">
<div class="page-head"><h1 class="verdict">${title}</h1>
<p>Checked ${checked}. ${dayAndTime(generated_at)}, ${tool}${comparedWith === null ? '' : html`, compared with <bdi class="mono">${comparedWith}</bdi>`}</p></div>
<dl class="stats">${figures.map((figure) => html`<div><dt>${figure.title}</dt><dd>${formatNumber(figure.value)}</dd></div>`)}</dl>
${gate === null ? '' : failing.length === 0 ? notice('good', { title: gate }) : notice('bad', { title: gate, body: points(failing.map(foreign), MAX_SHOWN) })}
${isLong ? summary(entries.map(({ skill }) => skill)) : ''}
${isLong ? html`<nav class="contents" aria-label="Contents"><h2>Contents</h2><ol>${titles.map((one) => html`<li><a href="#${anchorOf(one)}">${one}</a></li>`)}</ol></nav>` : ''}
${sections.map((section, at) => html`<div class="${isLong && at === 0 ? 'page-break' : ''}">${headed(section.title, writeSection(section, write))}</div>`)}
<div class="page-break">${details}</div>
${headed('How to read this report', explanation())}
</div>`,
  }).toString();
}

/** Above the first number a report has contents and a filter; above the second, details of noted skills only. */
const FEW_SKILLS = 50;
const MANY_SKILLS = 250;

const isNoted = ({ decision, licence, change }: ReportedSkill) =>
  decision.state !== 'not-needed' ||
  decision.agents === 'broken' ||
  licence.refused !== null ||
  change === 'new' ||
  change === 'changed';

const anchorOf = (title: string) => title.toLowerCase().replaceAll(' ', '-');

/** Entries by what a reader looks for. The style sheet hides the others, so that no script is needed. */
function filterChoices(): Html {
  const choices = [
    ['all', 'All'],
    ['danger', 'Danger'],
    ['caution', 'Caution'],
    ['needed', 'Needs a decision'],
    ['unlicensed', 'Without a licence'],
  ] as const;
  return html`<fieldset class="report-filter"><legend>Show</legend>${choices.map(
    ([value, label]) =>
      html`<label><input type="radio" name="show" value="${value}"${value === 'all' ? html` checked` : ''}> ${label}</label>`,
  )}</fieldset>`;
}

/** The licences of many skills, and what they can do, on the first page. */
function summary(skills: readonly ReportedSkill[]): Html {
  const counted = (title: string, words: (skill: ReportedSkill) => readonly string[]) => {
    const counts = Map.groupBy(skills.flatMap(words), (word) => word);
    const rows = [...counts]
      .map(([word, { length }]) => [word, length] as const)
      .sort(([x, a], [y, b]) => b - a || (x < y ? -1 : 1));
    const rest = rows.length - MAX_ROWS;
    return html`<div><h2>${title}</h2>${definitions(rows.slice(0, MAX_ROWS).map(([word, count]) => [showControls(word), html`${formatNumber(count)}`] as const))}${rest > 0 ? html`<p class="muted small">and ${formatNumber(rest)} more</p>` : ''}</div>`;
  };
  return html`<section class="summary" aria-label="Summary">${counted('Licence', ({ licence }) => [cut(licence.declared ?? licence.detected ?? (licence.file === null ? 'none' : 'not recognised'))])}${counted('Agents', ({ decision }) => [agentStates[decision.agents]])}${counted('Can do', ({ abilities }) => abilities.flatMap(({ kind, found }) => (found.length === 0 ? [] : [kind])))}</section>`;
}

/** As many of the last directories of a path as no other one ends with. */
function placeApart(path: string, all: readonly string[]): string {
  const others = all.filter((one) => one !== path);
  const parts = path.split('/');
  let from = parts.length - 1;
  const isSame = (other: string) => `/${other}`.endsWith(`/${parts.slice(from).join('/')}`);
  while (from > 0 && others.some(isSame)) from -= 1;
  return others.length === 0 ? '' : parts.slice(Math.min(from, parts.length - 2), -1).join('/');
}

const cut = (text: string) => (text.length > 40 ? `${text.slice(0, 39).trimEnd()}…` : text);

const MAX_ROWS = 8;

const agentStates: Readonly<Record<ReportedSkill['decision']['agents'], string>> = {
  free: 'may use it',
  asked: 'ask first',
  off: 'switched off',
  denied: 'denied',
  'user-only': 'for you only',
  unavailable: 'requirement missing',
  locked: 'locked by a quiz',
  broken: 'cannot be loaded',
};

interface Writing {
  /** Anchors of the skills. */
  readonly ids: ReadonlyMap<ReportedSkill, string>;
  /** The directory that tells it apart from other skills of its name; empty when there are none. */
  apart(skill: ReportedSkill): string;
  /** Leaves out what only helps in a short list. */
  readonly isShort: boolean;
  write(line: Line): Html;
}

function pieceHtml(piece: Piece, { ids, apart, isShort, write }: Writing): Content {
  if (typeof piece === 'string') return piece;
  if ('words' in piece) return foreign(piece.words);
  if ('quote' in piece) return foreign(piece.quote);
  if ('place' in piece) return html`<bdi class="mono">${piece.place}</bdi>`;
  if ('strong' in piece) return html`<span class="shout">${write(piece.strong)}</span>`;
  if ('mark' in piece) return badge(piece.mark, piece);
  if ('day' in piece) return day(piece.day);
  if ('skill' in piece) {
    const id = ids.get(piece.skill);
    const name = foreign(piece.skill.name);
    const link = id === undefined ? name : html`<a href="#${id}">${name}</a>`;
    const place = apart(piece.skill);
    return place === '' ? link : html`${link}<span class="under">in ${foreign(place)}</span>`;
  }
  if ('verdict' in piece) return verdictBadge(piece.verdict.verdict, piece.verdict.verdict_of_all);
  if ('trust' in piece) return html`${piece.trust.score} of 100${trustFactors(piece.trust)}`;
  if (isShort)
    return piece.abilities.map(({ word, isDeclared }) => `${word}${isDeclared ? '' : ' !'}`).join(', ');
  if (piece.abilities.length === 0) return html`<span class="muted">nothing found</span>`;
  return html`<span class="tags">${piece.abilities.map(({ word, isDeclared }) => abilityBadge(word, isDeclared))}</span>`;
}

const headed = (title: string, content: Content): Html =>
  html`<section id="${anchorOf(title)}"><div class="section-head"><h2>${title}</h2></div>${content}</section>`;

function writeSection({ title, content, note }: ReportSection, write: Writing['write']): Html {
  if ('items' in content) return points(content.items.map(write), content.items.length);
  const { columns, rows, empty } = content;
  return html`${note === undefined ? '' : html`<p class="muted small">${write(note)}</p>`}${table({
    caption: title,
    columns,
    rows: rows.map((cells) => cells.map(write)),
    empty: emptyState(empty),
  })}`;
}

/** The entry of a skill. The id is inside, so that a link to it unfolds the entry without a script. */
function writeEntry({ skill, facts }: ReportEntry, { ids, write }: Writing): Html {
  const { findings, change, locked } = skill;
  const undeclared = undeclaredOf(skill);
  const marks = [
    skill.verdict,
    skill.decision.state,
    ...(skill.licence.declared === null && skill.licence.file === null ? ['unlicensed'] : []),
  ];
  return html`<details class="entry" data-is="${marks.join(' ')}"><summary><h3>${foreign(skill.name)}</h3>${
    change === 'new' || change === 'changed' ? badge(change, { tone: 'accent' }) : ''
  }${undeclared.length === 0 ? '' : badge(`${undeclared.length} not declared`, { tone: 'warn', sign: '!' })}${
    locked ? badge('locked', { title: 'A quiz locks it: nothing of it is quoted' }) : ''
  }${verdictBadge(skill.verdict, skill.verdict_of_all)}</summary>
<div class="entry-body" id="${ids.get(skill)!}">
${skill.description === '' ? '' : html`<p>${foreign(skill.description)}</p>`}
${definitions([
  ['Path', html`<bdi class="mono">${skill.path}</bdi>`],
  ...facts.map(
    ({ title, line, points: below = [] }) =>
      [title, html`${write(line)}${below.length === 0 ? '' : points(below.map(write), MAX_SHOWN)}`] as const,
  ),
])}
${findings.length === 0 ? '' : part(findingsTitle(skill), findingList(findings, { most: MAX_SHOWN, rest: 'The JSON report has all.' }))}
${part('What it can do', abilityTable(skill.abilities, MAX_SHOWN))}
</div></details>
`;
}

const part = (title: string, content: Content): Html => html`<section><h4>${title}</h4>${content}</section>`;

const findingsTitle = ({ findings }: ReportedSkill) =>
  formatCount(findings.filter(({ is_sum: isSum }) => isSum !== true).length, 'scan finding');

function explanation(): Html {
  return definitions([
    [
      'Verdict',
      'What the scanner says about the files, without findings that somebody accepted. Danger: do not use it. Caution: read the findings first. Clean does not prove a skill safe.',
    ],
    [
      'Can do',
      html`Found in scripts of the skill and in commands of its instructions: ${ABILITY_KINDS.join(', ')}. A mark means that the frontmatter declares abilities (allowed-tools, compatibility, metadata.sandbox, metadata.requires) and leaves this one out, or that the skill uses secrets without saying so.`,
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
