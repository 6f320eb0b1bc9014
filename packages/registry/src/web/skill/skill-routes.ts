// Pages of skills, and the forms on them.

import type { Context } from 'hono';
import { spellAddress } from 'skillwright/registry-protocol';
import { isOpen, notFound } from '../../access/index.ts';
import type { App, Environment } from '../../http/index.ts';
import { seeFacts } from '../../skills/index.ts';
import { skillHref } from '../addresses.ts';
import { formRoute } from '../forms/form-route.ts';
import type { SentForm } from '../forms/page-form.ts';
import type { Frame } from '../frame.ts';
import { addressIn, checkVersion, showPage } from '../frame-of.ts';
import { loadSkill } from '../load/load-skill.ts';
import { loadAskTab, loadDiffTab, loadFileTab, loadReadTab, type Reading } from '../load/load-tab.ts';
import { openReadable, readVersionFile } from '../load/version-texts.ts';
import { strangersFile } from '../page-headers.ts';
import { quarantineForm, reportForm } from './safety-tab.ts';
import { accessForm, deprecationForm } from './settings-tab.ts';
import { skillPage } from './skill-page.ts';
import type { SkillView } from './skill-view.ts';
import { yankForm } from './versions-tab.ts';

const SKILL = '/:owner{@[^/]+}/:name';
const VERSION = `${SKILL}/:version{[0-9][^/]*}`;

type Page = Context<Environment>;

/** `/@owner/name` and what is below it. */
export function skillPages(app: App): void {
  app.get(`${SKILL}/badge.svg`, showPage(showBadge));
  for (const at of [SKILL, VERSION]) {
    app.get(
      at,
      showPage((context, frame) => showTab(context, { frame, tab: ({ reading }) => loadReadTab(reading) })),
    );
    app.get(
      `${at}/ask`,
      showPage((context, frame) =>
        showTab(context, { frame, tab: ({ reading }) => loadAskTab(reading, context.req.query('q') ?? '') }),
      ),
    );
    app.get(
      `${at}/diff`,
      showPage((context, frame) => showTab(context, { frame, tab: (loaded) => diffOf(context, loaded) })),
    );
    for (const kind of ['files', 'versions', 'safety'] as const)
      app.get(
        `${at}/${kind}`,
        showPage((context, frame) => showTab(context, { frame, tab: async () => ({ kind }) })),
      );
  }
  app.get(
    `${SKILL}/settings`,
    showPage((context, frame) => showTab(context, { frame, tab: settingsOf })),
  );
  app.get(
    `${VERSION}/files/:path{.+}`,
    showPage((context, frame) =>
      showTab(context, { frame, tab: ({ reading }) => loadFileTab(reading, context.req.param('path')!) }),
    ),
  );
  app.get(`${VERSION}/raw/:path{.+}`, showPage(rawFile));
  formRoute(app, `${SKILL}/rating`, {
    form: ({ stars }) => (starsOf(stars) === undefined ? 'unrateSkill' : 'rateSkill'),
    body: ({ stars }) => ({ stars: starsOf(stars) }),
    next: (address) => skillHref(spellAddress(address)),
  });
  formRoute(app, `${SKILL}/reports`, {
    form: reportForm,
    main: 'message',
    again: againAt('safety'),
    next: (address) => skillHref(spellAddress(address)),
  });
  formRoute(app, `${SKILL}/settings`, {
    form: ({ part }) => (part?.[0] === 'deprecation' ? deprecationForm : accessForm),
    main: 'requireProvenance',
    again: (context, frame, sent) => showTab(context, { frame, sent, tab: settingsOf }),
    also: ['forbidden'],
    next: (address) => skillHref(spellAddress(address), { tab: 'settings' }),
  });
  formRoute(app, `${VERSION}/yank`, {
    form: yankForm,
    about: 'version',
    body: ({ undo }) => (undo === undefined ? undefined : { yanked: null }),
    again: againAt('versions'),
    next: (address) => skillHref(spellAddress(address), { tab: 'versions' }),
  });
  formRoute(app, `${VERSION}/quarantine`, {
    form: quarantineForm,
    body: ({ undo }) => (undo === undefined ? undefined : { quarantined: null }),
    again: againAt('safety'),
    next: ({ version, ...address }) => skillHref(spellAddress(address), { version, tab: 'safety' }),
  });
}

