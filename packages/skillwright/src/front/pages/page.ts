// The layout of a page: landmarks, skip link, header, footer.

import { createHash } from 'node:crypto';
import { type Content, type Html, html, raw } from './html.ts';
import { stylesheet } from './stylesheet.ts';

/** Colours: those of the system, or the ones chosen on the page. */
export type Theme = 'auto' | 'light' | 'dark';

/** One link of the header or the footer. */
interface NavigationLink {
  readonly label: string;
  readonly href: string;
  readonly isCurrent?: boolean;
}

/** Addresses of files a page needs. */
interface PageAssets {
  readonly stylesheet: string;
  readonly script: string;
  /** Keeps the page up to date; its source is in `liveState`. */
  readonly live?: string | undefined;
  readonly icon: string;
}

/** Everything around the content of a page. */
interface PageOptions {
  readonly title: string;
  /** Name of the site, and the link home. */
  readonly brand: { readonly name: string; readonly href: string };
  /**
   * Addresses of the style sheet, the scripts and the icon, on the same origin. `inline` makes one file that needs no
   * other: the styles are inside, there is no script, and its policy forbids everything else.
   */
  readonly assets: PageAssets | 'inline';
  readonly theme?: Theme;
  /** Where the theme switch sends its choice; without it there is no switch. */
  readonly themeForm?: { readonly action: string; readonly back: string; readonly csrf: string };
  /** The search field in the header; left out on pages with one of their own. */
  readonly search?: { readonly action: string; readonly value?: string; readonly label: string };
  readonly navigation?: readonly NavigationLink[];
  /** The right end of the header: the account, or a link to sign in. */
  readonly account?: Content;
  readonly footer?: readonly NavigationLink[];
  readonly description?: string;
  /** The program that wrote the page. */
  readonly generator?: string;
  /** Addresses of feeds and other forms of the page, for the head. */
  readonly alternates?: readonly { readonly type: string; readonly title: string; readonly href: string }[];
  /** The one address of the page, for search engines and for the preview that others show of a link to it. */
  readonly canonical?: string;
  readonly width?: 'wide' | 'narrow';
  /** Only for responses whose policy allows scripts by nonce. */
  readonly nonce?: string;
  readonly main: Content;
}

// Bundlers rewrite templates that contain this tag.
const endScript = raw('</script>');

/** A whole page. */
export function page(options: PageOptions): Html {
  const {
    title,
    brand,
    assets,
    theme = 'auto',
    description,
    alternates = [],
    width = 'wide',
    generator,
    canonical,
    main,
  } = options;
  return html`<!doctype html>
<html lang="en" data-theme="${theme}">
<head>
<meta charset="utf-8">
${assets === 'inline' ? policyOf(stylesheet) : ''}<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === brand.name ? title : `${title} · ${brand.name}`}</title>
${description === undefined ? '' : html`<meta name="description" content="${description}">`}
${generator === undefined ? '' : html`<meta name="generator" content="${generator}">`}
${canonical === undefined ? '' : preview({ canonical, title, description, site: brand.name })}
<meta name="color-scheme" content="light dark">
${pageHead(options)}
${alternates.map(({ type, title: name, href }) => html`<link rel="alternate" type="${type}" title="${name}" href="${href}">`)}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${header(options)}
<main id="main" tabindex="-1" class="${width}">
${main}
</main>
${footer(options)}
</body>
</html>
`;
}

/** The canonical address, and the tags of the Open Graph protocol. */
function preview({
  canonical,
  title,
  description,
  site,
}: {
  canonical: string;
  title: string;
  description: string | undefined;
  site: string;
}): Html {
  const tags = { title, type: 'website', url: canonical, site_name: site, description };
  return html`<link rel="canonical" href="${canonical}">${Object.entries(tags).map(([name, content]) => (content === undefined ? '' : html`<meta property="og:${name}" content="${content}">`))}`;
}

/** Everything a page needs besides its own HTML: files of the same origin, or styles inside. */
function pageHead({ assets, nonce }: PageOptions): Html {
  if (assets === 'inline') return html`<style>${raw(stylesheet)}</style>`;
  const key = nonce === undefined ? '' : html` nonce="${nonce}"`;
  return html`<link rel="icon" type="image/svg+xml" href="${assets.icon}">
<link rel="stylesheet" href="${assets.stylesheet}">
<script src="${assets.script}" defer${key}>${endScript}${
    assets.live === undefined
      ? ''
      : html`
<script src="${assets.live}" defer${key}>${endScript}`
  }`;
}

/** Allows this style sheet and nothing else: no script, no request, no form, no frame. */
function policyOf(styles: string): Html {
  const digest = createHash('sha256').update(styles).digest('base64');
  return html`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${raw(digest)}'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
`;
}

function header({ brand, search, navigation = [], account }: PageOptions): Html {
  const links =
    navigation.length === 0
      ? ''
      : html`<nav class="site-nav" aria-label="Site"><ul>${navigation.map(item)}</ul></nav>`;
  const field =
    search === undefined
      ? ''
      : html`<form class="site-search" role="search" method="get" action="${search.action}"><label class="unseen" for="site-q">${search.label}</label><input id="site-q" type="search" name="q" value="${search.value}" placeholder="${search.label}" autocomplete="off" data-focus-key="/" dir="auto"><kbd aria-hidden="true">/</kbd></form>`;
  return html`<header class="site-header"><div class="site-header-inner"><a class="brand" href="${brand.href}"><svg class="brand-mark" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false"><path d="M4 6.5h16M4 12h11M4 17.5h7"/><circle cx="18.5" cy="16.5" r="2.75"/></svg><span>${brand.name}</span></a>${field}${links}${account === undefined ? '' : html`<div class="site-account">${account}</div>`}</div></header>`;
}

function footer(options: PageOptions): Html {
  const { footer: links = [], themeForm } = options;
  if (links.length === 0 && themeForm === undefined) return html``;
  return html`<footer class="site-footer"><div class="site-footer-inner">${
    links.length === 0 ? '' : html`<nav aria-label="Footer"><ul>${links.map(item)}</ul></nav>`
  }${themeSwitch(options)}</div></footer>`;
}

function item({ label, href, isCurrent }: NavigationLink): Html {
  return html`<li><a href="${href}"${isCurrent ? html` aria-current="page"` : ''}>${label}</a></li>`;
}

const themes: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** Three buttons of a form: the server keeps the choice in a cookie, so it needs no script. */
function themeSwitch({ theme = 'auto', themeForm }: PageOptions): Html {
  if (themeForm === undefined) return html``;
  const { action, back, csrf } = themeForm;
  return html`<form class="theme-switch" method="post" action="${action}" aria-label="Colours"><input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="back" value="${back}">${themes.map(
    ({ value, label }) =>
      html`<button type="submit" name="theme" value="${value}" aria-pressed="${value === theme ? 'true' : 'false'}">${label}</button>`,
  )}</form>`;
}
