// One skill: its text beside its outline, and how it is used.

import { formatBytes } from '../../../base/files/index.ts';
import { hasSections } from '../../../read/index/index.ts';
import {
  badge,
  type Content,
  commandLine,
  foreign,
  form,
  formatCount,
  formatShare,
  type Html,
  html,
  notice,
  severityBadge,
  showControls,
  submit,
  trail,
} from '../../pages/index.ts';
import type { SkillView } from '../data/read-skill.ts';
import { skillPath } from '../data/show-place.ts';
import type { SkillRow } from '../data/skill-facts.ts';
import { firstRows } from './first-rows.ts';
import { heatedText } from './heated-text.ts';
import { commandFor, countOr, formBadge, nameTags, pageLink, scanBadge } from './skill-pieces.ts';
import { skillUse } from './skill-use.ts';
import { type StudioFrame, studioShell } from './studio-shell.ts';

export function skillPage(view: SkillView, frame: StudioFrame): Html {
  const { name } = view.skill;
  const main = html`${trail([{ label: 'Skills', href: frame.href('/') }])}
<div class="stack">${skillHead(view)}${warnings(view)}${changeForms(view.skill, frame)}${totals(view)}${jumps(view)}</div>
<div class="stack-large parts">${heatedText(view, frame)}${skillUse(view)}${skillSafety(view, frame)}</div>`;
  return studioShell(frame, { title: name, main });
}

