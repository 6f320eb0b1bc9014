// The pages of sign-in, as plain HTML. Everything shown is escaped.

import type { Scope } from 'skillwright/registry-protocol';

/** What each page shows. */
export interface PageViews {
  /** Sign-in by provider or by token. */
  signin: {
    readonly providers: readonly { readonly title: string; readonly href: string }[];
    readonly returnTo: string;
    readonly csrf: string | undefined;
    readonly problem: string | undefined;
  };
  /** An invitation to accept: at a provider, or with one button where there is none. */
  invite: {
    readonly account: string;
    readonly code: string;
    readonly providers: readonly { readonly title: string; readonly href: string }[];
    readonly csrf: string | undefined;
  };
  /** After accepting an invitation: the token to sign in with, shown once. */
  welcome: { readonly account: string; readonly token: string };
  /** Asks for the code of a device login, or for its confirmation. */
  device: {
    readonly csrf: string | undefined;
    readonly code: string;
    readonly login:
      | { readonly client: string; readonly scopes: readonly Scope[]; readonly requested: Date }
      | undefined;
    readonly problem: string | undefined;
  };
  /** Asks whether to sign out. */
  signout: { readonly account: string; readonly csrf: string | undefined };
  message: { readonly title: string; readonly text: string };
}

/** A whole page. */
export function renderPage<Name extends keyof PageViews>(name: Name, view: PageViews[Name]): string {
  const { title, body } = (pages[name] as (view: PageViews[Name]) => Page)(view);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title></head><body><main><h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>
`;
}

interface Page {
  readonly title: string;
  readonly body: string;
}

const pages: { [Name in keyof PageViews]: (view: PageViews[Name]) => Page } = {
  signin: ({ providers, returnTo, csrf, problem }) => ({
    title: 'Sign in',
    body: `${alert(problem)}${links(providers)}
<form method="post" action="/signin">${hidden('csrf', csrf)}${hidden('return', returnTo)}
<label>Token <input name="token" type="password" autocomplete="current-password" required></label>
<button>Sign in</button></form>`,
  }),
  invite: ({ account, code, providers, csrf }) => ({
    title: 'Invitation',
    body: `<p>You are invited as <b>${escapeHtml(account)}</b>.</p>${
      providers.length > 0
        ? links(providers)
        : `<form method="post" action="/invite/${escapeHtml(code)}">${hidden('csrf', csrf)}<button>Accept</button></form>`
    }`,
  }),
  welcome: ({ account, token }) => ({
    title: `Welcome, ${account}`,
    body: `<p>Keep this token. You sign in with it, and it is not shown again:</p><p><code>${escapeHtml(token)}</code></p>
<p><a href="/">Continue</a></p>`,
  }),
  device: ({ csrf, code, login, problem }) => ({
    title: 'Connect a program',
    body:
      login === undefined
        ? `${alert(problem)}<form method="get" action="/device"><label>Code
<input name="code" value="${escapeHtml(code)}" autocomplete="off" autocapitalize="characters" required></label>
<button>Continue</button></form>`
        : `<p><b>${escapeHtml(login.client)}</b> asks for these rights: ${escapeHtml(login.scopes.join(', ') || 'none')}.
Requested ${escapeHtml(login.requested.toISOString())}.</p>
<p>Confirm only if the program on your own screen shows the code <b>${escapeHtml(code)}</b>.</p>
<form method="post" action="/device">${hidden('csrf', csrf)}${hidden('code', code)}
<button name="decision" value="approve">Confirm</button> <button name="decision" value="deny">Refuse</button></form>`,
  }),
  signout: ({ account, csrf }) => ({
    title: 'Sign out',
    body: `<p>You are signed in as <b>${escapeHtml(account)}</b>.</p>
<form method="post" action="/signout">${hidden('csrf', csrf)}<button>Sign out</button></form>`,
  }),
  message: ({ title, text }) => ({
    title,
    body: `<p>${escapeHtml(text)}</p><p><a href="/">Home</a></p>`,
  }),
};

function alert(problem: string | undefined): string {
  return problem === undefined ? '' : `<p role="alert">${escapeHtml(problem)}</p>`;
}

function links(providers: PageViews['signin']['providers']): string {
  return providers
    .map(({ title, href }) => `<p><a href="${escapeHtml(href)}">Continue with ${escapeHtml(title)}</a></p>`)
    .join('\n');
}

function hidden(name: string, value: string | undefined): string {
  return value === undefined ? '' : `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
