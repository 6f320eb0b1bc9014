// A page that only says something.

import { html } from 'skillwright/pages';
import { type Frame, shell } from './frame.ts';

export interface MessageView {
  readonly title: string;
  readonly text: string;
}

export function messagePage({ title, text }: MessageView, frame: Frame): string {
  const main = html`<div class="stack"><h1>${title}</h1><p dir="auto">${text}</p><p><a class="button" href="/">Home</a></p></div>`;
  return shell(frame, { title, main, width: 'narrow' });
}
