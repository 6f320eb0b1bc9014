// Settings of a skill, for those who may publish it.

import { card, choiceField, field, form, type Html, html, submit } from 'skillwright/pages';
import type { Frame } from '../frame.ts';
import type { SettingsTab, SkillView } from './skill-view.ts';

export function settingsTab({ index }: SkillView, { tab, frame }: { tab: SettingsTab; frame: Frame }): Html {
  const { csrf } = frame;
  const action = `/${index.name}/settings`;
  const visibility = form({
    action,
    csrf,
    content: html`${choiceField({
      name: 'visibility',
      label: 'Visibility',
      kind: 'radio',
      chosen: [index.visibility],
      choices: [
        { value: 'private', label: 'Private', hint: 'members of the namespace' },
        { value: 'public', label: 'Public', hint: 'everybody who can reach this registry' },
      ],
    })}${choiceField({
      name: 'requireProvenance',
      label: 'Publishing',
      kind: 'checkbox',
      chosen: tab.requireProvenance ? ['yes'] : [],
      choices: [{ value: 'yes', label: 'Accept versions from trusted CI workflows only' }],
    })}<input type="hidden" name="part" value="access">${submit('Save')}`,
  });
  const deprecation = form({
    action,
    csrf,
    content: html`${field({ name: 'deprecated', label: 'Reason', value: index.deprecated ?? '', hint: 'Shown to everybody who looks at it, installs it or has it. Leave it empty to undo.', error: tab.errors?.deprecated, maxLength: 500 })}<input type="hidden" name="part" value="deprecation">${submit('Save', { kind: 'plain' })}`,
  });
  return html`${card('Access', visibility)}${card('Deprecate', deprecation)}`;
}
