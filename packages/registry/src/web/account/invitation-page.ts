// An invitation: makes an account where there is no identity provider.

import {
  badge,
  dayAndTime,
  definitions,
  field,
  foreign,
  form,
  html,
  notice,
  submit,
} from 'skillwright/pages';
import type { Role } from 'skillwright/registry-protocol';
import { type Frame, shell } from '../frame.ts';
import { ownerLink } from '../skill-list.ts';

/** An open invitation, or the reason why it is not open. */
export interface InvitationView {
  readonly secret: string;
  readonly invitation:
    | {
        readonly invitedBy: string;
        readonly expires: string;
        readonly owner: string | null;
        readonly roles: readonly Role[];
      }
    | undefined;
  readonly values?: Readonly<Record<string, string>> | undefined;
  readonly errors?: Readonly<Record<string, string>> | undefined;
}

export function invitationPage(
  { secret, invitation, values = {}, errors = {} }: InvitationView,
  frame: Frame,
): string {
  const body =
    invitation === undefined
      ? notice('warn', {
          title: 'This invitation is not valid',
          body: 'It was used, withdrawn or has expired. Ask for a new one.',
        })
      : html`${definitions([
          ['From', foreign(invitation.invitedBy)],
          ['Namespace', invitation.owner === null ? null : ownerLink(invitation.owner)],
          [
            'Roles',
            invitation.roles.length === 0
              ? null
              : html`<span class="row">${invitation.roles.map((role) => badge(role))}</span>`,
          ],
          ['Valid until', dayAndTime(invitation.expires)],
        ])}${form({
          action: `/invitations/${encodeURIComponent(secret)}`,
          csrf: frame.csrf,
          content: html`${field({ name: 'account', label: 'Account name', hint: 'Lower case letters, digits and hyphens', isRequired: true, maxLength: 64, autocomplete: 'username', value: values.account, error: errors.account })}${field({ name: 'displayName', label: 'Your name', maxLength: 100, autocomplete: 'name', value: values.displayName, error: errors.displayName })}${submit('Create account')}`,
        })}`;
  const main = html`<div class="stack-large"><div class="page-head"><h1>You are invited to ${frame.registryName}</h1></div>${body}</div>`;
  return shell(frame, { title: 'Invitation', main, width: 'narrow' });
}
