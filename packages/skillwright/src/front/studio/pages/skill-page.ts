// One skill: its text beside its outline, and how it is used.

import {
  badge,
  foreign,
  form,
  formatCount,
  formatShare,
  type Html,
  html,
  notice,
  showControls,
  submit,
  trail,
} from '../../pages/index.ts';
import type { SkillView } from '../data/read-skill.ts';
import { skillPath } from '../data/show-place.ts';
import type { SkillRow } from '../data/skill-facts.ts';
import { heatedText } from './heated-text.ts';
import { countOr, formBadge, nameTags, scanBadge } from './skill-pieces.ts';
import { skillSafety } from './skill-safety.ts';
import { skillUse } from './skill-use.ts';
import { type StudioFrame, studioShell } from './studio-shell.ts';

export function skillPage(view: SkillView, frame: StudioFrame): Html {
  const { name } = view.skill;
  const main = html`${trail([{ label: 'Skills', href: frame.href('/') }])}
<div class="stack">${head(view)}${warnings(view)}${changeForms(view.skill, frame)}${totals(view)}${jumps(view)}</div>
<div class="stack-large parts">${heatedText(view, frame)}${skillUse(view)}${skillSafety(view, frame)}</div>`;
  return studioShell(frame, { title: name, main });
}

function head({ skill, origin }: SkillView): Html {
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
