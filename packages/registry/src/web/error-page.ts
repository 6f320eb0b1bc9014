// Pages for requests that fail.

import { html } from 'skillwright/pages';
import { type Frame, shell } from './frame.ts';

/** A failure as a person reads it. */
interface ErrorView {
  readonly status: number;
  readonly message: string;
  readonly details?: readonly string[] | undefined;
}

const titles: Readonly<Record<number, string>> = {
  400: 'This request is not valid',
  401: 'Sign in first',
  403: 'You may not do this',
  404: 'Not found',
  409: 'This conflicts with something newer',
  410: 'Removed',
  422: 'This was refused',
  413: 'Too large',
  429: 'Too many requests',
  500: 'Something went wrong on the server',
  503: 'Not available right now',
};

/** Messages of the protocol are parts of sentences. */
export function sentence(message: string): string {
  return `${message.slice(0, 1).toUpperCase()}${message.slice(1)}${/[.?!]$/.test(message) ? '' : '.'}`;
}

export function errorPage({ status, message, details = [] }: ErrorView, frame: Frame): string {
  const title = titles[status] ?? 'This did not work';
  const next =
    status === 401 || (status === 404 && frame.viewer === undefined && frame.path !== '/')
      ? html`<p>Private skills are shown to members only. <a href="/signin?return=${encodeURIComponent(frame.path)}">Sign in</a> if you are one.</p>`
      : '';
  const main = html`<div class="stack"><p class="muted mono">${status}</p><h1>${title}</h1>${message.toLowerCase() === title.toLowerCase() ? '' : html`<p dir="auto">${sentence(message)}</p>`}${
    details.length === 0
      ? ''
      : html`<ul class="evidence">${details.map((detail) => html`<li dir="auto">${detail}</li>`)}</ul>`
  }${next}<p class="row"><a class="button" href="/">Home</a><a class="button" href="/search">Search</a></p></div>`;
  return shell(frame, { title, main, width: 'narrow' });
}

export function messagePage({ title, text }: { title: string; text: string }, frame: Frame): string {
  const main = html`<div class="stack"><h1>${title}</h1><p dir="auto">${text}</p><p><a class="button" href="/">Home</a></p></div>`;
  return shell(frame, { title, main, width: 'narrow' });
}
