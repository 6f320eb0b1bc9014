// Everything around the content of a page of the studio.

import {
  assets,
  type Content,
  dayAndTime,
  foreign,
  type Html,
  html,
  liveState,
  notice,
  page,
  type Theme,
} from '../../pages/index.ts';

/** One of the pages in the navigation. */
export type StudioSection = 'skills' | 'search' | 'catalog' | 'agents' | 'activity' | 'evals';

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
  /** Something was cut, skipped or could not be read: one sentence each, and what to do. */
  readonly notes: readonly string[];
  /** Sentences about the change that led to this page. */
  readonly said?: readonly string[];
}

/** The pages of the navigation. */
export const studioPages: readonly {
  readonly section: StudioSection;
  readonly label: string;
  readonly about: string;
  readonly path: string;
  readonly needsServer?: true;
}[] = [
  { section: 'skills', label: 'Skills', path: '/', about: 'All skills and how they are used' },
  {
    ...{ section: 'search', label: 'Search', path: '/search', about: 'Ask as an agent would' },
    needsServer: true,
  },
  { section: 'catalog', label: 'Catalog', path: '/catalog', about: 'The list that hosts give to models' },
  { section: 'agents', label: 'Agents', path: '/agents', about: 'The skills each agent sees' },
  { section: 'activity', label: 'Activity', path: '/activity', about: 'Reads and searches as they happen' },
  { section: 'evals', label: 'Evals', path: '/evals', about: 'Which skill is chosen for which request' },
];

/** True for pages in files, which have no server behind them: no forms, no search, nothing live. */
export const isExport = ({ csrf }: StudioFrame): boolean => csrf === null;

/** A page of the studio. */
export function studioShell(
  frame: StudioFrame,
  options: {
    readonly title: string;
    readonly main: Content;
    /** False on pages with a search field of their own. */
    readonly hasSearch?: boolean;
    readonly width?: 'wide' | 'narrow';
  },
): Html {
  const { title, main, hasSearch = true, width = 'wide' } = options;
  const { href, section, theme, csrf, path } = frame;
  const asset = (name: keyof typeof assets) => href(`/assets/${assets[name].name}`);
  return page({
    title,
    brand: { name: 'Skillwright Studio', href: href('/') },
    assets: {
      stylesheet: asset('stylesheet'),
      script: asset('script'),
      live: csrf === null ? undefined : asset('live'),
      icon: asset('icon'),
    },
    theme,
    ...(csrf === null ? {} : { themeForm: { action: href('/theme'), back: path, csrf } }),
    ...(csrf === null || !hasSearch
      ? {}
      : { search: { action: href('/search'), label: 'Ask as an agent would' } }),
    navigation: studioPages
      .filter(({ needsServer }) => csrf !== null || needsServer !== true)
      .map((one) => ({ label: one.label, href: href(one.path), isCurrent: one.section === section })),
    ...(csrf === null
      ? {}
      : {
          account: html`<a href="${href('/go')}" class="go-link" data-palette>Go to <kbd aria-hidden="true">Ctrl K</kbd></a>${liveState({ events: href('/events') })}`,
        }),
    width,
    main: html`${notesOf(frame)}${main}${asOf(frame)}`,
  });
}

/** Place and time of the data on a page. */
function asOf({ csrf, place, readAt }: StudioFrame): Html {
  return html`<p class="as-of">${csrf === null ? 'Exported from' : 'Data from'} <span class="mono">${foreign(place)}</span> on ${dayAndTime(readAt.toISOString())}</p>`;
}

/** Notes go away once their reason has; sentences about a change stay until the next page. */
function notesOf({ notes, said = [] }: StudioFrame): Html {
  const list = (sentences: readonly string[]) =>
    sentences.map((sentence) => notice('accent', { title: foreign(sentence) }));
  return html`${said.length === 0 ? '' : html`<div class="notes" role="status">${list(said)}</div>`}${
    notes.length === 0
      ? ''
      : html`<div id="notes" class="notes" role="status" data-refresh="settled">${list(notes)}</div>`
  }`;
}
