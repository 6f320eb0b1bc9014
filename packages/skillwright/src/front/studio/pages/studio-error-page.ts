// A page for requests that failed.

import { foreign, type Html, html } from '../../pages/index.ts';
import type { StudioFrame } from '../views/studio-frame.ts';
import { studioShell } from './studio-shell.ts';

export function studioErrorPage({ title, text }: { title: string; text: string }, frame: StudioFrame): Html {
  const main = html`<div class="page-head"><h1>${foreign(title)}</h1><p>${foreign(text)}</p></div><p><a class="button" href="${frame.href('/')}">All skills</a></p>`;
  return studioShell(frame, { title, main, width: 'narrow' });
}
