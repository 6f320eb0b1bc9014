// One skill: its text beside its outline, and how it is used.

import { formatPlace } from '../../../base/diagnostics/index.ts';
import { hasSections } from '../../../read/index/index.ts';
import {
  badge,
  type Content,
  commandLine,
  fileCells,
  fileColumns,
  findingList,
  foreign,
  form,
  formatCount,
  type Html,
  html,
  notice,
  plural,
  showControls,
  submit,
  trail,
  trustFactors,
  verdictBadge,
} from '../../pages/index.ts';
import type { SkillView } from '../data/read-skill.ts';
import { skillPath } from '../data/show-place.ts';
import type { SkillRow } from '../data/skill-facts.ts';
import { firstRows, MAX_ROWS } from './first-rows.ts';
import { heatedText } from './heated-text.ts';
import { commandFor, countOr, formBadge, nameTags, rangeTabs, updateBadge } from './skill-pieces.ts';
import { emptySearches, skillUse } from './skill-use.ts';
import { isExport, type StudioFrame, studioShell } from './studio-shell.ts';

export function skillPage(view: SkillView, frame: StudioFrame): Html {
  const { skill, range, file } = view;
  const ranges = rangeTabs(range, (one) => {
    const address = skillPath(skill.id, file);
    return frame.href(`${address}${address.includes('?') ? '&' : '?'}range=${one}`);
  });
  const main = html`${trail([{ label: 'Skills', href: frame.href('/') }])}
<div class="stack">${skillHead(view)}${warnings(view)}${changeForms(skill, frame)}${isExport(frame) ? '' : ranges}${totals(view)}${isExport(frame) ? '' : jumps(view)}</div>
<div class="stack-large parts">${skillUse(view, frame)}${heatedText(view, frame)}${skillSafety(view, frame)}</div>`;
  return studioShell(frame, { title: skill.name, main });
}

function skillHead({ skill }: SkillView): Html {
  const { name, version, description, scope, form, why, verdict, enabled, agents, place, install } = skill;
  return html`<div class="skill-head"><h1><bdi dir="auto">${showControls(name)}</bdi>${version === null ? '' : html` <span class="version">${foreign(version)}</span>`}</h1>
<p class="row">${enabled ? '' : badge('off', { tone: 'warn', sign: '○' })}${formBadge(form, why)}${verdictBadge(verdict)}${badge(scope)}${updateBadge(skill)}</p>
<p class="lead">${description === '' ? html`<span class="muted">No description</span>` : foreign(description)}</p>
<div class="facts"><span class="mono">${foreign(place)}</span>${install === null ? '' : html`<span>from ${foreign(install.source)}</span>`}<span class="row">seen by ${nameTags(agents, { limit: 12, none: 'no agent' })}</span></div></div>`;
}

function warnings({ skill }: SkillView): Html {
  const { unavailable, verdict } = skill;
  return html`${
    unavailable === null
      ? ''
      : notice('warn', { title: 'Agents cannot use this skill', body: html`<p>${foreign(unavailable)}</p>` })
  }${
    verdict === 'danger'
      ? notice('warn', {
          title: 'The scan found something dangerous',
          body: html`<p><a href="#findings">Read the findings</a> before an agent does.</p>`,
        })
      : ''
  }`;
}

function totals({ skill, outline }: SkillView): Html {
  const { reads, tokens_served: served, tokens_saved: saved, error_count: errors } = skill.use;
  const unread = outline.filter((section) => section.reads === 0);
  const wasted = unread.reduce((sum, { ownTokens }) => sum + ownTokens, 0);
  return html`<dl class="totals" id="totals" data-refresh="event" data-about="${skill.id}"><div><dt>Reads</dt><dd>${formatCount(reads)}</dd>${errors === 0 ? '' : html`<dd class="note"><a href="#errors">${plural(errors, 'failed request')}</a></dd>`}</div>
<div><dt>Sections never read</dt><dd>${formatCount(unread.length)}<span class="of"> of ${formatCount(outline.length)}</span></dd>${outline.length === 0 ? '' : html`<dd class="note">${formatCount(wasted)} tokens</dd>`}</div>
<div><dt>Tokens served</dt><dd>${formatCount(served)}</dd></div>
<div><dt>Tokens saved</dt><dd>${formatCount(saved)}</dd><dd class="note"><a href="#tokens">how it is counted</a></dd></div>
<div><dt>SKILL.md</dt><dd>${countOr(skill.tokens)}<span class="of"> tokens</span></dd>${skill.stub_tokens === null || skill.stub_tokens === skill.tokens ? '' : html`<dd class="note">${formatCount(skill.stub_tokens)} in its stub</dd>`}</div></dl>`;
}

function jumps({ outline, stats, files, scan, lint }: SkillView): Html {
  const parts: readonly (readonly [id: string, label: string, count?: number])[] = [
    ['tokens', 'Tokens'],
    ['searches', 'Searches without result', emptySearches(stats).length],
    ['errors', 'Errors', stats.errors.length],
    ['quiz', 'Quiz', stats.quiz.length],
    ['text', 'Text', outline.length],
    ['files', 'Files', files.length],
    ['findings', 'Findings', scan.findings.length + lint.findings.length],
    ['trust', 'Trust'],
    ['deployed', 'Deployed'],
  ];
  return html`<nav class="jumps" aria-label="On this page"><ul>${parts.map(
    ([id, label, count]) =>
      html`<li><a href="#${id}">${label}${count === undefined ? '' : html` <span class="count">${formatCount(count)}</span>`}</a></li>`,
  )}</ul></nav>`;
}

