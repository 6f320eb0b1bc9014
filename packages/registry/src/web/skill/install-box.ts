// How to install a skill, or read it without installing, with each client.

import { codeBlock, commandLine, type Html, html } from 'skillwright/pages';
import { ownerOf } from '../addresses.ts';
import type { Frame } from '../frame.ts';
import type { SkillView } from './skill-view.ts';

export function installBox(
  { index, version, isPinned }: SkillView,
  { publicUrl, registryName }: Frame,
): Html {
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
