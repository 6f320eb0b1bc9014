// Search as an agent gets it, with the reasons for the order.

import {
  badge,
  codeBlock,
  commandLine,
  emptyState,
  foreign,
  formatCount,
  formatShare,
  type Html,
  html,
  plural,
  SECTION_PREFIX,
  shareBar,
  submit,
} from '../../pages/index.ts';
import type { FoundSection, RankedHit, SearchView, ShownEvidence } from '../data/read-search.ts';
import { skillPath } from '../data/show-place.ts';
import { skillLink } from './skill-pieces.ts';
import { isExport, type StudioFrame, studioShell } from './studio-shell.ts';

export function searchPage(view: SearchView, frame: StudioFrame): Html {
  const title = view.q === '' ? 'Search' : `${view.q}: search`;
  const head = html`<div class="page-head"><h1>Search</h1><p>Write a task as you would give it to an agent. See which skills the agent would find, and why each ranks where it does.</p></div>`;
  if (isExport(frame))
    return studioShell(frame, {
      title,
      main: html`${head}${emptyState('Search needs the running studio', commandLine('skc studio', 'Command that starts the studio'))}`,
    });
  const main = html`${head}<form method="get" action="${frame.href('/search')}" role="search" data-live="results" class="stack"><div class="big-search"><label class="unseen" for="search-q">Task</label><input id="search-q" type="search" name="q" value="${view.q}" autocomplete="off" data-focus-key="/" dir="auto" placeholder="fill a PDF form">${submit('Search')}</div>
<p id="live-status" class="unseen" role="status"></p><div id="results">${results(view, frame)}</div></form>`;
  return studioShell(frame, { title, main, hasSearch: false });
}

function results(view: SearchView, frame: StudioFrame): Html {
  const { q, skills, searched, hasMore, corrected, inside, sections, answer } = view;
  if (q.trim() === '')
    return emptyState(
      'Nothing asked yet',
      `${plural(searched, 'skill')} will be searched, by name, description, headings and text.`,
    );
  const count = html`<p class="muted small" data-result-count>${hasMore ? `The best ${formatCount(skills.length)} of ${plural(searched, 'skill')}. Add a word to narrow the search.` : `${plural(skills.length, 'skill')} found among ${formatCount(searched)}`}</p>`;
  const instead =
    corrected === null
      ? ''
      : html`<p class="small">No skill has these words. Searched for <strong>${foreign(corrected)}</strong> instead.</p>`;
  if (skills.length === 0)
    return html`${count}${emptyState(
      'An agent would find no skill for this',
      html`<p>If one of your skills should be found, use these words in its description.</p>`,
    )}${answerBox(answer)}`;
  return html`${count}${instead}<div class="columns-find"><ol class="ranks">${skills.map((skill, at) => found(skill, { rank: at + 1, view, frame }))}</ol>
<div class="beside">${answerBox(answer)}${sectionList(inside, { sections, frame })}</div></div>`;
}

const reasons: Readonly<Record<RankedHit['reason'], string>> = {
  exact_path: 'the request is its path',
  exact_name: 'the request is its name',
  prefix: 'its name starts with the request',
  token_overlap: 'its words match',
};

function found(
  skill: RankedHit,
  { rank, view, frame }: { rank: number; view: SearchView; frame: StudioFrame },
): Html {
  const { id, name, description, score, reason, words, where } = skill;
  const line = where?.text ?? '';
  const isInside = view.inside?.id === id;
  const look = isInside
    ? html`<span>its sections are shown</span>`
    : html`<a href="${frame.href(`/search?q=${encodeURIComponent(view.q)}&inside=${encodeURIComponent(id)}`)}">Sections<span class="unseen"> of ${name}</span></a>`;
  return html`<li class="rank"><div class="rank-head"><span class="rank-number" aria-hidden="true">${rank}</span><h2>${skillLink(skill, frame)}</h2><span class="score-text">score ${score.toFixed(2)}</span></div>
<p class="excerpt">${foreign(description)}</p>${isPartOf(line, description) ? '' : html`<p class="line-found">${foreign(line)}</p>`}
${evidence(allWords(words, view.skills))}<p class="facts"><span>${reasons[reason]}</span>${look}</p></li>`;
}

/** True when the line says nothing that the description does not. */
const isPartOf = (line: string, description: string) => description.includes(line.replace(/…$/, '').trim());

/** Words of a skill, and those that other skills have and it lacks: they explain the order. */
function allWords(own: readonly ShownEvidence[], skills: readonly RankedHit[]): readonly ShownEvidence[] {
  const known = new Set(own.map(({ word }) => word));
  const lacking = new Set(
    skills.flatMap(({ words }) => words.map(({ word }) => word)).filter((word) => !known.has(word)),
  );
  return [...own, ...[...lacking].map((word) => ({ word, share: 0, field: null }))];
}

/** A bar per word. */
function evidence(words: readonly ShownEvidence[]): Html {
  if (words.length === 0) return html``;
  return html`<ul class="words" aria-label="Words of the request">${words.map(
    ({ word, share, field }) =>
      html`<li><span class="word${field === null ? ' missing' : ''}">${foreign(word)}</span>${shareBar(share)}<span class="word-share">${field === null ? '–' : formatShare(share)}</span><span class="word-field">${field === null ? 'not found' : `in ${field === 'body' ? 'the text' : field === 'heading' ? 'a heading' : `the ${field}`}`}</span></li>`,
  )}</ul>`;
}

function answerBox(answer: SearchView['answer']): Html {
  if (answer === null) return html``;
  return html`<section class="card" aria-labelledby="answer-heading"><div class="section-head"><h2 id="answer-heading" class="card-title">What the agent gets</h2>${badge(`${formatCount(answer.tokens)} tokens`)}</div>${codeBlock(answer.text, { label: 'Answer' })}</section>`;
}

function sectionList(
  inside: SearchView['inside'],
  { sections, frame }: { sections: readonly FoundSection[]; frame: StudioFrame },
): Html {
  if (inside === null) return html``;
  const link = ({ file, anchor }: FoundSection) =>
    frame.href(`${skillPath(inside.id, file)}${anchor === '' ? '' : `#${SECTION_PREFIX}${anchor}`}`);
  return html`<section class="card" aria-labelledby="sections-heading"><h2 id="sections-heading" class="card-title">Sections of ${foreign(inside.name)}</h2>${
    sections.length === 0
      ? html`<p class="nothing">No section matches.</p>`
      : html`<ol class="found-sections">${sections.map((found) => {
          const { file, section, tokens, snippet } = found;
          return html`<li><p class="found-title"><a href="${link(found)}">${section === '' ? html`Start of ${foreign(file)}` : foreign(section)}</a> <span class="tokens">${formatCount(tokens)} tokens</span></p><p class="small">${foreign(snippet.replace(/\[\/?MATCH\]/g, ''))}</p><p class="facts"><span class="mono">${foreign(file)}</span></p></li>`;
        })}</ol>`
  }</section>`;
}
