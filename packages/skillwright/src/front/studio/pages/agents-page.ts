// The skills each agent on this machine sees.

import { quoteWord } from '../../../base/diagnostics/index.ts';
import {
  badge,
  commandLine,
  emptyState,
  foreign,
  formatCount,
  type Html,
  html,
  notice,
  plural,
  shareBar,
} from '../../pages/index.ts';
import type { AgentsView, SeeingAgent } from '../data/read-agents.ts';
import { firstRows } from './first-rows.ts';
import { countOr, formBadge, skillLink } from './skill-pieces.ts';
import { type StudioFrame, studioShell } from './studio-shell.ts';

export function agentsPage({ agents: here }: AgentsView, frame: StudioFrame): Html {
  const main = html`<div class="page-head"><h1>Agents</h1><p>The skills each agent on this machine sees from here, and the room its list of skills takes.</p></div>
<div class="stack-large">${
    here.length === 0
      ? emptyState(
          'No agent found on this machine',
          html`<div class="next-steps"><p>See which agents are known, and where each keeps its skills:</p>${commandLine('skc agents', 'Command for the known agents')}</div>`,
        )
      : html`${compared(here)}${here.map((agent) => agentPart(agent, frame))}`
  }</div>`;
  return studioShell(frame, { title: 'Agents', main });
}

/** `1,204 of 2,000 tokens`. */
function listingWords(listing: SeeingAgent['listing']): string {
  const { size, unit, limit } = listing;
  return limit === undefined
    ? `${formatCount(size)} ${unit}`
    : `${formatCount(size)} of ${formatCount(limit.max)} ${unit}`;
}

function compared(agents: readonly SeeingAgent[]): Html {
  return html`<ul class="agent-bars" aria-label="Lists of skills">${agents.map(({ id, skills, listing }) => {
    const share = listing.limit === undefined ? 0 : Math.min(1, listing.size / listing.limit.max);
    return html`<li><a href="#agent-${id}">${foreign(id)}</a>${shareBar(share, listing.over > 0 ? 'bad' : 'accent')}<span class="muted small">${plural(skills.length, 'skill')}, ${listingWords(listing)}</span></li>`;
  })}</ul>`;
}

/** Says how much does not fit into the list of an agent. */
function overNote({ id, listing }: Pick<SeeingAgent, 'id' | 'listing'>): Html {
  if (listing.limit === undefined || listing.over === 0) return html``;
  const { limit, over, skills } = listing;
  return notice('warn', {
    title: `${formatCount(over)} of ${plural(skills, 'description')} do not fit into the list of ${id}`,
    body: html`<p>The limit is ${limit.rule}; in a longer list ${limit.over}. Remove skills you do not use, or shorten descriptions.</p>`,
  });
}

function agentPart(agent: SeeingAgent, frame: StudioFrame): Html {
  const { id, skills, directories, listing } = agent;
  const broken = skills.filter(({ problem }) => problem !== null).length;
  return html`<section id="agent-${id}" class="agent" aria-labelledby="agent-${id}-heading"><div class="section-head"><h2 id="agent-${id}-heading">${foreign(id)}</h2><p class="muted small">${plural(skills.length, 'skill')} · list of ${listingWords(listing)}${broken === 0 ? '' : html` · <span class="bad-text">${plural(broken, 'problem')}</span>`}</p></div>
<ul class="places">${directories.map(({ place, exists }) => html`<li><span class="mono">${foreign(place)}</span> ${exists ? '' : html`<span class="muted small">does not exist</span>`}</li>`)}</ul>${overNote(agent)}
${firstRows(skills, {
  caption: `Skills of ${id}`,
  columns: [{ title: 'Skill' }, { title: 'Form' }, { title: 'Tokens', kind: 'number' }, { title: 'Listed' }],
  cells: (skill) => [
    skillLink(skill, frame),
    formBadge(skill.form),
    countOr(skill.tokens),
    skill.problem === null
      ? skill.isOver
        ? badge('name only', { tone: 'warn', sign: '!', title: 'Its description does not fit into the list' })
        : badge('yes', { tone: 'good', sign: '✓' })
      : html`${badge('no', { tone: 'bad', sign: '✕' })} <span class="small">${foreign(skill.problem)}</span>`,
  ],
  empty: emptyState(
    'It sees no skill',
    html`<div class="next-steps"><p>Deploy your skills to this agent:</p>${commandLine(`skc build --all --target ${quoteWord(id)}`, 'Command that deploys skills')}</div>`,
  ),
  command: `skc list --paths --agents ${quoteWord(id)} --json`,
})}</section>`;
}
