// Chromium for tests of pages, and what a page did that it must not do.

import { execFileSync } from 'node:child_process';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** A busy machine must not fail a test; by default pages are given up after 30 s. */
const PATIENCE = 300_000;

/** Starts Chromium. Tests call `requireProgram` first. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim(),
    timeout: PATIENCE,
  });
}

/** A page that remembers requests to other origins, dialogs, errors, and violations of the policy. */
export interface WatchedPage {
  readonly page: Page;
  readonly misdeeds: string[];
}

/** Opens a page that is watched. */
export async function openPage(
  browser: Browser,
  { origin, ...options }: BrowserContextOptions & { readonly origin: string },
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const misdeeds: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) misdeeds.push(`request to ${request.url()}`);
  });
  page.on('dialog', async (dialog) => {
    misdeeds.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('pageerror', (error) => misdeeds.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') misdeeds.push(`console: ${message.text()}`);
  });
  return { page, misdeeds };
}

/** Pixels by which a page is wider than its window. */
export async function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
