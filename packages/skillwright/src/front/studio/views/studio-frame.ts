// Everything a page of the studio knows beside its own view.

import type { Theme } from '../../pages/index.ts';

/** One of the pages in the navigation. */
export type StudioSection = 'skills' | 'search' | 'catalog' | 'agents' | 'activity';

/** Where a page is shown. */
export interface StudioFrame {
  /** Address of a page or file from its path inside the studio: `/skills/ab12`. An export makes it relative to the page. */
  href(path: string): string;
  readonly section: StudioSection | null;
  /** Project, or the working directory outside of one, as the user writes it. */
  readonly place: string;
  readonly theme: Theme;
  /** Protects forms; null in an export, which has no forms. */
  readonly csrf: string | null;
  /** True once the user asked for changes in this studio. */
  readonly mayChange: boolean;
  /** Path of this page, for forms that come back to it. */
  readonly path: string;
  /** When the data of the page was read. */
  readonly readAt: Date;
  /** Something was cut, skipped or could not be read: one sentence each, with the way on. */
  readonly notes: readonly string[];
  /** Sentences about the change that led to this page. */
  readonly said?: readonly string[];
}
