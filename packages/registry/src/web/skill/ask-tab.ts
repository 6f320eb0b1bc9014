// A question to a skill, and the sections that answer it.

import { emptyState, formatCount, type Html, html, plural, renderMarkdown } from 'skillwright/pages';
import { fileHref, skillHref } from '../addresses.ts';
import { skillLinks } from './read-tab.ts';
import type { AskTab, SkillView } from './skill-view.ts';

export function askTab(view: SkillView, { question, answers }: AskTab): Html {
  const { index, version, isPinned } = view;
  const action = skillHref(index.name, {
    version: isPinned ? version?.index.version : undefined,
    tab: 'ask',
  });
  const field = html`<form class="big-search" method="get" action="${action}"><label class="unseen" for="ask-q">Question</label><input id="ask-q" type="search" name="q" value="${question}" placeholder="How do I …" autocomplete="off" dir="auto" maxlength="500"><button type="submit" class="button primary">Ask</button></form>`;
  const hint = html`<p class="muted small">Shows the sections an agent would be given: by search in this version, without a model.</p>`;
  if (question === '') return html`${field}${hint}`;
  if (answers.length === 0)
    return html`${field}${emptyState('No section answers this', html`<p>Try other words, or <a href="${skillHref(index.name)}">read the outline</a>.</p>`)}`;
  const [best, ...others] = answers;
  return html`${field}${hint}${best === undefined ? '' : bestAnswer(view, best)}${
    others.length === 0
      ? ''
      : html`<h2>${plural(others.length, 'other section')}</h2>${others.map((other) => html`<details class="card"><summary><bdi dir="auto">${other.heading}</bdi> <span class="muted small">${other.file} · ${formatCount(other.tokens)} tokens</span></summary>${body(view, other)}</details>`)}`
  }`;
}

type Answer = AskTab['answers'][number];

function bestAnswer(view: SkillView, found: Answer): Html {
  const { heading, file, startLine, endLine, tokens } = found;
  const { index, version } = view;
  const href = fileHref(index.name, { version: version?.index.version ?? '', path: file, line: startLine });
  return html`<section class="answer" aria-label="Best answer"><header><h2 dir="auto">${heading}</h2><p class="facts"><a href="${href}">${file}, lines ${startLine}–${endLine}</a><span>${formatCount(tokens)} tokens</span></p></header><div class="answer-body">${body(view, found)}</div></section>`;
}

function body({ version }: SkillView, { text, file }: Answer): Html {
  return renderMarkdown(text, version === null ? {} : skillLinks(version, file)).html;
}
