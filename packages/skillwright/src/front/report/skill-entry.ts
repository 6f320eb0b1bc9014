// One skill of a report in HTML: a line, and everything about it folded below.

import { formatCount, formatPlace } from '../../base/diagnostics/index.ts';
import {
  badge,
  type Content,
  day,
  definitions,
  foreign,
  type Html,
  html,
  join,
  severityBadge,
  showControls,
  table,
  verdictBadge,
} from '../pages/index.ts';
import { type ReportedSkill, undeclaredOf } from './report.ts';
import {
  abilityTitles,
  agentWords,
  decisionOf,
  findingPlace,
  licenceOf,
  originOf,
  sizeWords,
} from './report-words.ts';

/** Findings and places shown; the JSON report has all. */
const MAX_SHOWN = 30;

/** The verdict, or that somebody accepted everything the scan found. */
export function decidedVerdict({ verdict, verdict_of_all: all }: ReportedSkill): Html {
  if (verdict !== 'clean' || all === 'clean') return verdictBadge(verdict);
  return badge('accepted', {
    tone: 'accent',
    sign: '✓',
    title: `${all}, with findings that somebody accepted`,
  });
}

/** The entry of a skill. The id is inside, so that a link to it unfolds the entry without a script. */
export function skillEntry(skill: ReportedSkill, id: string): Html {
  const undeclared = undeclaredOf(skill);
  return html`<details class="entry"><summary><h3>${foreign(skill.name)}</h3>${
    skill.change === 'new' || skill.change === 'changed' ? badge(skill.change, { tone: 'accent' }) : ''
  }${undeclared.length === 0 ? '' : badge(`${undeclared.length} not declared`, { tone: 'warn', sign: '!' })}${
    skill.locked ? badge('locked', { title: 'A quiz locks it: nothing of it is quoted' }) : ''
  }${decidedVerdict(skill)}</summary>
<div class="entry-body" id="${id}">
${skill.description === '' ? '' : html`<p>${foreign(skill.description)}</p>`}
${facts(skill)}
${findings(skill)}
${part('What it can do', abilityTable(skill))}
${trust(skill)}
${lint(skill)}
</div></details>
`;
}

const part = (title: string, content: Content): Html => html`<section><h4>${title}</h4>${content}</section>`;

function facts(skill: ReportedSkill): Html {
  const { source, licence, decision, digest } = skill;
  return definitions([
    ['Path', html`<bdi class="mono">${skill.path}</bdi>`],
    ['Decision', decisionFacts(skill)],
    [
      'Agents',
      `${agentWords[decision.agents]}${decision.granted.length === 0 ? '' : `; you granted ${decision.granted.join(', ')}`}`,
    ],
    [
      'Licence',
      html`${foreign(licenceOf(skill))}${licence.file === null ? '' : html` <span class="muted">(${foreign(licence.file)})</span>`}${licence.problem === null ? '' : html`: <span class="shout">${foreign(licence.problem)}</span>`}`,
    ],
    ['Source', source === null ? 'not installed by skc' : sourceFacts(source, originOf(skill))],
    ['Size', sizeWords(skill)],
    ['Digest', digest === null ? 'a file cannot be read' : html`<span class="mono">${digest}</span>`],
    ['Changes', skill.changes.length === 0 ? undefined : join(skill.changes.map(foreign), ', ')],
  ]);
}

function decisionFacts(skill: ReportedSkill): Html {
  const { accepted } = skill.decision;
  const rows = accepted.map(
    ({ by, why, at, where, counts }) =>
      html`<li>${foreign(by)}, ${day(at)}, in the ${where}: ${foreign(why)}${counts ? '' : html` <span class="muted">(does not count without --trust-lock)</span>`}</li>`,
  );
  return html`${foreign(decisionOf(skill))}${rows.length === 0 ? '' : html`<ul class="points">${rows}</ul>`}`;
}

function sourceFacts(source: NonNullable<ReportedSkill['source']>, origin: string): Html {
  const differences = [...source.changes, ...source.edits.map((file) => `edited ${file}`)];
  return html`${foreign(origin)}<ul class="points">
<li><bdi class="mono">${source.source}</bdi>${source.path === '' ? '' : html` in <bdi class="mono">${source.path}</bdi>`}</li>
${source.commit === null ? '' : html`<li>commit <span class="mono">${source.commit}</span></li>`}
<li>installed on ${day(source.installed_at)}${source.pinned ? ', pinned' : ''}</li>
${differences.length === 0 ? '' : html`<li class="shout">differs from the lock: ${join(firstItems(differences).map(foreign), ', ')}</li>`}
${source.update === null ? '' : html`<li>newer version: ${foreign(source.update)}</li>`}
${source.notices.map(({ kind, text }) => html`<li>${badge(kind, { tone: 'warn' })} ${foreign(text)}</li>`)}
</ul>`;
}

