// The frame of the administration pages.

import { type Content, html, table, tabs } from 'skillwright/pages';
import { type Frame, shell } from '../frame.ts';

const parts = [
  { label: 'Accounts', href: '/admin/accounts' },
  { label: 'Mirrors', href: '/admin/mirrors' },
  { label: 'Reports', href: '/admin/reports' },
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
      .filter((part) => frame.viewer?.isAdmin || part.href === href)
      .map((part) => ({ ...part, isCurrent: part.href === href })),
  );
  return shell(frame, {
    title: `${title}: administration`,
    main: html`<h1>${title}</h1>${links}<div class="stack-large">${main}</div>`,
  });
}

interface SettingsView {
  readonly settings: readonly { readonly name: string; readonly value: string; readonly about: string }[];
}

export function settingsPage({ settings }: SettingsView, frame: Frame): string {
  const main = html`<p class="muted">Set by flags, environment variables or the settings file when the server starts. Secrets are not shown.</p>${table(
    {
      caption: 'Settings',
      columns: [{ title: 'Setting' }, { title: 'Value' }, { title: 'Meaning' }],
      rows: settings.map(({ name, value, about }) => [
        html`<code>--${name}</code>`,
        html`<span class="mono"><bdi dir="auto">${value}</bdi></span>`,
        html`<span class="muted small">${about}</span>`,
      ]),
    },
  )}`;
  return adminShell(frame, { title: 'Settings', href: '/admin/settings', main });
}
