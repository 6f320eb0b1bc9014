// Accessibility of a page as axe sees it.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Looks a page is checked in. The first is checked with all rules, the others with those that depend on colours and widths. */
export const looks = [
  { colorScheme: 'light', width: 1280, rules: undefined },
  { colorScheme: 'dark', width: 1280, rules: ['color-contrast', 'link-in-text-block'] },
  {
    colorScheme: 'dark',
    width: 320,
    rules: ['color-contrast', 'target-size', 'scrollable-region-focusable'],
  },
  { colorScheme: 'light', width: 320, rules: ['color-contrast'] },
] as const;

/** Serious and critical findings. Rules can be named once all were run on this page. */
export async function seriousFindings(page: Page, rules: readonly string[] | undefined): Promise<string[]> {
  if (rules === undefined) await page.evaluate(axe);
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) };
  return page.evaluate<
    string[]
  >(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target.join(' ') + ': ' + failureSummary)))`);
}
