// The page of a skill: head, ways to install it, tabs, facts. The types of its view come from the loaders.

import { satisfies } from 'semver';
import {
  badge,
  type Content,
  codeBlock,
  commandLine,
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
import { ownerOf, skillHref } from '../addresses.ts';
import { type Frame, shell } from '../frame.ts';
import type { loadSkill, loadVersion } from '../load/load-skill.ts';
import type { loadAskTab, loadDiffTab, loadFileTab, ReadTab } from '../load/load-tab.ts';
import { addressText, ownerLink } from '../skill-list.ts';
import { filesTab, fileTab } from './files-tab.ts';
import { askTab, readTab } from './read-tab.ts';
import { advisoryNotice, safetyTab } from './safety-tab.ts';
import { settingsTab } from './settings-tab.ts';
import { skillFacts } from './skill-facts.ts';
import type { loadSettings } from './skill-pages.ts';
import { diffTab, versionsTab } from './versions-tab.ts';

/** A skill, the version shown, and one tab. */
export type SkillView = Omit<Awaited<ReturnType<typeof loadSkill>>, 'facts'> & { readonly tab: TabView };

/** One version with its documents. */
export type ShownVersion = Awaited<ReturnType<typeof loadVersion>>;

/** A question, and the sections that answer it, best first. */
export type AskTab = Awaited<ReturnType<typeof loadAskTab>>;

/** One file: its text, or undefined when it is not text or too large to show. */
export type FileTab = Awaited<ReturnType<typeof loadFileTab>>;

/** Changes from one version to another. */
export type DiffTab = Awaited<ReturnType<typeof loadDiffTab>>;

/** For those who may publish. */
export type SettingsTab = Awaited<ReturnType<typeof loadSettings>>;

/** The part below the tabs. Some need nothing but the version. */
type TabView =
  | ReadTab
  | AskTab
  | FileTab
  | DiffTab
  | SettingsTab
  | { readonly kind: 'files' | 'versions' | 'safety' };

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
  // Text, differences and the table of versions need the whole width.
  if (['file', 'diff', 'versions'].includes(tab.kind)) return html`<div class="stack">${content()}</div>`;
  return html`<div class="columns"><div class="stack">${content()}</div><aside class="beside" aria-label="Facts">${skillFacts(view, frame)}</aside></div>`;
}

function installBox({ index, version, isPinned }: SkillView, { publicUrl, registryName }: Frame): Html {
  if (version === null) return html``;
  const { answer } = version.index.installable;
  if (answer === 'no') return html``;
  const { version: number } = version.index;
  const word = isPinned || answer === 'exact' ? `${index.name}@${number}` : index.name;
  const name = index.name.split('/')[1] ?? '';
  const server =
    registryName
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'skills';
  // Clients replace the variable; private skills are for callers with a token.
  const headers = index.visibility === 'public' ? {} : { headers: { Authorization: `Bearer \${SKC_TOKEN}` } };
  const config = JSON.stringify(
    { mcpServers: { [server]: { type: 'http', url: `${publicUrl}/mcp`, ...headers } } },
    null,
    2,
  );
  const isPublic = index.visibility === 'public';
  const token = isPublic ? '' : ' -H "Authorization: Bearer $SKC_TOKEN"';
  const wanted = isPinned ? `${index.name}@${number}` : index.name;
  return html`<div class="install">${commandLine(`skc install ${word}`, 'install command')}<details><summary>First time here, and other ways to use it</summary><dl>
<div><dt>Once on each machine: log in, and save the key of this registry’s log</dt><dd>${commandLine(`skc login ${publicUrl}`, 'login command')}</dd></div>
${
  isPublic
    ? html`<div><dt>Without an account</dt><dd>${commandLine(`skc config registries.${ownerOf(index.name)}.url ${publicUrl}`, 'configuration command')}</dd></div>
<div><dt>With the <code>skills</code> command</dt><dd>${commandLine(`npx skills add ${publicUrl}/${index.name} -s ${name}`, 'command of the skills client')}</dd></div>`
    : ''
}
<div><dt>Without installing: let an agent read it over MCP</dt><dd>${codeBlock(config, { label: 'MCP configuration', language: 'json' })}</dd></div>
<div><dt>With <code>curl</code></dt><dd>${commandLine(`curl${token} ${publicUrl}/api/v1/read/${wanted}/outline`, 'command of curl')}</dd></div>
</dl></details></div>`;
}
