// The frame of the administration pages.

import { type Content, html, table, tabs } from 'skillwright/pages';
import { demandRegistryAdmin, isModerator, unauthorised } from '../../access/index.ts';
import { Failure } from '../../base/index.ts';
import { type Settings, settingList } from '../../settings/index.ts';
import { definePage, type Visit } from '../define-page.ts';
import { type Frame, shell } from '../frame.ts';

const parts: readonly { label: string; href: string; isForModerators?: true }[] = [
  { label: 'Accounts', href: '/admin/accounts' },
  { label: 'Mirrors', href: '/admin/mirrors' },
  { label: 'Reports', href: '/admin/reports', isForModerators: true },
  { label: 'Verification', href: '/admin/verifications', isForModerators: true },
  { label: 'Audit log', href: '/admin/audit' },
  { label: 'Settings', href: '/admin/settings' },
];

export function adminShell(
  frame: Frame,
  { title, href, main }: { title: string; href: string; main: Content },
): string {
  const links = tabs(
    'Administration',
    parts
      .filter(({ isForModerators }) => (isForModerators ? frame.viewer?.mayModerate : frame.viewer?.isAdmin))
      .map((part) => ({ label: part.label, href: part.href, isCurrent: part.href === href })),
  );
  return shell(frame, {
    title: `${title}: administration`,
    main: html`<h1>${title}</h1>${links}<div class="stack-large">${main}</div>`,
  });
}

export const settingsPage = definePage({
  path: '/admin/settings',
  load: ({ registry: { settings }, caller }) => {
    demandRegistryAdmin(caller);
    return settingList.map(({ name, flag, help }) => ({
      name: flag,
      value: secret.has(name) && settings[name] !== undefined ? 'not shown' : spell(settings[name]),
      about: help,
    }));
  },
  draw(settings, frame) {
    const main = html`<p class="muted">Set by flags, environment variables or the settings file when the server starts. Secrets are not shown.</p>${table(
      {
        caption: 'Settings',
        columns: ['Setting', 'Value', 'Meaning'],
        rows: settings.map(({ name, value, about }) => [
          html`<code>--${name}</code>`,
          html`<span class="mono"><bdi dir="auto">${value}</bdi></span>`,
          html`<span class="muted small">${about}</span>`,
        ]),
      },
    )}`;
    return adminShell(frame, { title: 'Settings', href: '/admin/settings', main });
  },
});

/** Settings with secrets in them. */
const secret: ReadonlySet<keyof Settings> = new Set([
  'databaseReadUrl',
  'databaseUrl',
  'logSigningKey',
  'metricsToken',
  'providers',
]);

function spell(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** A list for moderators: the open items first, then the closed ones, newest first. */
export async function listWork<Item>(
  act: Visit,
  list: (act: Visit, which: { readonly isOpen: boolean }) => Promise<Item[]>,
): Promise<readonly Item[]> {
  if (act.caller.account === undefined) throw unauthorised();
  if (!isModerator(act.caller))
    throw new Failure('forbidden', 'only moderators of the registry see this page');
  const [open, done] = await Promise.all([list(act, { isOpen: true }), list(act, { isOpen: false })]);
  return [...open, ...done.toReversed()];
}
