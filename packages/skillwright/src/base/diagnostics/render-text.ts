// Diagnostics as a person reads them on stderr.

import type { Code } from './codes.ts';
import type { Diagnostic } from './diagnostic.ts';
import { makeVisible } from './format-message.ts';

/** Printed without its code, because the text is fixed elsewhere word for word. */
const BARE: Code = 'W001';

/**
 * `error[E020]: …`, then the detail and a `help:` line where there is one; ends with a newline. All three may quote names
 * found on disk, so they are made visible before anything is painted.
 */
export function renderDiagnostic(diagnostic: Diagnostic, paint: Paint = plainPaint): string {
  const { code, severity } = diagnostic;
  const label = code === BARE ? severity : `${severity}[${code}]`;
  const lines = [`${paint[severity](label)}: ${makeVisible(diagnostic.message)}`];
  if (diagnostic.detail !== undefined) lines.push(...diagnostic.detail.split('\n').map(makeVisible));
  if (diagnostic.help !== undefined) lines.push(`${paint.strong('help')}: ${makeVisible(diagnostic.help)}`);
  return `${lines.join('\n')}\n`;
}

/** The few styles the product uses; each is a function so that a front end without colour passes text through. */
export interface Paint {
  error(text: string): string;
  warning(text: string): string;
  info(text: string): string;
  good(text: string): string;
  strong(text: string): string;
  faint(text: string): string;
}

const asIs = (text: string) => text;

/** No styling at all. */
export const plainPaint: Paint = {
  error: asIs,
  warning: asIs,
  info: asIs,
  good: asIs,
  strong: asIs,
  faint: asIs,
};

const style = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`;

/** Styling for a terminal. */
export const terminalPaint: Paint = {
  error: style(31, 39),
  warning: style(33, 39),
  info: style(36, 39),
  good: style(32, 39),
  strong: style(1, 22),
  faint: style(2, 22),
};
