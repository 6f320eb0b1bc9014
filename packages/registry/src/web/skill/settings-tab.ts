// Settings of a skill, for those who may publish it.

import { card, choiceField, field, form, type Html, html, submit } from 'skillwright/pages';
import type { Frame } from '../frame.ts';
import { filledIn } from '../sent-form.ts';
import type { SettingsTab, SkillView } from './skill-view.ts';

export function settingsTab(
  { index, sent }: SkillView,
  { tab, frame }: { tab: SettingsTab; frame: Frame },
): Html {
  const { csrf } = frame;
  const action = `/${index.name}/settings`;
  const access = filledIn(sent, 'access');
  const visibility = form({
    action,
    csrf,
    content: html`${choiceField({
      name: 'visibility',
      label: 'Visibility',
      kind: 'radio',
      ...access.choices('visibility', [index.visibility]),
      choices: [
        { value: 'private', label: 'Private', hint: 'members of the namespace' },
        { value: 'public', label: 'Public', hint: 'everybody who can reach this registry' },
      ],
    })}${choiceField({
      name: 'requireProvenance',
      label: 'Publishing',
      kind: 'checkbox',
      ...access.choices('requireProvenance', tab.requireProvenance ? ['yes'] : []),
      choices: [{ value: 'yes', label: 'Accept versions from trusted CI workflows only' }],
    })}<input type="hidden" name="part" value="access">${submit('Save')}`,
  });
  const deprecation = form({
    action,
    csrf,
    content: html`${field({ name: 'deprecated', label: 'Reason', hint: 'Shown to everybody who looks at it, installs it or has it. Leave it empty to undo.', maxLength: 500, ...filledIn(sent, 'deprecation').text('deprecated', index.deprecated ?? '') })}<input type="hidden" name="part" value="deprecation">${submit('Save', { kind: 'plain' })}`,
  });
  return html`${card('Access', visibility)}${card('Deprecate', deprecation)}`;
}
