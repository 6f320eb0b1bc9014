// A unified diff in colour: removed lines red, added lines green.

import { makeVisible, type Paint } from '../../base/diagnostics/index.ts';

/** The lines of a diff, made safe for a terminal and coloured. Without colour only made safe. */
export function paintDiff(text: string, paint: Paint): string {
  return text
    .split('\n')
    .map((line) => styleOf(line, paint)(makeVisible(line)))
    .join('\n');
}

function styleOf(line: string, paint: Paint): (text: string) => string {
  if (/^(?:---|\+\+\+) /.test(line)) return paint.strong;
  if (line.startsWith('@@')) return paint.info;
  if (line.startsWith('+')) return paint.good;
  return line.startsWith('-') ? paint.error : (text) => text;
}