function abilityTable({ abilities }: ReportedSkill): Html {
  const used = abilities.filter(({ declared, found }) => declared.length + found.length > 0);
  return table({
    caption: 'What it can do',
    columns: [{ title: 'Kind' }, { title: 'Declared' }, { title: 'Found' }],
    rows: used.map(({ kind, declared, found }) => [
      abilityTitles[kind],
      declared.length === 0
        ? html`<span class="shout">nothing</span>`
        : html`<ul class="points">${firstItems(declared).map((one) => html`<li>${foreign(one)}</li>`)}</ul>`,
      found.length === 0
        ? html`<span class="muted">nothing</span>`
        : html`<ul class="points">${foundRows(found, { isMarked: declared.length > 0 })}</ul>`,
    ]),
    empty: html`<p class="muted">Nothing was declared or found.</p>`,
  });
}

/** With nothing declared at all, the other column says so once. */
function foundRows(
  found: ReportedSkill['abilities'][number]['found'],
  { isMarked }: { isMarked: boolean },
): Html[] {
  const rows = found.slice(0, MAX_SHOWN).map(({ what, by, count, file, line, excerpt, declared }) => {
    const place =
      file === null
        ? ''
        : html` <span class="muted">in <bdi class="mono">${findingPlace({ file, line })}</bdi>${by === 'instructions' ? ', for the agent to run' : ''}</span>`;
    return html`<li>${declared || !isMarked ? '' : html`<span class="shout">not declared:</span> `}<strong>${foreign(what)}</strong>${count > 1 ? ` ×${count}` : ''}${place}${excerpt === null ? '' : html`<br><code>${showControls(excerpt)}</code>`}</li>`;
  });
  return found.length > MAX_SHOWN
    ? [...rows, html`<li class="muted">and ${found.length - MAX_SHOWN} more; the JSON report has all</li>`]
    : rows;
}

function findings({ findings: all, skipped }: ReportedSkill): Html {
  if (all.length + skipped.length === 0) return html``;
  const rows = all
    .slice(0, MAX_SHOWN)
    .map(
      (finding) =>
        html`<li><div class="row">${severityBadge(finding.severity)} <strong>${finding.rule} ${finding.name}</strong> <bdi class="mono">${findingPlace(finding)}</bdi>${finding.confidence === 'high' ? '' : html` <span class="muted">${finding.confidence} confidence</span>`}${finding.accepted === null ? '' : html`${badge('accepted', { tone: 'good' })} <span>by ${foreign(finding.accepted.by)}</span>`}</div><p>${foreign(finding.message)}. ${finding.reason}</p>${finding.excerpt === null ? '' : html`<code>${showControls(finding.excerpt)}</code>`}</li>`,
    );
  const more =
    all.length > MAX_SHOWN
      ? html`<li class="muted">and ${all.length - MAX_SHOWN} more; the JSON report has all</li>`
      : '';
  const unscanned = firstItems(skipped.map(({ file, why }) => `${file} (${why})`));
  return part(
    formatCount(all.filter(({ is_sum: isSum }) => isSum !== true).length, 'scan finding'),
    html`${all.length === 0 ? '' : html`<ul class="evidence">${rows}${more}</ul>`}${
      skipped.length === 0
        ? ''
        : html`<p class="small muted">Not scanned: ${join(unscanned.map(foreign), ', ')}</p>`
    }`,
  );
}

function trust({ trust: { score, factors, cap } }: ReportedSkill): Html {
  const rows = factors.map(
    ({ factor, points, max, reason }) =>
      html`<li>${factor}: <span class="${points === 0 ? 'muted' : ''}">${points} of ${max}, ${foreign(reason)}</span></li>`,
  );
  const limit = cap === null ? '' : html`<li class="shout">at most ${cap.at}: ${cap.reason}</li>`;
  return part(`Trust: ${score} of 100`, html`<ul class="points">${rows}${limit}</ul>`);
}

function lint({ lint: { errors, warnings, findings: all } }: ReportedSkill): Html {
  const told = all.filter(({ severity }) => severity !== 'info');
  if (told.length === 0) return html``;
  return part(
    `Lint: ${formatCount(errors, 'error')}, ${formatCount(warnings, 'warning')}`,
    html`<ul class="points">${told
      .slice(0, MAX_SHOWN)
      .map(
        ({ rule, severity, message, path, line }) =>
          html`<li>${badge(severity, { tone: severity === 'error' ? 'bad' : 'warn' })} ${rule} <bdi class="mono">${formatPlace(path, line)}</bdi>: ${foreign(message)}</li>`,
      )}${told.length > MAX_SHOWN ? html`<li class="muted">and ${told.length - MAX_SHOWN} more</li>` : ''}</ul>`,
  );
}

const firstItems = (items: readonly string[]): string[] => [
  ...items.slice(0, MAX_SHOWN),
  ...(items.length > MAX_SHOWN ? [`and ${items.length - MAX_SHOWN} more`] : []),
];
