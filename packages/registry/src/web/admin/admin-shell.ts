// The frame of the administration pages.

import { type Content, html, notice, tabs } from 'skillwright/pages';
import { type Frame, shell } from '../frame.ts';

/** A message about the form just sent. */
export interface Message {
  readonly tone: 'good' | 'bad';
  readonly text: string;
}

const parts = [
  { label: 'Accounts', href: '/admin/accounts' },
  { label: 'Mirrors', href: '/admin/mirrors' },
  { label: 'Reports', href: '/admin/reports' },
  { label: 'Audit log', href: '/admin/audit' },
  { label: 'Settings', href: '/admin/settings' },
];

export function adminShell(
  frame: Frame,
  {
    title,
    href,
    main,
    message,
  }: { title: string; href: string; main: Content; message?: Message | undefined },
): string {
  const links = tabs(
    'Administration',
    parts.map((part) => ({ ...part, isCurrent: part.href === href })),
  );
  const said = message === undefined ? '' : notice(message.tone, { title: message.text });
  return shell(frame, {
    title: `${title}: administration`,
    main: html`<h1>${title}</h1>${links}<div class="stack-large">${said}${main}</div>`,
  });
}
