// The one script of all pages. It only adds comfort: copying, search as you type, and `/` for the search field.

/** Served as a file of its own, never inline. */
export const script = `'use strict';
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

  const form = document.querySelector('form[data-live]');
  if (!form) return;
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
      const stale = document.getElementById(form.dataset.live);
      if (!fresh || !stale || request.signal.aborted) return;
      stale.replaceWith(document.adoptNode(fresh));
      showCopyButtons(fresh);
      const status = document.getElementById('live-status');
      const heading = fresh.querySelector('[data-result-count]');
      if (status && heading) status.textContent = heading.textContent;
      if (location.pathname === address.pathname) history.replaceState(null, '', address);
    } catch (error) {
      if (error.name !== 'AbortError') throw error;
    }
  };
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(show, 120);
  });
})();
`;
