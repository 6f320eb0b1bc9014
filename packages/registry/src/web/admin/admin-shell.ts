// The frame of the administration pages.

import { type Content, html, tabs } from 'skillwright/pages';
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
    parts.map((part) => ({ ...part, isCurrent: part.href === href })),
  );
  return shell(frame, {
    title: `${title}: administration`,
    main: html`<h1>${title}</h1>${links}<div class="stack-large">${main}</div>`,
  });
}
