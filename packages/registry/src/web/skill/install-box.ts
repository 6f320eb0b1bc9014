// How to install a skill, or read it without installing, with each client.

import { codeBlock, commandLine, type Html, html } from 'skillwright/pages';
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
  const config = JSON.stringify(
    { mcpServers: { [server]: { type: 'http', url: `${publicUrl}/mcp` } } },
    null,
    2,
  );
  return html`<div class="install">${commandLine(`skc install ${word}`, 'install command')}<details><summary>Other ways to use it</summary><dl>
${
  index.visibility === 'public'
    ? html`<div><dt>With the <code>skills</code> command</dt><dd>${commandLine(`npx skills add ${publicUrl}/${index.name} -s ${name}`, 'command of the skills client')}</dd></div>`
    : ''
}
<div><dt>Without installing: let an agent read it over MCP</dt><dd>${codeBlock(config, { label: 'MCP configuration', language: 'json' })}</dd></div>
<div><dt>With <code>curl</code></dt><dd>${commandLine(`curl ${publicUrl}/api/v1/read/${index.name}/outline`, 'command of curl')}</dd></div>
</dl></details></div>`;
}
