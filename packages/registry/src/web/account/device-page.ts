// The page on which a person lets a command line in.

import { badge, definitions, field, form, type Html, html, notice, submit } from 'skillwright/pages';
import type { Scope } from 'skillwright/registry-protocol';
import { type Frame, shell } from '../frame.ts';

/** The stage of a device login. */
export type DeviceView =
  | { readonly stage: 'enter'; readonly error?: string | undefined }
  | {
      readonly stage: 'confirm';
      readonly userCode: string;
      readonly client: string;
      readonly scopes: readonly Scope[];
      /** Address the request came from. */
      readonly from: string | null;
    }
  | { readonly stage: 'approved' | 'denied' | 'expired' };

export function devicePage(view: DeviceView, frame: Frame): string {
  const main = html`<div class="stack-large"><div class="page-head"><h1>Let a command line in</h1></div>${content(view, frame)}</div>`;
  return shell(frame, { title: 'Device login', main, width: 'narrow' });
}

function content(view: DeviceView, { csrf, viewer }: Frame): Html {
  if (view.stage === 'enter')
    return form({
      action: '/device',
      csrf,
      content: html`${field({ name: 'user_code', label: 'Code', hint: 'The code that skc login shows in your terminal', isRequired: true, autocomplete: 'off', maxLength: 20, error: view.error })}${submit('Continue')}`,
    });
  if (view.stage === 'confirm')
    return html`<p>Compare this code with the one in your terminal. Go on only if you started the login yourself.</p><p class="code-word">${view.userCode}</p>${definitions(
      [
        ['Program', html`<bdi dir="auto">${view.client}</bdi>`],
        [
          'Asks for',
          html`<span class="row">${view.scopes.map((scope) => badge(scope, scope === 'admin' ? { tone: 'warn' } : {}))}</span>`,
        ],
        ['From', view.from],
        ['Acts as', viewer === undefined ? null : html`<bdi>${viewer.account}</bdi>`],
      ],
    )}${form({
      action: '/device',
      csrf,
      content: html`<input type="hidden" name="user_code" value="${view.userCode}"><div class="row">${submit('Allow', { name: 'decision', value: 'allow' })}${submit('Deny', { kind: 'danger', name: 'decision', value: 'deny' })}</div>`,
    })}`;
  if (view.stage === 'approved')
    return notice('good', { title: 'Done', body: 'Return to your terminal. You can close this page.' });
  if (view.stage === 'denied')
    return notice('neutral', { title: 'Denied', body: 'The command line got no token.' });
  return notice('warn', { title: 'This code has expired', body: html`Run <code>skc login</code> again.` });
}
