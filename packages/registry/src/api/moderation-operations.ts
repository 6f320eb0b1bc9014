// Operations of reviewers and administrators, and what accounts say about skills.

import {
  IndexVersion,
  PurgeRequest,
  QuarantineRequest,
  RatingRequest,
  RegistryAdvisory,
  ReportRequest,
  ReviewRequest,
  SkillIndex,
  SkillSummary,
} from 'skillwright/registry-protocol';
import * as z from 'zod';
import { unauthorised } from '../access/index.ts';
import {
  AdvisoryRequest,
  LevelRequest,
  listReports,
  publishAdvisory,
  purgeVersion,
  quarantineVersion,
  ReportList,
  ResolveRequest,
  ReviewQueue,
  readReviewQueue,
  readScans,
  reportSkill,
  rescanVersion,
  resolveReport,
  reviewVersion,
  ScanHistory,
  withdrawAdvisory,
} from '../moderation/index.ts';
import { rateSkill, setLevel } from '../skills/index.ts';
import { defineOperation, type Operation } from './operation.ts';

const SKILL = '/api/v1/skills/@{owner}/{name}';
const VERSION = `${SKILL}/{version}`;
const usual = ['bad_request', 'unauthorised', 'forbidden', 'not_found'] as const;

export const moderationOperations: readonly Operation[] = [
  defineOperation({
    id: 'rateSkill',
    method: 'PUT',
    path: `${SKILL}/rating`,
    summary: 'Rate a skill with one to five stars',
    scope: 'rate',
    body: RatingRequest,
    status: 200,
    response: SkillSummary,
    errors: usual,
    run: ({ registry, caller, path, body: { stars } }) =>
      rateSkill(registry, caller, { address: path, stars }),
  }),
  defineOperation({
    id: 'unrateSkill',
    method: 'DELETE',
    path: `${SKILL}/rating`,
    summary: 'Take your rating back',
    scope: 'rate',
    status: 200,
    response: SkillSummary,
    errors: usual,
    run: ({ registry, caller, path }) => rateSkill(registry, caller, { address: path, stars: null }),
  }),
  defineOperation({
    id: 'reportSkill',
    method: 'POST',
    path: `${SKILL}/reports`,
    summary: 'Report a skill to the reviewers',
    scope: 'read',
    body: ReportRequest,
    status: 201,
    response: z.object({ id: z.string() }),
    errors: [...usual, 'conflict', 'rate_limited'],
    run: ({ registry, caller, path, body }) => reportSkill(registry, caller, { address: path, report: body }),
  }),
  defineOperation({
    id: 'listReports',
    method: 'GET',
    path: '/api/v1/reports',
    summary: 'Reports about the skills you review',
    scope: 'review',
    query: z.object({ state: z.enum(['open', 'resolved']).default('open') }),
    status: 200,
    response: ReportList,
    errors: ['bad_request', 'unauthorised'],
    async run({ registry, caller, query }) {
      if (caller.account === undefined) throw unauthorised();
      return { reports: await listReports(registry, caller, { isOpen: query.state === 'open' }) };
    },
  }),
  defineOperation({
    id: 'resolveReport',
    method: 'POST',
    path: '/api/v1/reports/{id}/resolve',
    summary: 'Resolve a report, with what was done about it',
    scope: 'review',
    body: ResolveRequest,
    status: 204,
    response: undefined,
    errors: [...usual, 'conflict'],
    async run({ registry, caller, path: { id }, body: { resolution } }) {
      await resolveReport(registry, caller, { id, resolution });
      return undefined;
    },
  }),
  defineOperation({
    id: 'readReviewQueue',
    method: 'GET',
    path: '/api/v1/review',
    summary: 'Versions that wait for your review',
    scope: 'review',
    status: 200,
    response: ReviewQueue,
    errors: ['unauthorised'],
    async run({ registry, caller }) {
      if (caller.account === undefined) throw unauthorised();
      return { versions: await readReviewQueue(registry, caller) };
    },
  }),
  defineOperation({
    id: 'reviewVersion',
    method: 'POST',
    path: `${VERSION}/review`,
    summary: 'Approve or reject a version that somebody else published',
    scope: 'review',
    body: ReviewRequest,
    status: 200,
    response: IndexVersion,
    errors: [...usual, 'conflict'],
    run: ({ registry, caller, path, body }) => reviewVersion(registry, caller, { ...path, ...body }),
  }),
  defineOperation({
    id: 'quarantineVersion',
    method: 'POST',
    path: `${VERSION}/quarantine`,
    summary: 'Quarantine a version, or release it',
    scope: 'review',
    body: QuarantineRequest,
    status: 200,
    response: IndexVersion,
    errors: usual,
    run: ({ registry, caller, path, body }) => quarantineVersion(registry, caller, { ...path, ...body }),
  }),
  defineOperation({
    id: 'purgeVersion',
    method: 'POST',
    path: `${VERSION}/purge`,
    summary: 'Delete the bytes of a version for good',
    scope: 'admin',
    body: PurgeRequest,
    status: 200,
    response: IndexVersion,
    errors: usual,
    run: ({ registry, caller, path, body }) => purgeVersion(registry, caller, { ...path, ...body }),
  }),
  defineOperation({
    id: 'rescanVersion',
    method: 'POST',
    path: `${VERSION}/rescan`,
    summary: 'Scan a version again; the first result stays',
    scope: 'review',
    status: 200,
    response: ScanHistory,
    errors: [...usual, 'purged', 'invalid_skill', 'unavailable'],
    run: ({ registry, caller, path }) => rescanVersion(registry, caller, path),
  }),
  defineOperation({
    id: 'readScans',
    method: 'GET',
    path: `${VERSION}/scans`,
    summary: 'Every scan of a version, the one at publication first',
    scope: null,
    status: 200,
    response: ScanHistory,
    errors: ['unauthorised', 'not_found'],
    run: ({ registry, caller, path }) => readScans(registry, caller, path),
  }),
  defineOperation({
    id: 'publishAdvisory',
    method: 'POST',
    path: `${SKILL}/advisories`,
    summary: 'Warn of a known problem of some versions',
    scope: 'review',
    body: AdvisoryRequest,
    status: 201,
    response: RegistryAdvisory,
    errors: usual,
    run: ({ registry, caller, path, body }) =>
      publishAdvisory(registry, caller, { address: path, advisory: body }),
  }),
  defineOperation({
    id: 'withdrawAdvisory',
    method: 'DELETE',
    path: `${SKILL}/advisories/{id}`,
    summary: 'Withdraw an advisory',
    scope: 'review',
    status: 204,
    response: undefined,
    errors: usual,
    async run({ registry, caller, path }) {
      await withdrawAdvisory(registry, caller, { address: path, id: path.id });
      return undefined;
    },
  }),
  defineOperation({
    id: 'setLevel',
    method: 'PUT',
    path: `${SKILL}/level`,
    summary: 'Set how far the registry vouches for a skill',
    scope: 'admin',
    body: LevelRequest,
    status: 200,
    response: SkillIndex,
    errors: usual,
    run: ({ registry, caller, path, body: { level } }) =>
      setLevel(registry, caller, { address: path, level }),
  }),
];