// Forms that change a skill. The studio is read-only until the user asks for changes.

function changeForms(skill: SkillRow, frame: StudioFrame): Html {
  const { csrf, mayChange, path, href } = frame;
  if (csrf === null) return html``;
  const back = html`<input type="hidden" name="back" value="${path}">`;
  if (!mayChange)
    return html`<div class="changes">${form({
      action: href('/changes'),
      csrf,
      isInline: true,
      label: 'Allow changes',
      content: html`${back}<input type="hidden" name="allow" value="true">${submit('Allow changes', { kind: 'plain' })}`,
    })}<span class="muted small">The studio only reads until you allow changes.</span></div>`;
  const action = (name: string, { label, fields = '' }: { label: string; fields?: Html | '' }) =>
    form({
      action: href(`${skillPath(skill.id)}/${name}`),
      csrf,
      isInline: true,
      label,
      content: html`${back}${fields}${submit(label, { kind: 'plain' })}`,
    });
  return html`<div class="changes" role="group" aria-label="Changes">${action('enabled', {
    label: skill.enabled ? 'Turn off' : 'Turn on',
    fields: html`<input type="hidden" name="enabled" value="${skill.enabled ? 'false' : 'true'}">`,
  })}${action('build', { label: 'Build' })}${action('scan', { label: 'Scan' })}${form({
    action: href('/changes'),
    csrf,
    isInline: true,
    label: 'Stop changes',
    content: html`${back}<input type="hidden" name="allow" value="false"><button type="submit" class="link-button">Stop changes</button>`,
  })}</div>`;
}

// Files of a skill, findings, trust, and where it is deployed.

function skillSafety(view: SkillView, frame: StudioFrame): Html {
  return html`<div class="stack-large">${files(view, frame)}${findings(view, frame)}<div class="pairs">${trust(view, frame)}${deployed(view)}</div></div>`;
}

function section(id: string, { title, content }: { title: string; content: Content }): Html {
  return html`<section id="${id}" aria-labelledby="${id}-heading"><div class="section-head"><h2 id="${id}-heading">${title}</h2></div>${content}</section>`;
}

function files({ skill, files: all, file: current }: SkillView, frame: StudioFrame): Html {
  return section('files', {
    title: 'Files',
    content: firstRows(all, {
      caption: 'Files',
      columns: [...fileColumns, { title: 'Tokens', kind: 'number' }, { title: 'Reads', kind: 'number' }],
      cells: (file) => [
        ...fileCells(
          file,
          file.path === current ? undefined : frame.href(`${skillPath(skill.id, file.path)}#text`),
        ),
        formatCount(file.tokens),
        file.reads === 0 ? html`<span class="muted">never</span>` : formatCount(file.reads),
      ],
      empty: html`<p class="nothing">The skill has no files.</p>`,
      command: commandFor('sources', skill),
    }),
  });
}

function findings({ skill, scan, lint, files: all }: SkillView, frame: StudioFrame): Html {
  const paths = new Set(all.map(({ path }) => path));
  const scanned =
    scan.findings.length === 0
      ? html`<p class="nothing">The scan found nothing.</p>`
      : findingList(scan.findings, {
          link: ({ file, line }) =>
            paths.has(file)
              ? frame.href(
                  `${skillPath(skill.id, file)}#${line === null || hasSections(file) ? 'text' : `L${line}`}`,
                )
              : undefined,
          rest: html`All of them: <code>${commandFor('scan', skill)}</code>`,
        });
  const linted =
    lint.findings.length === 0
      ? html`<p class="nothing">The linter found nothing.</p>`
      : html`<ul class="evidence">${lint.findings
          .slice(0, MAX_ROWS)
          .map(
            ({ rule, severity, message, path, line }) =>
              html`<li><div class="row">${badge(severity, { tone: severity === 'error' ? 'bad' : severity === 'warning' ? 'warn' : 'neutral' })} <strong>${rule}</strong> <bdi class="mono">${formatPlace(path, line)}</bdi></div><p>${foreign(message)}</p></li>`,
          )}</ul><p class="muted small">To check again: <code>${commandFor('lint', skill)}</code></p>`;
  return section('findings', {
    title: 'Findings',
    content: html`<h3>Scan</h3>${scanned}<h3>Lint</h3>${linted}`,
  });
}

function trust({ trust: found }: SkillView, frame: StudioFrame): Html {
  return html`<section id="trust" class="card part" aria-labelledby="trust-heading"><h2 id="trust-heading">Trust</h2><p class="score"><strong>${formatCount(found.score)}</strong><span class="of"> of 100</span></p>${trustFactors(found, { isBrief: isExport(frame) })}</section>`;
}

function deployed({ skill, deployed: places }: SkillView): Html {
  const content =
    places.length === 0
      ? html`<p class="nothing">${skill.why === null ? 'skc has not deployed this skill.' : foreign(skill.why)}</p>${commandLine(commandFor('build', skill), 'Command that builds and deploys the skill')}`
      : html`<ul class="places">${places.map((place) => html`<li class="mono">${foreign(place)}</li>`)}</ul>${skill.why === null ? '' : html`<p class="muted small">${foreign(skill.why)}</p>`}`;
  return html`<section id="deployed" class="card part" aria-labelledby="deployed-heading"><h2 id="deployed-heading">Deployed</h2>${content}</section>`;
}
