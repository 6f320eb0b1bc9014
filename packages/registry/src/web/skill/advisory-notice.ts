// A known problem of some versions.

import { type Html, html, notice, outsideLink, severityBadge } from 'skillwright/pages';
import type { RegistryAdvisory } from 'skillwright/registry-protocol';

export function advisoryNotice({ id, severity, summary, affected, url }: RegistryAdvisory): Html {
  return notice(severity === 'high' || severity === 'critical' ? 'bad' : 'warn', {
    title: html`Advisory ${id} ${severityBadge(severity)}`,
    body: html`<p dir="auto">${summary}</p><p>Affects <code>${affected}</code>${url === null ? '' : html` · ${outsideLink(url)}`}</p>`,
  });
}
