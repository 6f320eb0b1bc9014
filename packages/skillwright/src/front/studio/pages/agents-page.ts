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
  plural,
  shareBar,
} from '../../pages/index.ts';
import type { AgentsView, SeeingAgent } from '../data/read-agents.ts';
import { firstRows } from './first-rows.ts';
import { countOr, formBadge, skillLink } from './skill-pieces.ts';
import { type StudioFrame, studioShell } from './studio-shell.ts';

export function agentsPage({ agents }: AgentsView, frame: StudioFrame): Html {
  const here = agents.filter(({ isPresent }) => isPresent);
  const away = agents.filter(({ isPresent }) => !isPresent);
  const most = Math.max(1, ...here.map(({ tokens }) => tokens));
  const main = html`<div class="page-head"><h1>Agents</h1><p>The skills each agent of this machine sees from here, and what it loads at the start.</p></div>
<div class="stack-large">${
    here.length === 0
      ? emptyState(
          'No agent found on this machine',
          html`<div class="next-steps"><p>See which agents are known, and where each keeps its skills:</p>${commandLine('skc agents', 'Command for the known agents')}</div>`,
        )
      : html`${compared(here, most)}${here.map((agent) => agentPart(agent, frame))}`
  }${absent(away)}</div>`;
  return studioShell(frame, { title: 'Agents', main });
}

function compared(agents: readonly SeeingAgent[], most: number): Html {
  return html`<ul class="agent-bars" aria-label="Tokens at the start">${agents.map(
    ({ id, total, tokens }) =>
      html`<li><a href="#agent-${id}">${foreign(id)}</a>${shareBar(tokens / most)}<span class="muted small">${formatCount(tokens)} tokens, ${plural(total, 'skill')}</span></li>`,
  )}</ul>`;
}

function agentPart(agent: SeeingAgent, frame: StudioFrame): Html {
  const { id, skills, directories, total, tokens } = agent;
  const broken = skills.filter(({ problem }) => problem !== null).length;
  return html`<section id="agent-${id}" class="agent" aria-labelledby="agent-${id}-heading"><div class="section-head"><h2 id="agent-${id}-heading">${foreign(id)}</h2><p class="muted small">${plural(total, 'skill')} · ${formatCount(tokens)} tokens at the start${broken === 0 ? '' : html` · <span class="bad-text">${plural(broken, 'problem')}</span>`}</p></div>
<ul class="places">${directories.map(({ place, exists }) => html`<li><span class="mono">${foreign(place)}</span> ${exists ? '' : html`<span class="muted small">does not exist</span>`}</li>`)}</ul>
${firstRows(skills, {
  caption: `Skills of ${id}`,
  columns: [{ title: 'Skill' }, { title: 'Form' }, { title: 'Tokens', kind: 'number' }, { title: 'Works' }],
  cells: (skill) => [
    skillLink(skill, frame),
    formBadge(skill.form),
    countOr(skill.tokens),
    skill.problem === null
      ? badge('yes', { tone: 'good', sign: '✓' })
      : html`${badge('no', { tone: 'bad', sign: '✕' })} <span class="small">${foreign(skill.problem)}</span>`,
  ],
  empty: emptyState(
    'It sees no skill',
    html`<div class="next-steps"><p>Deploy your skills to this agent:</p>${commandLine(`skc build --all --target ${quoteWord(id)}`, 'Command that deploys skills')}</div>`,
  ),
  total,
  command: `skc list --paths --agents ${quoteWord(id)} --json`,
})}</section>`;
}

function absent(agents: readonly SeeingAgent[]): Html {
  if (agents.length === 0) return html``;
  return html`<details class="absent"><summary>${plural(agents.length, 'known agent')} not on this machine</summary><ul class="tags">${agents.map(({ id }) => html`<li class="tag">${foreign(id)}</li>`)}</ul></details>`;
}
