// The page on which a person lets a program in.

import { badge, dayAndTime, definitions, field, form, type Html, html, submit } from 'skillwright/pages';
import type { Scope } from 'skillwright/registry-protocol';
import { type Frame, shell } from '../frame.ts';

/** A login that waits for its confirmation; without one the page asks for the code. */
interface DeviceView {
  readonly code: string;
  readonly login:
    | { readonly client: string; readonly scopes: readonly Scope[]; readonly requested: Date }
    | undefined;
  readonly problem?: string | undefined;
}

export function devicePage(view: DeviceView, frame: Frame): string {
  const main = html`<div class="stack-large"><div class="page-head"><h1>Connect a program</h1></div>${content(view, frame)}</div>`;
  return shell(frame, { title: 'Connect a program', main, width: 'narrow' });
}

function content({ code, login, problem }: DeviceView, { csrf, viewer }: Frame): Html {
  if (login === undefined)
    return html`<form class="form" method="get" action="/device">${field({ name: 'code', label: 'Code', value: code, hint: 'The code that skc login shows in your terminal', isRequired: true, autocomplete: 'off', maxLength: 20, error: problem })}${submit('Continue')}</form>`;
  return html`<p>Compare this code with the one in your terminal. Go on only if you started the login yourself.</p><p class="code-word">${code}</p>${definitions(
    [
      ['Program', html`<bdi dir="auto">${login.client}</bdi>`],
      [
        'Asks for',
        html`<span class="row">${login.scopes.map((scope) => badge(scope, scope === 'admin' ? { tone: 'warn' } : {}))}</span>`,
      ],
      ['Requested', dayAndTime(login.requested.toISOString())],
      ['Acts as', viewer === undefined ? null : html`<bdi>${viewer.account}</bdi>`],
    ],
  )}${form({
    action: '/device',
    csrf,
    content: html`<input type="hidden" name="code" value="${code}"><div class="row">${submit('Confirm', { name: 'decision', value: 'approve' })}${submit('Refuse', { kind: 'danger', name: 'decision', value: 'deny' })}</div>`,
  })}`;
}