interface Loaded {
  readonly view: Awaited<ReturnType<typeof loadSkill>>;
  readonly reading: Reading;
}

interface Shown {
  readonly frame: Frame;
  readonly tab: (loaded: Loaded) => Promise<SkillView['tab']>;
  readonly sent?: SentForm;
  /** By default the one in the address. */
  readonly version?: string | undefined;
}

async function showTab(
  context: Page,
  { frame, tab, sent, version: wanted = context.req.param('version') }: Shown,
): Promise<string> {
  const [registry, caller] = [context.get('registry'), context.get('caller')];
  const address = addressIn(context);
  const version = wanted === undefined ? undefined : checkVersion(wanted);
  const view = await loadSkill(registry, caller, { ...address, version });
  const reading = { registry, caller, address, version: view.version, signal: context.req.raw.signal };
  return skillPage({ ...view, sent, tab: await tab({ view, reading }) }, frame);
}

async function settingsOf({ view }: Loaded): Promise<SkillView['tab']> {
  if (!view.viewer.mayPublish) throw notFound();
  return { kind: 'settings', requireProvenance: view.facts.skill.requireProvenance };
}

async function diffOf(context: Page, { view, reading }: Loaded): Promise<SkillView['tab']> {
  const { versions } = view.index;
  const to = context.req.query('to') ?? view.version?.index.version ?? '';
  const from =
    context.req.query('from') ??
    versions[versions.findIndex(({ version }) => version === to) + 1]?.version ??
    to;
  if (![from, to].every((wanted) => versions.some(({ version }) => version === wanted))) throw notFound();
  return loadDiffTab(reading, { facts: view.facts, from, to });
}

/** A picture with the newest version, for a README elsewhere. A private skill has one for its members alone. */
async function showBadge(context: Page): Promise<Response> {
  const [registry, caller] = [context.get('registry'), context.get('caller')];
  const { skill } = await seeFacts(registry, caller, addressIn(context));
  const text = skill.deprecated !== null ? 'deprecated' : (skill.latest ?? 'no release');
  const colour = skill.deprecated !== null ? '#9a6700' : skill.latest === null ? '#59636e' : '#1a7f37';
  // Version and words are of letters, digits, dots and hyphens alone.
  const width = 40 + 7 * text.length;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="skill: ${text}"><title>skill: ${text}</title><rect width="${width}" height="20" rx="3" fill="#24292f"/><rect x="34" width="${width - 34}" height="20" rx="3" fill="${colour}"/><g fill="#fff" font-family="Verdana,sans-serif" font-size="11"><text x="7" y="14">skill</text><text x="38" y="14">${text}</text></g></svg>`;
  return context.body(svg, 200, {
    'content-type': 'image/svg+xml',
    'cache-control': isOpen(skill) ? 'public, max-age=300' : 'private, no-cache',
    'content-security-policy': "default-src 'none'; sandbox",
  });
}

async function rawFile(context: Page): Promise<Response> {
  const [registry, caller] = [context.get('registry'), context.get('caller')];
  const version = checkVersion(context.req.param('version'));
  const view = await loadSkill(registry, caller, { ...addressIn(context), version });
  const opened = await openReadable(registry, caller, { ...addressIn(context), version });
  const path = context.req.param('path')!;
  return strangersFile(path, readVersionFile(opened, view.version!.document.files, path));
}

/** One to five; everything else takes the rating back. */
function starsOf(typed: readonly string[] | undefined): number | undefined {
  const stars = Number(typed?.[0]);
  return stars >= 1 && stars <= 5 ? Math.round(stars) : undefined;
}

/** Shows a tab again, with the form that was refused. */
function againAt(kind: 'safety' | 'versions') {
  // A report names its version in the form, and is shown again with that version.
  return (context: Page, frame: Frame, sent: SentForm) =>
    showTab(context, {
      frame,
      sent,
      tab: async () => ({ kind }),
      version: context.req.param('version') ?? sent.values.version?.[0],
    });
}
