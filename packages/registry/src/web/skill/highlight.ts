// Colours of source code, made on the server with the parsers that the scanner uses.

import { classHighlighter, highlightCode } from '@lezer/highlight';
import { parser as javascript } from '@lezer/javascript';
import { parser as python } from '@lezer/python';
import { type Content, html, showControls } from 'skillwright/pages';

/** Larger files are shown without colours: parsing takes the time of other requests. */
const MAX_CHARACTERS = 100_000;

const parsers: readonly (readonly [ending: RegExp, parser: Pick<typeof python, 'parse'>])[] = [
  [/\.py$/i, python],
  [/\.json$/i, javascript.configure({ top: 'SingleExpression' })],
  [/\.[cm]?ts$/i, javascript.configure({ dialect: 'ts' })],
  [/\.tsx$/i, javascript.configure({ dialect: 'ts jsx' })],
  [/\.[cm]?jsx?$/i, javascript.configure({ dialect: 'jsx' })],
];

/** The lines of a file with their colours; undefined for a language without a parser. */
export function highlightLines(path: string, text: string): readonly Content[] | undefined {
  const parser = parsers.find(([ending]) => ending.test(path))?.[1];
  if (parser === undefined || text.length > MAX_CHARACTERS) return undefined;
  const lines: Content[][] = [[]];
  highlightCode(
    text,
    parser.parse(text),
    classHighlighter,
    (part, classes) => {
      const shown = showControls(part);
      lines.at(-1)!.push(classes === '' ? shown : html`<span class="${classes}">${shown}</span>`);
    },
    () => lines.push([]),
  );
  return lines;
}
