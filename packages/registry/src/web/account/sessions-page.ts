// Browsers in which the account is signed in.

import { badge, dayAndTime, foreign, html, table } from 'skillwright/pages';
import type { SessionInfo } from 'skillwright/registry-protocol';
import { buttonForm } from '../forms/page-form.ts';
import { type Frame, shell } from '../frame.ts';

interface SessionsView {
  readonly sessions: readonly SessionInfo[];
}

export function sessionsPage({ sessions }: SessionsView, frame: Frame): string {
  const list = table({
    caption: 'Your sessions',
    columns: [
      { title: 'Browser' },
      { title: 'Signed in' },
      { title: 'Last used' },
      { title: 'Ends' },
      { title: 'End', isTitleHidden: true, kind: 'action' },
    ],
    rows: sessions.map(({ id, agent, current, created, used, expires }) => [
      html`${agent === '' ? html`<span class="muted">unknown</span>` : foreign(agent)} ${current ? badge('this one', { tone: 'accent' }) : ''}`,
      dayAndTime(created),
      dayAndTime(used),
      dayAndTime(expires),
      current
        ? ''
        : buttonForm(frame, {
            action: `/settings/sessions/${encodeURIComponent(id)}/end`,
            label: `End the session of ${created}`,
            button: 'End',
          }),
    ]),
  });
  const others = sessions.some(({ current }) => !current)
    ? buttonForm(frame, { action: '/settings/sessions/end-others', button: 'End all other sessions' })
    : '';
  const main = html`<div class="page-head"><h1>Sessions</h1><p>Browsers in which you are signed in. Tokens are listed <a href="/settings/tokens">separately</a>.</p></div><div class="stack-large">${list}${others}</div>`;
  return shell(frame, { title: 'Sessions', main });
}
