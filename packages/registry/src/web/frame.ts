// Everything around the content of a page of the registry.

import { assets, type Content, form, html, page, type Theme } from 'skillwright/pages';

/** The viewer of a page, and its address. */
export interface Frame {
  /** Name of the registry, as its pages show it. */
  readonly registryName: string;
  /** Address people and clients use, without a slash at its end. */
  readonly publicUrl: string;
  readonly viewer: Viewer | undefined;
  /** Token of the session, or of the visit, that every form sends back. */
  readonly csrf: string;
  readonly theme: Theme;
  /** Path and query of the page. */
  readonly path: string;
  /** The form of this page that was just refused. */
  readonly sent?: SentForm;
  /** The answer to a form of this page that just succeeded, with the name of the form. Shown this one time. */
  readonly made?: { readonly form: string; readonly answer: unknown };
}

/** A form that could not be carried out: its page shows it again, with what was typed and the reasons beside the fields. */
export interface SentForm {
  /** Which form of the page it was. */
  readonly form: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** By name of the field. */
  readonly errors: Readonly<Record<string, string>>;
}

/** The signed-in account. */
interface Viewer {
  readonly account: string;
  readonly isAdmin: boolean;
  /** True for moderators of the registry. */
  readonly mayModerate: boolean;
  /** True for moderators, and for reviewers of at least one namespace. */
  readonly mayReview: boolean;
}

/** Directory of style sheet and script. */
export const ASSETS = '/assets';

/** A page of the registry. */
export function shell(
  frame: Frame,
  options: {
    readonly title: string;
    readonly main: Content;
    readonly description?: string;
    /** Path of the one address of this page; only of pages that everybody may see. */
    readonly canonical?: string | undefined;
    /** Path of a feed of what the page shows. */
    readonly feed?: { readonly title: string; readonly href: string };
    readonly width?: 'wide' | 'narrow';
    /** False on pages with a search field of their own. */
    readonly hasSearch?: boolean;
  },
): string {
  const { title, main, description, canonical, feed, width = 'wide', hasSearch = true } = options;
  const { registryName, publicUrl, viewer, csrf, theme, path } = frame;
  const at = (href: string) => path === href || path.startsWith(`${href}/`) || path.startsWith(`${href}?`);
  const link = (label: string, href: string) => ({ label, href, isCurrent: at(href) });
  return page({
    title,
    ...(description === undefined ? {} : { description }),
    ...(canonical === undefined ? {} : { canonical: publicUrl + canonical }),
    brand: { name: registryName, href: '/' },
    assets: {
      stylesheet: `${ASSETS}/${assets.stylesheet.name}`,
      script: `${ASSETS}/${assets.script.name}`,
      icon: `${ASSETS}/${assets.icon.name}`,
    },
    theme,
    themeForm: { action: '/theme', back: path, csrf },
    ...(hasSearch ? { search: { action: '/search', label: 'Search skills' } } : {}),
    navigation: [
      link('Skills', '/search'),
      ...(viewer?.mayReview ? [link('Review', '/review')] : []),
      ...(viewer === undefined ? [] : [link('Tokens', '/settings/tokens')]),
      ...(viewer?.isAdmin
        ? [link('Admin', '/admin')]
        : viewer?.mayModerate
          ? [link('Reports', '/admin/reports')]
          : []),
    ],
    account: accountLinks(frame),
    footer: [
      { label: 'API', href: '/openapi.json' },
      { label: 'Log', href: '/log' },
      { label: 'Feed', href: '/feed.atom' },
    ],
    alternates: [
      ...(feed === undefined ? [] : [{ type: 'application/atom+xml', ...feed }]),
      { type: 'application/atom+xml', title: 'New versions', href: '/feed.atom' },
    ],
    width,
    main,
  }).toString();
}

function accountLinks({ viewer, csrf, path }: Frame): Content {
  if (viewer === undefined) return html`<a href="/signin?return=${encodeURIComponent(path)}">Sign in</a>`;
  return html`<a href="/settings"><bdi>${viewer.account}</bdi></a>${form({
    action: '/signout',
    csrf,
    isInline: true,
    content: html`<button type="submit" class="link-button">Sign out</button>`,
  })}`;
}
