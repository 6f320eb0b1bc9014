// Pages of skills: each tab with its forms.

import type { Context } from 'hono';
import { spellAddress } from 'skillwright/registry-protocol';
import { isOpen, may, notFound } from '../../access/index.ts';
import type { App, Environment } from '../../http/index.ts';
import { listVerifications } from '../../moderation/index.ts';
import { seeFacts } from '../../skills/index.ts';
import { skillHref } from '../addresses.ts';
import { addressIn, checkVersion, definePage, showPage, type WebPage } from '../define-page.ts';
import type { FormRow } from '../forms/form-route.ts';
import { loadSkill } from '../load/load-skill.ts';
import { loadAskTab, loadDiffTab, loadFileTab, loadReadTab, type Reading } from '../load/load-tab.ts';
import { openReadable, readVersionFile } from '../load/version-texts.ts';
import { strangersFile } from '../page-headers.ts';
import { quarantineForm, reportForm } from './safety-tab.ts';
import { accessForm, deprecationForm, verificationForm } from './settings-tab.ts';
import type { SkillView } from './skill-page.ts';
import { skillPage } from './skill-page.ts';
import { yankForm } from './versions-tab.ts';

const SKILL = '/:owner{@[^/]+}/:name';
const VERSION = `${SKILL}/:version{[0-9][^/]*}`;

type Page = Context<Environment>;

/** A skill before one of its tabs is loaded. */
type Loaded = Awaited<ReturnType<typeof loadSkill>> & {
  readonly reading: Reading;
  readonly context: Page;
};

/** A tab of a skill, at its latest version and at the one in the address. */
function definePart(
  path: string,
  load: (loaded: Loaded) => SkillView['tab'] | Promise<SkillView['tab']>,
  { at = [SKILL, VERSION], forms = [] }: { at?: readonly string[]; forms?: readonly FormRow[] } = {},
): WebPage<SkillView> {
  return definePage({
    path: at.map((base) => `${base}${path}`),
    async load({ registry, caller, context, frame }) {
      const address = addressIn(context);
      // The form of a report names the version.
      const wanted = context.req.param('version') ?? frame.sent?.values.version?.[0];
      const version = wanted === undefined ? undefined : checkVersion(wanted);
      const skill = await loadSkill(registry, caller, { ...address, version });
      const { signal } = context.req.raw;
      const reading = { registry, caller, address, version: skill.version, signal };
      return { ...skill, tab: await load({ ...skill, reading, context }) };
    },
    draw: skillPage,
    forms,
  });
}

/** `/@owner/name` and what is below it. */
export const skillPages: readonly WebPage<SkillView>[] = [
  definePart('', ({ reading }) => loadReadTab(reading), {
    forms: [
      {
        path: `${SKILL}/rating`,
        form: ({ stars }) => (starsOf(stars) === undefined ? 'unrateSkill' : 'rateSkill'),
        body: ({ stars }) => ({ stars: starsOf(stars) }),
      },
    ],
  }),
  definePart('/ask', ({ reading, context }) => loadAskTab(reading, context.req.query('q') ?? '')),
  definePart('/diff', loadDiff),
  definePart('/files', () => ({ kind: 'files' })),
  definePart('/files/:path{.+}', ({ reading, context }) => loadFileTab(reading, context.req.param('path')!), {
    at: [VERSION],
  }),
  definePart('/versions', () => ({ kind: 'versions' }), {
    forms: [
      {
        path: `${VERSION}/yank`,
        form: yankForm,
        about: 'version',
        body: ({ undo }) => (undo === undefined ? undefined : { yanked: null }),
      },
    ],
  }),
  definePart('/safety', () => ({ kind: 'safety' }), {
    forms: [
      {
        path: `${SKILL}/reports`,
        form: reportForm,
        main: 'message',
        next: (address) => skillHref(spellAddress(address)),
      },
      {
        path: `${VERSION}/quarantine`,
        form: quarantineForm,
        body: ({ undo }) => (undo === undefined ? undefined : { quarantined: null }),
        next: ({ version, ...address }) => skillHref(spellAddress(address), { version, tab: 'safety' }),
      },
    ],
  }),
  definePart('/settings', loadSettings, {
    at: [SKILL],
    forms: [
      {
        path: `${SKILL}/settings`,
        form: ({ part }) => (part?.[0] === 'deprecation' ? deprecationForm : accessForm),
        main: 'requireProvenance',
        also: ['forbidden'],
      },
      { path: `${SKILL}/settings/verification`, form: verificationForm },
    ],
  }),
];

/** Files of versions, and the badge. */
export function skillFiles(app: App): void {
  app.get(`${SKILL}/badge.svg`, showPage(showBadge));
  app.get(`${VERSION}/raw/:path{.+}`, showPage(rawFile));
}

export async function loadSettings({ facts, viewer, reading }: Loaded) {
  if (!viewer.mayPublish) throw notFound();
  const { skill } = facts;
  const list = (isOpen: boolean) => listVerifications(reading, { isOpen, skill: skill.id });
  /** Applications for the level `verified`, oldest first; undefined for those who may not apply. */
  const applications = may(reading.caller, 'manage', skill)
    ? [...(await list(false)), ...(await list(true))]
    : undefined;
  return { kind: 'settings' as const, requireProvenance: skill.requireProvenance, applications };
}

async function loadDiff({ index, version, facts, reading, context }: Loaded): Promise<SkillView['tab']> {
  const { versions } = index;
  const to = context.req.query('to') ?? version?.index.version ?? '';
  const from =
    context.req.query('from') ?? versions[versions.findIndex((one) => one.version === to) + 1]?.version ?? to;
  if (![from, to].every((wanted) => versions.some((one) => one.version === wanted))) throw notFound();
  return loadDiffTab(reading, { facts, from, to });
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
