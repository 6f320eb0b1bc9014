// Style sheet, script and icon as files whose names change with their content, so browsers may keep them forever.

import { createHash } from 'node:crypto';
import { liveScript } from './live-script.ts';
import { script } from './script.ts';
import { stylesheet } from './stylesheet.ts';

/** A file that every page needs. */
export interface Asset {
  /** Its name with a part of its digest: `pages.1f0c9a2b3d4e.css`. */
  readonly name: string;
  readonly type: string;
  readonly body: string;
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>g{stroke:#0a6459;fill:#0a6459}@media(prefers-color-scheme:dark){g{stroke:#5fcbb6;fill:#5fcbb6}}</style><g><path d="M4 6.5h16M4 12h11M4 17.5h7" fill="none" stroke-width="2.5" stroke-linecap="round"/><circle cx="18.5" cy="16.5" r="2.75" stroke="none"/></g></svg>`;

/** The files. Serve them from one directory, with `immutable` caching. */
export const assets: {
  readonly stylesheet: Asset;
  readonly script: Asset;
  /** Only for pages with a live source. */
  readonly live: Asset;
  readonly icon: Asset;
} = {
  stylesheet: assetOf('css', { type: 'text/css; charset=utf-8', body: stylesheet }),
  icon: assetOf('svg', { type: 'image/svg+xml', body: icon }),
  script: assetOf('js', { type: 'text/javascript; charset=utf-8', body: script }),
  live: assetOf('js', { type: 'text/javascript; charset=utf-8', body: liveScript }),
};

function assetOf(ending: string, { type, body }: { type: string; body: string }): Asset {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { name: `pages.${digest}.${ending}`, type, body };
}
