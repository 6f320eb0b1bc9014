// The one style sheet of all pages.

import { blockStyles } from './styles/blocks.ts';
import { elementStyles } from './styles/elements.ts';
import { figureStyles } from './styles/figures.ts';
import { formStyles } from './styles/forms.ts';
import { layoutStyles } from './styles/layout.ts';
import { printStyles } from './styles/print.ts';
import { reportStyles } from './styles/report.ts';
import { sourceStyles } from './styles/source.ts';
import { studioStyles } from './styles/studio.ts';
import { themeStyles } from './styles/theme.ts';

/** Served as a file of its own, or inside a page that is one file; its digest is then in the policy of the page. */
export const stylesheet: string = [
  themeStyles,
  elementStyles,
  layoutStyles,
  blockStyles,
  figureStyles,
  formStyles,
  sourceStyles,
  reportStyles,
  studioStyles,
  printStyles,
].join('\n');
