// A page for requests that failed.

import { foreign, type Html, html } from '../../pages/index.ts';
import { type StudioFrame, studioShell } from './studio-shell.ts';

/** The page. A frame without a place is for a stranger, whose requests for style sheet and script would be refused too. */
export function studioErrorPage({ title, text }: { title: string; text: string }, frame: StudioFrame): Html {
  const head = html`<div class="page-head"><h1>${foreign(title)}</h1><p>${foreign(text)}</p></div>`;
  if (frame.place === '')
    return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Skillwright Studio</title>
</head>
<body>
<main>${head}</main>
</body>
</html>
`;
  const main = html`${head}<p><a class="button" href="${frame.href('/')}">All skills</a></p>`;
  return studioShell(frame, { title, main, width: 'narrow' });
}