function skillHead({ skill, origin }: SkillView): Html {
  const { name, version, update, description, scope, form, formWhy, verdict, enabled, agents, place } = skill;
  return html`<div class="skill-head"><h1><bdi dir="auto">${showControls(name)}</bdi>${version === null ? '' : html` <span class="version">${foreign(version)}</span>`}</h1>
<p class="row">${enabled ? '' : badge('off', { tone: 'warn', sign: '○' })}${formBadge(form, formWhy)}${scanBadge(verdict)}${badge(scope)}${update === null ? '' : badge(`${update} available`, { tone: 'warn', sign: '↑', title: 'skc update' })}</p>
<p class="lead">${description === '' ? html`<span class="muted">No description</span>` : foreign(description)}</p>
<div class="facts"><span class="mono">${foreign(place)}</span>${origin === null ? '' : html`<span>from ${foreign(origin)}</span>`}<span class="row">seen by ${nameTags(agents, { limit: 12, none: 'no agent' })}</span></div></div>`;
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

function totals({ skill, usage, outline }: SkillView): Html {
  const { accesses, tokensServed, tokensSaved, errors } = usage;
  const whole = tokensServed + tokensSaved;
  const unread = outline.filter(({ reads }) => reads === 0).length;
  return html`<dl class="totals" id="totals" data-refresh="event" data-about="${skill.id}"><div><dt>Accesses</dt><dd data-reads-of="${skill.id}">${formatCount(accesses)}</dd>${errors === 0 ? '' : html`<dd class="note"><a href="#errors">${formatCount(errors)} failed</a></dd>`}</div>
<div><dt>Sections never read</dt><dd>${formatCount(unread)}<span class="of"> of ${formatCount(outline.length)}</span></dd>${outline.length === 0 ? '' : html`<dd class="note">${formatCount(tokensOf(outline, 0))} tokens</dd>`}</div>
<div><dt>Tokens served</dt><dd>${formatCount(tokensServed)}</dd></div>
<div><dt>Tokens saved</dt><dd>${formatCount(tokensSaved)}</dd>${whole === 0 ? '' : html`<dd class="note">${formatShare(tokensSaved / whole)} of reading it whole</dd>`}</div>
<div><dt>SKILL.md</dt><dd>${countOr(skill.tokens)}<span class="of"> tokens</span></dd>${skill.stubTokens === null || skill.stubTokens === skill.tokens ? '' : html`<dd class="note">${formatCount(skill.stubTokens)} loaded at first</dd>`}</div></dl>`;
}

const tokensOf = (outline: SkillView['outline'], reads: number) =>
  outline.filter((section) => section.reads === reads).reduce((sum, { tokens }) => sum + tokens, 0);

function jumps({ outline, emptySearches, errors, quiz, together, files, findings }: SkillView): Html {
  const parts: readonly (readonly [id: string, label: string, count?: number])[] = [
    ['text', 'Text', outline.length],
    ['tokens', 'Tokens'],
    ['searches', 'Searches without result', emptySearches.length],
    ['errors', 'Errors', errors.length],
    ['quiz', 'Quiz', quiz.length],
    ['together', 'Read together', together.length],
    ['files', 'Files', files.length],
    ['findings', 'Findings', findings.length],
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
  return html`<div class="stack-large">${files(view, frame)}${findings(view, frame)}<div class="pairs">${trust(view)}${deployed(view)}</div></div>`;
}

function section(id: string, { title, content }: { title: string; content: Content }): Html {
  return html`<section id="${id}" aria-labelledby="${id}-heading"><div class="section-head"><h2 id="${id}-heading">${title}</h2></div>${content}</section>`;
}

function files({ skill, files: all, file: current }: SkillView, frame: StudioFrame): Html {
  return section('files', {
    title: 'Files',
    content: firstRows(all, {
      caption: 'Files',
      columns: [
        { title: 'File' },
        { title: 'Size', kind: 'number' },
        { title: 'Tokens', kind: 'number' },
        { title: 'Reads', kind: 'number' },
      ],
      cells: ({ path, bytes, tokens, reads }) => [
        html`<span class="mono">${path === current ? html`<strong>${foreign(path)}</strong>` : pageLink(`${skillPath(skill.id, path)}#text`, { text: foreign(path), frame })}</span>`,
        formatBytes(bytes),
        formatCount(tokens),
        reads === 0 ? html`<span class="muted">never</span>` : formatCount(reads),
      ],
      empty: html`<p class="nothing">The skill has no files.</p>`,
      command: commandFor('sources', skill),
    }),
  });
}

function findings({ skill, findings: found, files: all }: SkillView, frame: StudioFrame): Html {
  const paths = new Set(all.map(({ path }) => path));
  const place = (file: string, line: number | null) => {
    const text = html`<span class="mono">${foreign(line === null ? file : `${file}:${line}`)}</span>`;
    const anchor = line === null || hasSections(file) ? 'text' : `L${line}`;
    return paths.has(file) ? pageLink(`${skillPath(skill.id, file)}#${anchor}`, { text, frame }) : text;
  };
  const isUnknown = skill.verdict === 'unknown';
  return section('findings', {
    title: 'Findings',
    content: html`${
      isUnknown
        ? html`<div class="next-steps"><p class="muted">Nobody has scanned this text. Scan it:</p>${commandLine(commandFor('scan', skill), 'Command that scans the skill')}</div>`
        : ''
    }${firstRows(found, {
      caption: 'Findings',
      columns: [{ title: 'Finding' }, { title: 'Severity' }, { title: 'Place' }],
      cells: ({ id, severity, message, file, line }) => [
        html`<code>${foreign(id)}</code> ${foreign(message)}`,
        severity === 'error'
          ? badge(severity, { tone: 'bad' })
          : severity === 'warning'
            ? badge(severity, { tone: 'warn' })
            : severityBadge(severity),
        place(file, line),
      ],
      empty: isUnknown ? '' : html`<p class="nothing">Neither the scan nor the linter found anything.</p>`,
      command: commandFor('scan', skill),
    })}`,
  });
}

function trust({ trust: { score, reasons } }: SkillView): Html {
  return html`<section id="trust" class="card part" aria-labelledby="trust-heading"><h2 id="trust-heading">Trust</h2><p class="score"><strong>${formatCount(score)}</strong><span class="of"> of 100</span></p><ul class="reasons">${reasons.map((reason) => html`<li>${foreign(reason)}</li>`)}</ul></section>`;
}

function deployed({ skill, deployed: places }: SkillView): Html {
  const content =
    places.length === 0
      ? html`<p class="nothing">${skill.formWhy === null ? 'It is not deployed to any agent.' : foreign(skill.formWhy)}</p>${commandLine(commandFor('build', skill), 'Command that builds and deploys the skill')}`
      : html`<ul class="places">${places.map((place) => html`<li class="mono">${foreign(place)}</li>`)}</ul>${skill.formWhy === null ? '' : html`<p class="muted small">${foreign(skill.formWhy)}</p>`}`;
  return html`<section id="deployed" class="card part" aria-labelledby="deployed-heading"><h2 id="deployed-heading">Deployed</h2>${content}</section>`;
}
