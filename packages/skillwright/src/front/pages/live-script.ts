// The script of pages that follow what happens on the server. Without it a page shows what was true when it was loaded.

/** Served as a file of its own, never inline. `liveState` says which elements it changes. */
export const liveScript = `'use strict';
(() => {
  const box = document.querySelector('[data-events]');
  if (!box || !window.EventSource) return;
  const word = box.querySelector('[data-live-word]');
  const button = box.querySelector('[data-live-pause]');
  const news = document.querySelector('[data-live-news]');
  const words = { live: 'Live', paused: 'Paused', reconnecting: 'Reconnecting' };
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

  let unsaid = 0;
  let saying = 0;
  const announce = (count) => {
    unsaid += count;
    if (saying || unsaid === 0) return;
    saying = setTimeout(() => {
      news.textContent = unsaid === 1 ? '1 new access' : unsaid.toLocaleString('en') + ' new accesses';
      unsaid = 0;
      saying = setTimeout(() => { saying = 0; announce(0); }, 10000);
    }, 500);
  };

  // The first event shows at once; those that follow share the next look.
  let changed = null;
  let isLooking = false;
  const happen = ({ skills, count }) => {
    announce(count);
    changed = [...(changed ?? []), ...skills];
    look();
  };
  const look = async () => {
    if (isLooking || changed === null) return;
    isLooking = true;
    const about = changed;
    changed = null;
    await refresh('event', about);
    setTimeout(() => { isLooking = false; look(); }, 1000);
  };

  const isStale = ({ refresh, about }, why, skills) =>
    why === 'return' || (refresh === why && (!about || skills.includes(about)));

  const refresh = async (why, skills = []) => {
    const stale = [...document.querySelectorAll('[data-refresh][id]')]
      .filter(({ dataset }) => isStale(dataset, why, skills));
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
      if (old.isEqualNode(fresh)) continue;
      if (why === 'event') markNew(old, fresh);
      old.replaceWith(document.adoptNode(fresh));
    }
  };

  const keysIn = (part) => [...part.querySelectorAll('[data-key]')];
  const markNew = (old, fresh) => {
    const before = new Set(keysIn(old).map(({ dataset }) => dataset.key));
    for (const element of keysIn(fresh))
      if (!before.has(element.dataset.key)) element.closest('tr').classList.add('fresh');
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
