// Settings of a skill, for those who may publish it.

import { card, type Html, html, submit } from 'skillwright/pages';
import { drawForm, pageForm } from '../forms/page-form.ts';
import type { Frame } from '../frame.ts';
import type { SettingsTab, SkillView } from './skill-view.ts';

export const accessForm = pageForm('access', 'changeSkill', {
  visibility: 'visibility',
  requireProvenance: 'requireProvenance',
});
export const deprecationForm = pageForm('deprecation', 'changeSkill', { deprecated: 'deprecated' });

export function settingsTab(
  { index, sent }: SkillView,
  { tab, frame }: { tab: SettingsTab; frame: Frame },
): Html {
  const action = `/${index.name}/settings`;
  const access = drawForm(accessForm, {
    frame,
    action,
    sent,
    usual: { visibility: index.visibility, requireProvenance: tab.requireProvenance ? 'yes' : [] },
    hidden: { part: 'access' },
    button: 'Save',
  });
  const deprecation = drawForm(deprecationForm, {
    frame,
    action,
    sent,
    usual: { deprecated: index.deprecated ?? '' },
    hidden: { part: 'deprecation' },
    button: submit('Save', { kind: 'plain' }),
  });
  return html`${card('Access', access)}${card('Deprecate', deprecation)}`;
}
