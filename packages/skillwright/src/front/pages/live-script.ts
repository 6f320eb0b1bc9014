// The script of pages that follow what happens on the server. Without it a page shows what was true when it was loaded.

import { hiddenCharacters } from './foreign.ts';

/** Served as a file of its own, never inline. `liveState` says which elements it changes. */
export const liveScript = `'use strict';
(() => {
  const box = document.querySelector('[data-events]');
  if (!box || !window.EventSource) return;
  const word = box.querySelector('[data-live-word]');
  const button = box.querySelector('[data-live-pause]');
  const news = document.querySelector('[data-live-news]');
  const words = { live: 'Live', paused: 'Paused', reconnecting: 'Reconnecting' };
  const KEPT_ROWS = 200;
  let source = null;
  let isStopped = false;
  let isLate = false;
  let wait = 1000;
  let retry = 0;

  const show = (state) => {
    box.dataset.state = state;
    word.textContent = words[state];
    button.textContent = isStopped ? 'Resume' : 'Pause';
  };

  const open = () => {
    clearTimeout(retry);
    if (source || isStopped || document.hidden) return;
    const opened = new EventSource(box.dataset.events);
    source = opened;
    opened.onopen = () => {
      wait = 1000;
      show('live');
      if (isLate) refresh('return');
      isLate = false;
    };
    opened.onmessage = ({ data }) => happen(JSON.parse(data));
    opened.addEventListener('counts', ({ data }) => count(JSON.parse(data)));
    opened.addEventListener('settled', () => {
      if (document.querySelector('[data-refresh="settled"]')) refresh('return');
    });
    opened.onerror = () => {
      isLate = true;
      show('reconnecting');
      if (opened.readyState !== EventSource.CLOSED) return;
      source = null;
      retry = setTimeout(open, wait);
      wait = Math.min(30000, wait * 2);
    };
  };

  const close = () => {
    clearTimeout(retry);
    if (source) source.close();
    source = null;
    isLate = true;
    show('paused');
  };

  button.addEventListener('click', () => {
    isStopped = !isStopped;
    if (isStopped) close();
    else {
      show('reconnecting');
      open();
    }
  });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) close();
    else open();
  });
  addEventListener('pagehide', () => { if (source) source.close(); });
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    source = null;
    isLate = true;
    open();
  });

  const numbers = new Intl.NumberFormat('en');
  const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
  const clocks = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone: 'UTC' });

  const write = (element, text) => {
    element.textContent = '';
    let from = 0;
    for (const { 0: character, index } of text.matchAll(${hiddenCharacters})) {
      const code = document.createElement('span');
      code.className = 'hidden-character';
      code.textContent = 'U+' + character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
      element.append(text.slice(from, index), code);
      from = index + character.length;
    }
    element.append(text.slice(from));
  };

  const clock = (element, time) => {
    const date = new Date(time);
    element.dateTime = element.title = date.toISOString();
    element.textContent = clocks.format(date);
  };

  const addRow = (happening) => {
    const rows = document.querySelector('[data-happenings] tbody');
    const template = document.getElementById('happening-row');
    if (!rows || !template) return;
    if ([...rows.querySelectorAll('[data-key]')].some(({ dataset }) => dataset.key === happening.key)) return;
    const row = document.importNode(template.content, true).querySelector('tr');
    for (const element of row.querySelectorAll('[data-field]')) {
      const value = happening[element.dataset.field];
      if (value === null || value === undefined) element.remove();
      else write(element, typeof value === 'number' ? numbers.format(Math.round(value)) : value);
    }
    row.querySelector('[data-key]').dataset.key = happening.key;
    clock(row.querySelector('time'), happening.timestamp);
    const link = row.querySelector('a[data-field]');
    if (link && happening.skillId !== null) link.href = box.dataset.subjects + encodeURIComponent(happening.skillId);
    else if (link) link.removeAttribute('href');
    row.classList.add('fresh');
    rows.prepend(row);
    while (rows.rows.length > KEPT_ROWS) rows.deleteRow(-1);
    for (const total of document.querySelectorAll('[data-happened]')) {
      total.dataset.happened = Number(total.dataset.happened) + 1;
      total.textContent = numbers.format(total.dataset.happened);
    }
    const none = document.querySelector('[data-nothing-happened]');
    if (none) none.hidden = true;
    rows.closest('[data-happenings]').hidden = false;
  };

  const count = (counts) => {
    for (const element of document.querySelectorAll('[data-reads-of]')) {
      const known = counts[element.dataset.readsOf];
      if (known) element.textContent = numbers.format(known[element.dataset.range] ?? known.count);
    }
    for (const element of document.querySelectorAll('[data-used-of]')) {
      const known = counts[element.dataset.usedOf];
      if (known && known.last_access) element.textContent = days.format(new Date(known.last_access));
    }
  };

  let unsaid = 0;
  let saying = 0;
  const announce = () => {
    unsaid += 1;
    if (saying) return;
    saying = setTimeout(() => {
      news.textContent = unsaid === 1 ? '1 new access' : numbers.format(unsaid) + ' new accesses';
      unsaid = 0;
      saying = setTimeout(() => { saying = 0; if (unsaid > 0) { unsaid -= 1; announce(); } }, 10000);
    }, 500);
  };

  let refreshing = 0;
  const happen = (happening) => {
    addRow(happening);
    announce();
    const isHere = [...document.querySelectorAll('[data-refresh="event"]')]
      .some(({ dataset }) => !dataset.about || dataset.about === happening.skillId);
    if (isHere && !refreshing)
      refreshing = setTimeout(() => { refreshing = 0; refresh('event'); }, 1500);
  };

  const refresh = async (why) => {
    const stale = [...document.querySelectorAll('[data-refresh][id]')]
      .filter(({ dataset }) => why === 'return' || dataset.refresh === why);
    if (stale.length === 0) return;
    let text = '';
    try {
      const response = await fetch(location.href, { headers: { accept: 'text/html' } });
      if (!response.ok) return;
      text = await response.text();
    } catch {
      return;
    }
    const found = new DOMParser().parseFromString(text, 'text/html');
    for (const old of stale) {
      const fresh = found.getElementById(old.id);
      if (!fresh && old.dataset.refresh === 'settled') old.remove();
      if (!fresh || !old.isConnected || old.contains(document.activeElement)) continue;
      keep(old, fresh);
      if (!old.isEqualNode(fresh)) old.replaceWith(document.adoptNode(fresh));
    }
  };

  // Opened details stay open, and buttons the other script showed stay visible.
  const keep = (old, fresh) => {
    const before = [...old.querySelectorAll('details')];
    for (const [at, details] of [...fresh.querySelectorAll('details')].entries())
      if (before[at]) details.open = before[at].open;
    for (const copy of fresh.querySelectorAll('[data-copy]')) copy.hidden = false;
  };

  box.hidden = false;
  show(document.hidden ? 'paused' : 'reconnecting');
  open();
})();
`;
