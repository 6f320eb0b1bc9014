// Traces that third-party text leaves on a page when it is not made harmless.

import type { Page } from 'playwright-core';

/** A page on which third-party text did nothing. */
export const noTraces = { hacked: false, elements: 0, handlers: [] };

/** Everything that must stay away: a flag set by a script, elements and attributes that only strangers write. */
export async function tracesOn(page: Page): Promise<unknown> {
  return page.evaluate(`({
    hacked: window.hacked === true,
    elements: [...document.querySelectorAll('main :is(script, iframe, style, base, meta, object, embed)')].length,
    handlers: [...document.querySelectorAll('*')].flatMap((element) => [...element.attributes])
      .filter(({ name, value }) => name.startsWith('on') || name === 'style' || name === 'srcdoc' || /^\\s*(?:javascript|data|vbscript):/i.test(value)).map(({ name, value }) => name + '=' + value.slice(0, 40)),
  })`);
}
