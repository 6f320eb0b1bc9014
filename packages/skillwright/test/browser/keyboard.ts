// A page used with the keyboard.

import type { Page } from 'playwright-core';

/** Text of the element with the focus; `field: <name>` for fields. */
export async function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    `document.activeElement.name ? 'field: ' + document.activeElement.name : document.activeElement.textContent.replace(/\\s+/g, ' ').trim()`,
  );
}

/** Presses Tab until the element has the focus for the given time. */
export async function tabTo(page: Page, text: string, times = 1): Promise<void> {
  let left = times;
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if ((await focused(page)) === text && --left === 0) return;
  }
  throw new Error(`Tab does not reach: ${text}`);
}
