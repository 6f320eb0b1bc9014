// Style sheet, script and icon as files whose names change with their content, so browsers may keep them forever.

import { createHash } from 'node:crypto';
import { liveScript } from './live-script.ts';
import { stylesheet } from './stylesheet.ts';

// The one script of all pages. It only adds comfort: copying, search as you type, `/` for the search field, and
// Ctrl-K for the list of places.

/** Served as a file of its own, never inline. */
const script = `'use strict';
(() => {
  const showCopyButtons = (root) => {
    for (const button of root.querySelectorAll('[data-copy]')) button.hidden = false;
  };
  showCopyButtons(document);

  document.addEventListener('click', async (event) => {
    const button = event.target.closest('[data-copy]');
    if (!button) return;
    const code = button.parentElement.querySelector('code');
    const word = button.firstChild;
    try {
      await navigator.clipboard.writeText(code.textContent);
      word.data = 'Copied';
    } catch {
      const range = document.createRange();
      range.selectNodeContents(code);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      word.data = 'Selected';
    }
    button.setAttribute('aria-live', 'polite');
    setTimeout(() => { word.data = 'Copy'; }, 1500);
  });

  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input, textarea, select, [contenteditable]')) return;
    const field = document.querySelector('[data-focus-key="/"]');
    if (!field) return;
    event.preventDefault();
    field.focus();
    field.select();
  });

  const follow = (form) => {
    const root = form.closest('dialog') ?? document;
    let timer = 0;
    let running = null;
    const show = async () => {
      const address = new URL(form.action);
      for (const [name, value] of new FormData(form)) if (value !== '') address.searchParams.set(name, value);
      if (running) running.abort();
      const request = new AbortController();
      running = request;
      try {
        const response = await fetch(address, { signal: request.signal, headers: { accept: 'text/html' } });
        if (!response.ok) return;
        const found = new DOMParser().parseFromString(await response.text(), 'text/html');
        const fresh = found.getElementById(form.dataset.live);
        const stale = root.querySelector('#' + form.dataset.live);
        if (!fresh || !stale || request.signal.aborted) return;
        stale.replaceWith(document.adoptNode(fresh));
        showCopyButtons(fresh);
        const status = root.querySelector('#live-status');
        const heading = fresh.querySelector('[data-result-count]');
        if (status && heading) status.textContent = heading.textContent;
        if (root === document && location.pathname === address.pathname) history.replaceState(null, '', address);
      } catch (error) {
        if (error.name !== 'AbortError') throw error;
      }
    };
    form.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(show, 120);
    });
  };
  for (const form of document.querySelectorAll('form[data-live]')) follow(form);

  // The page behind the link, above this one.
  let palette = null;
  const openPalette = async (link) => {
    if (palette === null) {
      const response = await fetch(link.href, { headers: { accept: 'text/html' } });
      if (!response.ok) return location.assign(link.href);
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      palette = document.createElement('dialog');
      palette.className = 'palette';
      palette.setAttribute('aria-label', link.firstChild.data.trim());
      palette.append(document.adoptNode(page.querySelector('main form[data-live]')));
      document.body.append(palette);
      const form = palette.querySelector('form');
      follow(form);
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        palette.querySelector('a')?.click();
      });
      palette.addEventListener('keydown', (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const stops = [palette.querySelector('input'), ...palette.querySelectorAll('a')];
        const next = stops.indexOf(document.activeElement) + step;
        stops[(next + stops.length) % stops.length].focus();
      });
      palette.addEventListener('click', (event) => {
        if (event.target === palette || event.target.closest('a')) palette.close();
      });
    }
    palette.showModal();
    palette.querySelector('input').select();
  };
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    const link = document.querySelector('a[data-palette]');
    if (!link || palette?.open) return;
    event.preventDefault();
    openPalette(link);
  });
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[data-palette]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || location.pathname === link.pathname) return;
    event.preventDefault();
    openPalette(link);
  });
})();
`;

/** A file that every page needs. */
interface Asset {
  /** Its name with a part of its digest: `pages.1f0c9a2b3d4e.css`. */
  readonly name: string;
  readonly type: string;
  readonly body: string;
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>g{stroke:#0a6459;fill:#0a6459}@media(prefers-color-scheme:dark){g{stroke:#5fcbb6;fill:#5fcbb6}}</style><g><path d="M4 6.5h16M4 12h11M4 17.5h7" fill="none" stroke-width="2.5" stroke-linecap="round"/><circle cx="18.5" cy="16.5" r="2.75" stroke="none"/></g></svg>`;

/** The files. Serve them from one directory, with `immutable` caching. */
export const assets: {
  readonly stylesheet: Asset;
  readonly script: Asset;
  /** Only for pages with a live source. */
  readonly live: Asset;
  readonly icon: Asset;
} = {
  stylesheet: assetOf('css', { type: 'text/css; charset=utf-8', body: stylesheet }),
  icon: assetOf('svg', { type: 'image/svg+xml', body: icon }),
  script: assetOf('js', { type: 'text/javascript; charset=utf-8', body: script }),
  live: assetOf('js', { type: 'text/javascript; charset=utf-8', body: liveScript }),
};

function assetOf(ending: string, { type, body }: { type: string; body: string }): Asset {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { name: `pages.${digest}.${ending}`, type, body };
}
