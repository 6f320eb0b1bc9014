// Style sheet and script as files whose names change with their content, so browsers may keep them forever.

import { createHash } from 'node:crypto';
import { script } from './script.ts';
import { stylesheet } from './stylesheet.ts';

/** A file that every page needs. */
export interface Asset {
  /** Its name with a part of its digest: `pages.1f0c9a2b3d4e.css`. */
  readonly name: string;
  readonly type: string;
  readonly body: string;
}

/** The style sheet and the script. Serve both from one directory, with `immutable` caching. */
export const assets: { readonly stylesheet: Asset; readonly script: Asset } = {
  stylesheet: assetOf('css', { type: 'text/css; charset=utf-8', body: stylesheet }),
  script: assetOf('js', { type: 'text/javascript; charset=utf-8', body: script }),
};

function assetOf(ending: string, { type, body }: { type: string; body: string }): Asset {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { name: `pages.${digest}.${ending}`, type, body };
}
