// The page of a skill: head, tabs, facts.

import { satisfies } from 'semver';
import {
  badge,
  type Content,
  type Html,
  html,
  levelBadge,
  notice,
  privateBadge,
  stateBadge,
  type Tab,
  tabs,
  verdictBadge,
} from 'skillwright/pages';
import { skillHref } from '../addresses.ts';
import { type Frame, shell } from '../frame.ts';
import { addressText, ownerLink } from '../skill-list.ts';
import { askTab } from './ask-tab.ts';
import { filesTab, fileTab } from './files-tab.ts';
import { installBox } from './install-box.ts';
import { readTab } from './read-tab.ts';
import { advisoryNotice, safetyTab } from './safety-tab.ts';
import { settingsTab } from './settings-tab.ts';
import { skillFacts } from './skill-facts.ts';
import type { SkillView } from './skill-view.ts';
import { diffTab, versionsTab } from './versions-tab.ts';

/** Any tab of a skill, at its latest version or at the one in the address. */
export function skillPage(view: SkillView, frame: Frame): string {
  const { index, version, isPinned } = view;
  const title = isPinned && version !== null ? `${index.name} ${version.index.version}` : index.name;
  const main = html`<div class="stack">${head(view)}${warnings(view)}${installBox(view, frame)}</div>${tabLinks(view)}${tabContent(view, frame)}`;
  const canonical = index.visibility === 'public' ? skillHref(index.name) : undefined;
  return shell(frame, { title, main, description: index.description, canonical });
}

function head({ index, version }: SkillView): Html {
  const shown = version === null ? '' : html`<span class="version">${version.index.version}</span>`;
  const isLatest = version !== null && version.index.version === index.latest;
  return html`<div class="skill-head"><p class="small">${ownerLink(index.name.slice(1).split('/')[0]!)}</p>
<h1>${addressText(index.name)} ${shown}</h1>
<p class="row">${index.deprecated !== null ? badge('deprecated', { tone: 'warn', sign: '!', title: index.deprecated }) : isLatest ? stateBadge('latest') : ''}${version === null ? '' : verdictBadge(version.scan.verdict)}${levelBadge(index.level)}${
    index.visibility === 'private' ? privateBadge() : badge('public')
  }${version?.document.provenance?.kind === 'ci' ? badge('built in CI', { tone: 'accent', sign: '✓', title: 'Published by a workflow that proved its identity' }) : ''}</p>
<p class="lead" dir="auto">${index.description}</p></div>`;
}

function warnings({ index, version }: SkillView): Html {
  const blocked = version?.index.installable;
  const said: Html[] = [];
  if (index.deprecated !== null)
    said.push(
      notice('warn', {
        title: 'This skill is deprecated',
        body: html`<p dir="auto">${withSkillLinks(index.deprecated)}</p>`,
      }),
    );
  if (blocked !== undefined && blocked.answer !== 'yes')
    said.push(
      notice(blocked.answer === 'no' ? 'bad' : 'warn', {
        title:
          blocked.answer === 'no'
            ? 'This version cannot be installed'
            : 'This version is installed only when you name it exactly',
        body: html`<ul>${blocked.reasons.map(({ code, message: reason }) => html`<li>${stateBadge(code)} <bdi dir="auto">${reason}</bdi></li>`)}</ul>`,
      }),
    );
  if (version !== null && index.latest !== null && version.index.version !== index.latest)
    said.push(
      notice('neutral', {
        title: html`You are looking at ${version.index.version}. Latest is <a href="${skillHref(index.name)}">${index.latest}</a>.`,
      }),
    );
  const number = version?.index.version;
  const affecting = index.advisories.filter(
    ({ affected }) => number === undefined || satisfies(number, affected, { includePrerelease: true }),
  );
  said.push(...affecting.map(advisoryNotice));
  return html`${said}`;
}

/** A text in which the skills it names are links: the successor of a deprecated one. */
function withSkillLinks(text: string): Html {
  const parts = text.split(/(@[a-z0-9-]+\/[a-z0-9]+(?:-[a-z0-9]+)*)/);
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : html`<a href="${skillHref(part)}">${part}</a>`))}`;
}

function tabLinks({ index, version, isPinned, tab, viewer }: SkillView): Html {
  const pinned = isPinned ? version?.index.version : undefined;
  const to = (kind: Exclude<typeof tab.kind, 'file'>, label: string, count?: number): Tab => ({
    label,
    href: skillHref(index.name, { version: pinned, tab: kind }),
    isCurrent:
      tab.kind === kind ||
      (tab.kind === 'file' && kind === 'files') ||
      (tab.kind === 'diff' && kind === 'versions'),
    count,
  });
  return tabs('Parts of this skill', [
    to('read', 'Read'),
    to('ask', 'Ask'),
    to('files', 'Files', version?.document.files.length ?? 0),
    to('versions', 'Versions', index.versions.length),
    to('safety', 'Safety', version?.scan.flags.length ?? 0),
    ...(viewer.mayPublish ? [to('settings', 'Settings')] : []),
  ]);
}

function tabContent(view: SkillView, frame: Frame): Content {
  const { tab } = view;
  if (tab.kind === 'read') return readTab(view, { tab, facts: skillFacts(view, frame) });
  const content = (): Content => {
    if (tab.kind === 'ask') return askTab(view, tab);
    if (tab.kind === 'files') return filesTab(view);
    if (tab.kind === 'file') return fileTab(view, tab);
    if (tab.kind === 'versions') return versionsTab(view, frame);
    if (tab.kind === 'diff') return diffTab(view, tab);
    if (tab.kind === 'settings') return settingsTab(view, { tab, frame });
    return safetyTab(view, frame);
  };
  // Text and differences need the whole width.
  if (tab.kind === 'file' || tab.kind === 'diff') return html`<div class="stack">${content()}</div>`;
  return html`<div class="columns"><div class="stack">${content()}</div><aside class="beside" aria-label="Facts">${skillFacts(view, frame)}</aside></div>`;
}
