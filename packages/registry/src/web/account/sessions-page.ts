// Browsers in which the account is signed in.

import { actionColumn, badge, dayAndTime, foreign, html, table } from 'skillwright/pages';
import { endSession } from '../../accounts/index.ts';
import { callOf, handlers } from '../../api/index.ts';
import { definePage } from '../define-page.ts';
import { buttonForm } from '../forms/page-form.ts';
import { shell } from '../frame.ts';

export const sessionsPage = definePage({
  path: '/settings/sessions',
  load: async (visit) => (await handlers.listSessions(callOf(visit))).sessions,
  draw(sessions, frame) {
    const list = table({
      caption: 'Your sessions',
      columns: ['Browser', 'Signed in', 'Last used', 'Ends', actionColumn('End')],
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
  },
  forms: [
    {
      path: '/settings/sessions/end-others',
      async work(call) {
        const { sessions } = await handlers.listSessions(callOf(call));
        for (const { id, current } of sessions) if (!current) await endSession(call, id);
      },
    },
    { path: '/settings/sessions/:id/end', form: 'endSession' },
  ],
});
