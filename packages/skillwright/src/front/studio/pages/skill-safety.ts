// Files of a skill, findings, trust, and where it is deployed.

import { formatBytes } from '../../../base/files/index.ts';
import { hasSections } from '../../../read/index/index.ts';
import {
  badge,
  type Content,
  commandLine,
  foreign,
  formatCount,
  type Html,
  html,
  severityBadge,
} from '../../pages/index.ts';
import type { SkillView } from '../data/read-skill.ts';
import { skillPath } from '../data/show-place.ts';
import { firstRows } from './first-rows.ts';
import { commandFor, pageLink } from './skill-pieces.ts';
import type { StudioFrame } from './studio-shell.ts';

export function skillSafety(view: SkillView, frame: StudioFrame): Html {
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
