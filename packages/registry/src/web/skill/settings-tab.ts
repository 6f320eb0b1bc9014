// Settings of a skill, for those who may publish it.

import { card, day, foreign, type Html, html, submit } from 'skillwright/pages';
import { drawForm, pageForm } from '../forms/page-form.ts';
import type { Frame } from '../frame.ts';
import type { SettingsTab, SkillView } from './skill-page.ts';

export const accessForm = pageForm('access', 'changeSkill', {
  visibility: 'visibility',
  requireProvenance: 'requireProvenance',
});
export const verificationForm = pageForm('verification', 'applyForVerification');
export const deprecationForm = pageForm('deprecation', 'changeSkill', { deprecated: 'deprecated' });

export function settingsTab({ index }: SkillView, { tab, frame }: { tab: SettingsTab; frame: Frame }): Html {
  const action = `/${index.name}/settings`;
  const access = drawForm(accessForm, {
    frame,
    action,
    usual: { visibility: index.visibility, requireProvenance: tab.requireProvenance ? 'yes' : [] },
    hidden: { part: 'access' },
    button: 'Save',
  });
  const deprecation = drawForm(deprecationForm, {
    frame,
    action,
    usual: { deprecated: index.deprecated ?? '' },
    hidden: { part: 'deprecation' },
    button: submit('Save', { kind: 'plain' }),
  });
  return html`${card('Access', access)}${verification({ index, tab, frame })}${card('Deprecate', deprecation)}`;
}

/** The way to the level `verified`, for those who may apply. */
function verification({
  index,
  tab: { applications },
  frame,
}: Pick<SkillView, 'index'> & { tab: SettingsTab; frame: Frame }): Html {
  if (applications === undefined || index.level !== 'community') return html``;
  const last = applications.at(-1);
  if (last?.decision === null)
    return card(
      'Verification',
      html`<p>You applied ${day(last.at)}. A moderator of this registry decides.</p>`,
    );
  const form = drawForm(verificationForm, {
    frame,
    action: `/${index.name}/settings/verification`,
    button: submit('Apply', { kind: 'plain' }),
  });
  const before = last === undefined ? '' : html`<p>Declined: ${foreign(last.reason ?? '')}</p>`;
  return card(
    'Verification',
    html`<p>A verified skill comes from people whose identity a moderator of this registry has checked.</p>${before}${form}`,
  );
}
