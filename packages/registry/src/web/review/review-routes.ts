// Pages on which reviewers decide.

import type { Context } from 'hono';
import { diffFiles } from 'skillwright/pages';
import type { SkillAddress } from 'skillwright/registry-protocol';
import { demand, unauthorised } from '../../access/index.ts';
import type { App, Environment } from '../../http/index.ts';
import { readReviewQueue, whyNotReviewer } from '../../moderation/index.ts';
import { seeVersion } from '../../skills/index.ts';
import { formRoute } from '../forms/form-route.ts';
import type { SentForm } from '../forms/page-form.ts';
import type { Frame } from '../frame.ts';
import { addressIn, checkVersion, showPage } from '../frame-of.ts';
import { loadVersion } from '../load/load-skill.ts';
import { openReadable, versionTexts } from '../load/version-texts.ts';
import { decisionForm, reviewPage, reviewQueuePage } from './review-pages.ts';

const VERSION = '/review/:owner{@[^/]+}/:name/:version{[0-9][^/]*}' as const;

/** `/review` and one page per version. */
export function reviewPages(app: App): void {
  app.get(
    '/review',
    showPage(async (context, frame) => {
      const caller = context.get('caller');
      if (caller.account === undefined) throw unauthorised();
      return reviewQueuePage({ pending: await readReviewQueue(context.get('registry'), caller) }, frame);
    }),
  );
  app.get(VERSION, showPage(showReview));
  formRoute(app, VERSION, {
    form: decisionForm,
    again: showReview,
    also: ['forbidden'],
    next: () => '/review',
  });
}

async function showReview(context: Context<Environment>, frame: Frame, sent?: SentForm): Promise<string> {
  const [registry, caller] = [context.get('registry'), context.get('caller')];
  const address = versionIn(context);
  const { facts, row } = await seeVersion(registry, caller, address);
  demand(caller, 'review', facts.skill);
  const texts = async (version: typeof row) => {
    const { document } = await loadVersion(registry, facts, version);
    return versionTexts(
      await openReadable(registry, caller, { ...address, version: version.version }),
      document.files,
    );
  };
  const before = facts.versions
    .slice(facts.versions.indexOf(row) + 1)
    .find(({ review, purged }) => review === 'approved' && purged === null);
  const { document, scan, trust } = await loadVersion(registry, facts, row);
  const changes = diffFiles(before === undefined ? new Map() : await texts(before), await texts(row));
  const refusal = await whyNotReviewer(registry.database, caller, {
    id: row.id,
    ownerId: facts.skill.ownerId,
  });
  const isSettled = row.review === 'approved' && row.flagged === null;
  const locked = refusal ?? (isSettled ? 'it does not wait for a review' : null);
  return reviewPage({ document, scan, trust, before: before?.version ?? null, changes, locked, sent }, frame);
}

function versionIn(context: Context<Environment>): SkillAddress & { version: string } {
  return { ...addressIn(context), version: checkVersion(context.req.param('version')) };
}
