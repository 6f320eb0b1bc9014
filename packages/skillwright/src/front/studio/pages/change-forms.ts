// Forms that change a skill. The studio is read-only until the user asks for changes.

import { form, type Html, html, submit } from '../../pages/index.ts';
import { skillPath } from '../data/skill-path.ts';
import type { StudioSkill } from '../views/skills-view.ts';
import type { StudioFrame } from '../views/studio-frame.ts';

export function changeForms(skill: StudioSkill, frame: StudioFrame): Html {
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
