// Settings in force. They come from flags and the environment, so this page only shows them.

import { html, table } from 'skillwright/pages';
import type { Frame } from '../frame.ts';
import { adminShell } from './admin-shell.ts';

export interface SettingsView {
  readonly settings: readonly { readonly name: string; readonly value: string; readonly about: string }[];
}

export function settingsPage({ settings }: SettingsView, frame: Frame): string {
  const main = html`<p class="muted">Set by flags and environment variables when the server starts. Secrets are not shown.</p>${table(
    {
      caption: 'Settings',
      columns: [{ title: 'Setting' }, { title: 'Value' }, { title: 'Meaning' }],
      rows: settings.map(({ name, value, about }) => [
        html`<code>${name}</code>`,
        html`<span class="mono"><bdi dir="auto">${value}</bdi></span>`,
        html`<span class="muted small">${about}</span>`,
      ]),
    },
  )}`;
  return adminShell(frame, { title: 'Settings', href: '/admin/settings', main });
}
