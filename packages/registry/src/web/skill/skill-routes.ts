// Pages of skills, and the forms on them.

import type { Context } from 'hono';
import { Reason, ReportRequest, SkillChange } from 'skillwright/registry-protocol';
import { notFound } from '../../access/index.ts';
import type { App, Environment } from '../../http/index.ts';
import { quarantineVersion, reportSkill } from '../../moderation/index.ts';
import { changeSkill, rateSkill, yankVersion } from '../../skills/index.ts';
import { skillHref } from '../addresses.ts';
import type { Frame } from '../frame.ts';
import { addressIn, checkForm, checkVersion, orAgain, readForm, showPage } from '../frame-of.ts';
import { loadSkill } from '../load/load-skill.ts';
import { loadAskTab, loadDiffTab, loadFileTab, loadReadTab, type Reading } from '../load/load-tab.ts';
import { openReadable, readVersionFile } from '../load/version-texts.ts';
import { strangersFile } from '../page-headers.ts';
import type { SentForm } from '../sent-form.ts';
import { skillPage } from './skill-page.ts';
import type { SkillView } from './skill-view.ts';

const SKILL = '/:owner{@[^/]+}/:name';
const VERSION = `${SKILL}/:version{[0-9][^/]*}`;

type Page = Context<Environment>;

/** `/@owner/name` and what is below it. */
export function skillPages(app: App): void {
  for (const at of [SKILL, VERSION]) {
    app.get(
      at,
      showPage((context, frame) => show(context, { frame, tab: ({ reading }) => loadReadTab(reading) })),
    );
    app.get(
      `${at}/ask`,
      showPage((context, frame) =>
        show(context, { frame, tab: ({ reading }) => loadAskTab(reading, context.req.query('q') ?? '') }),
      ),
    );
    app.get(
      `${at}/diff`,
      showPage((context, frame) => show(context, { frame, tab: (loaded) => diffOf(context, loaded) })),
    );
    for (const kind of ['files', 'versions', 'safety'] as const)
      app.get(
        `${at}/${kind}`,
        showPage((context, frame) => show(context, { frame, tab: async () => ({ kind }) })),
      );
  }
  app.get(
    `${SKILL}/settings`,
    showPage((context, frame) => show(context, { frame, tab: settingsOf })),
  );
  app.get(
    `${VERSION}/files/:path{.+}`,
    showPage((context, frame) =>
      show(context, { frame, tab: ({ reading }) => loadFileTab(reading, context.req.param('path')!) }),
    ),
  );
  app.get(`${VERSION}/raw/:path{.+}`, showPage(rawFile));
  app.post(`${SKILL}/rating`, showPage(rate));
  app.post(`${SKILL}/reports`, showPage(report));
  app.post(`${SKILL}/settings`, showPage(change));
  app.post(`${VERSION}/yank`, showPage(yank));
  app.post(`${VERSION}/quarantine`, showPage(quarantine));
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

async function show(
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

async function rawFile(context: Page): Promise<Response> {
  const [registry, caller] = [context.get('registry'), context.get('caller')];
  const version = versionOf(context);
  const view = await loadSkill(registry, caller, { ...addressIn(context), version });
  const opened = await openReadable(registry, caller, { ...addressIn(context), version });
  const path = context.req.param('path')!;
  return strangersFile(path, readVersionFile(opened, view.version!.document.files, path));
}

async function rate(context: Page): Promise<Response> {
  const stars = Number((await readForm(context)).stars);
  const address = addressIn(context);
  await rateSkill(context.get('registry'), context.get('caller'), {
    address,
    stars: stars >= 1 && stars <= 5 ? Math.round(stars) : null,
  });
  return back(context);
}

function report(context: Page, frame: Frame): Promise<string | Response> {
  const again = againAt(context, { frame, kind: 'safety' });
  return orAgain(context, { form: 'report', main: 'message', again }, async () => {
    const { version, kind, message } = await readForm(context);
    const checked = checkForm(ReportRequest, { version: version ?? null, kind, message });
    await reportSkill(context.get('registry'), context.get('caller'), {
      address: addressIn(context),
      report: checked,
    });
    return back(context);
  });
}

/** Shows a tab again, with the form that was refused. */
function againAt(context: Page, { frame, kind }: { frame: Frame; kind: 'safety' | 'versions' }) {
  // A report names its version in the form, and is shown again with that version.
  return (sent: SentForm) =>
    show(context, {
      frame,
      sent,
      tab: async () => ({ kind }),
      version: context.req.param('version') ?? sent.values.version?.[0],
    });
}

async function change(context: Page, frame: Frame): Promise<string | Response> {
  const { part, visibility, deprecated, requireProvenance } = await readForm(context);
  const isDeprecation = part === 'deprecation';
  const again = (sent: SentForm) => show(context, { frame, sent, tab: settingsOf });
  const options = {
    form: isDeprecation ? 'deprecation' : 'access',
    main: isDeprecation ? 'deprecated' : 'requireProvenance',
    again,
    also: ['forbidden'],
  } as const;
  return orAgain(context, options, async () => {
    const wanted = isDeprecation
      ? { deprecated: deprecated?.trim() ? deprecated : null }
      : { visibility, requireProvenance: requireProvenance === 'yes' };
    await changeSkill(context.get('registry'), context.get('caller'), {
      address: addressIn(context),
      change: checkForm(SkillChange, wanted),
    });
    return context.redirect(`${skillHref(nameOf(context))}/settings`, 303);
  });
}

function yank(context: Page, frame: Frame): Promise<string | Response> {
  const version = versionOf(context);
  const again = againAt(context, { frame, kind: 'versions' });
  return orAgain(context, { form: `yank ${version}`, main: 'reason', again }, async () => {
    const { undo, reason } = await readForm(context);
    const yanked = undo === undefined ? checkForm(Reason, reason) : null;
    await yankVersion(context.get('registry'), context.get('caller'), {
      ...addressIn(context),
      version,
      yanked,
    });
    return context.redirect(`${skillHref(nameOf(context))}/versions`, 303);
  });
}

function quarantine(context: Page, frame: Frame): Promise<string | Response> {
  const version = versionOf(context);
  const again = againAt(context, { frame, kind: 'safety' });
  return orAgain(context, { form: 'quarantine', main: 'reason', again }, async () => {
    const { undo, reason } = await readForm(context);
    const quarantined = undo === undefined ? checkForm(Reason, reason) : null;
    await quarantineVersion(context.get('registry'), context.get('caller'), {
      ...addressIn(context),
      version,
      quarantined,
    });
    return context.redirect(`${skillHref(nameOf(context), { version })}/safety`, 303);
  });
}

const back = (context: Page) => context.redirect(skillHref(nameOf(context)), 303);

function nameOf(context: Page): string {
  const { owner, name } = addressIn(context);
  return `@${owner}/${name}`;
}

function versionOf(context: Page): string {
  return checkVersion(context.req.param('version'));
}
