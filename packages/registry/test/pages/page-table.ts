// Every page by its path, with the fixtures.

import { accountPage } from '../../src/web/account/account-page.ts';
import { devicePage, invitationPage, signInPage, welcomePage } from '../../src/web/account/sign-in-page.ts';
import { sessionsPage, tokensPage } from '../../src/web/account/tokens-page.ts';
import { accountsPage } from '../../src/web/admin/accounts-page.ts';
import { auditPage } from '../../src/web/admin/admin-shell.ts';
import { mirrorsPage } from '../../src/web/admin/mirrors-page.ts';
import { reportsPage, verificationsPage } from '../../src/web/admin/reports-page.ts';
import { errorPage, messagePage } from '../../src/web/error-page.ts';
import type { Frame } from '../../src/web/frame.ts';
import { homePage } from '../../src/web/home-page.ts';
import { logPage } from '../../src/web/log-page.ts';
import { ownerPage } from '../../src/web/owner/owner-page.ts';
import { reviewPage, reviewQueuePage } from '../../src/web/review/review-pages.ts';
import { searchPage } from '../../src/web/search-page.ts';
import { skillPage } from '../../src/web/skill/skill-page.ts';
import { diff, document, hits, index, shown, skill, summaries, text } from './fixtures.ts';

type Render = (frame: Frame, query: URLSearchParams) => string;

const webhook = {
  id: 'w1',
  url: 'https://hooks.example.com/skills',
  created: '2026-10-01T00:00:00Z',
  failures: 0,
  disabled: null,
};
const refused = (form: string, errors: Readonly<Record<string, string>>) => ({
  form,
  values: Object.fromEntries(Object.keys(errors).map((name) => [name, ['what was typed']])),
  errors,
});
const counts = { skills: 1284, versions: 5310, owners: 47 };
const facets = {
  owners: ['acme', 'platform', 'zeichen'],
  tags: ['pdf', 'forms', '中文'],
  categories: ['documents'],
};
const query = { q: '', sort: 'relevance', limit: 20 } as const;
const changes = [
  { path: 'SKILL.md', status: 'changed', diff },
  { path: 'assets/form.png', status: 'added', diff: null },
] as const;
const token = {
  id: 't1',
  name: 'laptop',
  prefix: 'skwr_a1b2',
  scopes: ['read', 'publish'],
  owner: null,
  created: '2026-10-01T00:00:00Z',
  expires: '2026-12-30T00:00:00Z',
  used: '2026-11-15T11:00:00Z',
} satisfies Parameters<typeof tokensPage.draw>[0]['tokens'][number];
const outsider = (frame: Frame): Frame => ({ ...frame, viewer: undefined });

/** Path to page. */
export const pageTable: Readonly<Record<string, Render>> = {
  '/': (frame) =>
    homePage.draw(
      {
        counts,
        popular: hits.slice(0, 3),
        recent: [...hits],
        tags: ['pdf', 'forms', 'deploy'],
        categories: ['documents', 'devops'],
      },
      frame,
    ),
  '/empty': (frame) =>
    homePage.draw(
      { counts: { skills: 0, versions: 0, owners: 0 }, popular: [], recent: [], tags: [], categories: [] },
      frame,
    ),
  '/search': (frame, parameters) => {
    const q = parameters.get('q') ?? '';
    const skills = hits.filter((hit) =>
      `${hit.name} ${hit.description}`.toLowerCase().includes(q.toLowerCase()),
    );
    const page = { total: skills.length, isTotalExact: true, skills, next: q === '' ? 'next-page' : null };
    return searchPage.draw(
      {
        query: { ...query, q },
        page,
        facets,
        matches: new Map([
          [
            '@acme/pdf-forms',
            {
              verdict: 'caution',
              sentence: [
                { text: 'Fill the ', isMatch: false },
                { text: 'form', isMatch: true },
                { text: ' from a mapping of names to values.', isMatch: false },
              ],
            },
          ],
        ]),
      },
      frame,
    );
  },
  '/@acme': (frame) =>
    ownerPage.draw(
      {
        owner: {
          name: 'acme',
          title: 'Acme engineering',
          url: 'https://acme.example.com',
          created: '2026-01-05T00:00:00Z',
          skills: 3,
          members: [
            { account: 'mara', roles: ['admin'] },
            { account: 'jun', roles: ['publisher', 'reviewer'] },
          ],
          offered: [{ account: 'omar', roles: ['reader'] }],
        },
        skills: summaries,
        next: 'more',
        mayManage: true,
        transfer: {
          id: 'x1',
          owner: 'acme',
          from: 'jun',
          to: 'mara',
          expires: '2026-11-20T00:00:00Z',
        },
        webhooks: [
          webhook,
          { ...webhook, id: 'w2', disabled: 'switched off after 5 deliveries failed 8 times each' },
        ],
        publishers: [
          {
            id: 'p1',
            skill: '@acme/pdf-forms',
            issuer: 'https://git.example.com',
            repository: 'acme/skills',
            workflow: '.gitlab-ci.yml',
            environment: null,
            pending: false,
            repositoryOwnerId: null,
            account: 'jun',
            created: '2026-11-01T00:00:00Z',
            used: null,
          },
        ],
      },
      {
        ...frame,
        sent: refused('members', { account: 'no such account', roles: 'choose at least one' }),
        made: {
          form: 'webhooks',
          answer: { ...webhook, secret: 'skwh_a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b8c9d0' },
        },
      },
    ),
  '/@acme/pdf-forms': (frame) => skillPage(skill, frame),
  '/@acme/pdf-forms/2.3.0': (frame) =>
    skillPage(
      {
        ...skill,
        isPinned: true,
        version: { ...shown, index: index.versions[2]! },
        index: { ...index, deprecated: 'Use @platform/forms instead.' },
        viewer: { mayRate: false, stars: null, mayPublish: false, mayReview: false },
      },
      outsider(frame),
    ),
  '/@acme/pdf-forms/ask': (frame, parameters) => {
    const question = parameters.get('q') ?? 'how do I fill a check box?';
    const [, , part = ''] = text.split('\n## ');
    const answer = {
      heading: 'Fill a form',
      file: 'SKILL.md',
      startLine: 16,
      endLine: 38,
      tokens: 420,
      text: text.slice(200, 900),
    };
    return skillPage(
      {
        ...skill,
        tab: {
          kind: 'ask',
          question,
          answers: [answer, { ...answer, heading: 'Signatures', text: part, tokens: 96 }],
        },
      },
      frame,
    );
  },
  '/@acme/pdf-forms/files': (frame) => skillPage({ ...skill, tab: { kind: 'files' } }, frame),
  '/@acme/pdf-forms/2.3.1/files/scripts/fill.py': (frame) =>
    skillPage(
      {
        ...skill,
        isPinned: true,
        tab: {
          kind: 'file',
          path: 'scripts/fill.py',
          size: 212,
          text: 'import json\nimport sys\nsubprocess.run(["pip", "install", "pypdf"])  # ‮ reversed\n\ndef fill_form(path, values):\n\treturn json.dumps(values)\n',
        },
      },
      frame,
    ),
  '/@acme/pdf-forms/versions': (frame) => skillPage({ ...skill, tab: { kind: 'versions' } }, frame),
  '/@acme/pdf-forms/2.3.1/yank': (frame) =>
    skillPage(
      { ...skill, tab: { kind: 'versions' } },
      { ...frame, sent: refused('yank 2.3.1', { reason: 'too long' }) },
    ),
  '/@acme/pdf-forms/diff': (frame) =>
    skillPage({ ...skill, tab: { kind: 'diff', from: '2.3.0', to: '2.3.1', files: [...changes] } }, frame),
  '/@acme/pdf-forms/safety': (frame) => skillPage({ ...skill, tab: { kind: 'safety' } }, frame),
  '/@acme/pdf-forms/settings': (frame) =>
    skillPage(
      {
        ...skill,
        index: { ...skill.index, level: 'community' },
        tab: { kind: 'settings', requireProvenance: true, applications: [] },
      },
      frame,
    ),
  '/review': (frame) =>
    reviewQueuePage.draw(
      [
        {
          name: '@acme/pdf-forms',
          version: '3.0.0-rc.1',
          published: '2026-11-14T09:00:00Z',
          publishedBy: 'jun',
          verdict: 'caution',
          flagged: null,
          installable: { answer: 'no', reasons: [] },
          isOwn: false,
        },
        {
          name: '@platform/deploy',
          version: '1.0.0',
          published: '2026-11-15T09:00:00Z',
          publishedBy: 'omar',
          verdict: 'clean',
          flagged: null,
          installable: { answer: 'no', reasons: [] },
          isOwn: true,
        },
      ],
      frame,
    ),
  '/review/@acme/pdf-forms/3.0.0-rc.1': (frame) =>
    reviewPage.draw(
      {
        document: { ...document, version: '3.0.0-rc.1' },
        scan: shown.scan,
        trust: shown.trust,
        abilities: undefined,
        before: '2.3.1',
        changes: [...changes],
        locked: null,
      },
      { ...frame, sent: refused('review', { reason: 'Give a reason.' }) },
    ),
  '/settings': (frame) =>
    accountPage.draw(
      {
        whoami: {
          account: 'mara',
          displayName: 'Mara Lindqvist',
          isAdmin: true,
          token: null,
          owners: [{ name: 'acme', roles: ['admin'] }],
          transfers: [
            { id: 'x', owner: 'platform', from: 'omar', to: 'mara', expires: '2026-11-23T00:00:00Z' },
          ],
        },
        mayCreateOwner: true,
      },
      frame,
    ),
  '/settings/tokens': (frame) =>
    tokensPage.draw(
      {
        tokens: [
          token,
          {
            ...token,
            id: 't2',
            name: 'nightly publish',
            scopes: ['admin'],
            owner: 'acme',
            expires: null,
            used: null,
          },
        ],
        scopes: ['read', 'publish', 'rate', 'owner', 'review', 'admin'],
        owners: ['acme', 'platform'],
      },
      {
        ...frame,
        sent: refused('token', { name: 'Another token has this name.' }),
        made: { form: 'token', answer: { ...token, token: 'skwr_a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b8c9d0' } },
      },
    ),
  '/settings/sessions': (frame) =>
    sessionsPage.draw(
      [
        {
          id: 's1',
          agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
          current: true,
          created: '2026-11-15T08:00:00Z',
          used: '2026-11-16T09:00:00Z',
          expires: '2026-12-15T08:00:00Z',
        },
        {
          id: 's2',
          agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) Safari/605.1.15',
          current: false,
          created: '2026-11-01T08:00:00Z',
          used: '2026-11-14T19:20:00Z',
          expires: '2026-12-01T08:00:00Z',
        },
      ],
      frame,
    ),
  '/device': (frame) =>
    devicePage({ code: '', login: undefined, problem: 'No login waits for this code.' }, frame),
  '/device/confirm': (frame) =>
    devicePage(
      {
        code: 'BCDF-GHJK',
        login: {
          client: 'skc 0.1.0 on build-7',
          scopes: ['read', 'publish'],
          requested: new Date('2026-11-16T10:00:00Z'),
        },
      },
      frame,
    ),
  '/device/done': (frame) =>
    messagePage({ title: 'Connected', text: 'skc on build-7 is signed in. You can close this page.' }, frame),
  '/signin': (frame) =>
    signInPage(
      {
        providers: [{ title: 'Acme SSO', href: '/signin/start?provider=acme' }],
        returnTo: '/',
        problem: 'this token does not work',
      },
      outsider(frame),
    ),
  '/signin/token': (frame) => signInPage({ providers: [], returnTo: '/' }, outsider(frame)),
  '/invite/abc': (frame) => invitationPage({ code: 'abc', account: 'jun', providers: [] }, outsider(frame)),
  '/invite/abc/done': (frame) =>
    welcomePage({ account: 'jun', token: 'skwr_a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6' }, frame),
  '/admin/accounts': (frame) =>
    accountsPage.draw(
      {
        accounts: [
          {
            name: 'mara',
            displayName: 'Mara Lindqvist',
            email: 'mara@example.com',
            isAdmin: true,
            isModerator: false,
            suspended: null,
            created: '2026-01-05T00:00:00Z',
            tokens: 2,
          },
          {
            name: 'omar',
            displayName: 'Omar',
            email: null,
            isAdmin: false,
            isModerator: false,
            suspended: 'left the company',
            created: '2026-01-05T00:00:00Z',
            tokens: 0,
          },
          {
            name: 'jun',
            displayName: 'Jun',
            email: 'jun@example.com',
            isAdmin: false,
            isModerator: false,
            suspended: null,
            created: '2026-01-05T00:00:00Z',
            tokens: 1,
          },
        ],
        invitations: [
          {
            id: 'i1',
            kind: 'link',
            account: 'lee',
            roles: [{ owner: 'acme', roles: ['reader', 'publisher'] }],
            by: 'mara',
            expires: '2026-11-20T00:00:00Z',
          },
        ],
        next: 'more',
      },
      {
        ...frame,
        sent: refused('account jun', { reason: 'Too short' }),
        made: { form: 'invitation', answer: { link: 'https://skills.example.com/invite/abcdef' } },
      },
    ),
  '/admin/mirrors': (frame) =>
    mirrorsPage.draw(
      [
        {
          id: 'm1',
          owner: 'upstream',
          source: 'https://git.example.com/upstream/skills.git',
          everyMinutes: 60,
          synced: '2026-11-16T08:00:00Z',
          resolution: null,
          failure: null,
          notes: ['broken: no description'],
        },
        {
          id: 'm2',
          owner: 'vendor',
          source: 'https://vendor.example.net',
          everyMinutes: 5,
          synced: null,
          resolution: null,
          failure: 'certificate has expired',
          notes: [],
        },
      ],
      frame,
    ),
  '/admin/reports': (frame) =>
    reportsPage.draw(
      [
        {
          id: 'r1',
          name: '@acme/pdf-forms',
          version: '2.1.0',
          kind: 'malware',
          message: 'Runs a binary from a paste site.',
          by: 'jun',
          at: '2026-11-10T10:00:00Z',
          resolution: null,
        },
        {
          id: 'r2',
          name: '@acme/pdf-forms',
          version: null,
          kind: 'other',
          message: 'A typing error.',
          by: 'jun',
          at: '2026-11-10T10:00:00Z',
          resolution: 'told the author',
        },
      ],
      frame,
    ),
  '/admin/verifications': (frame) =>
    verificationsPage.draw(
      [
        {
          id: 'v1',
          name: '@acme/pdf-forms',
          statement: 'Acme Ltd publishes it. Our page names this namespace.',
          url: 'https://acme.example.com/skills',
          by: 'mara',
          at: '2026-11-10T10:00:00Z',
          decision: null,
          reason: null,
        },
        {
          id: 'v2',
          name: '@platform/deploy',
          statement: 'The platform team.',
          url: null,
          by: 'omar',
          at: '2026-11-09T10:00:00Z',
          decision: 'decline',
          reason: 'nothing shows who that is',
        },
      ],
      { ...frame, sent: refused('decide v1', { reason: 'Give a reason.' }) },
    ),
  '/admin/audit': (frame) =>
    auditPage.draw(
      {
        entries: [
          {
            id: 2,
            time: '2026-11-16T09:12:00Z',
            account: 'mara',
            via: 'session',
            action: 'version.approve',
            owner: 'acme',
            skill: 'pdf-forms',
            version: '2.3.1',
            details: { reason: 'read the diff' },
          },
          {
            id: 1,
            time: '2026-11-16T09:00:00Z',
            account: 'acme-ci',
            via: 'token',
            action: 'owner.member',
            owner: 'acme',
            skill: null,
            version: null,
            details: {},
          },
        ],
        next: 'more',
        filter: { actor: '', action: '' },
      },
      frame,
    ),
  '/log': (frame) =>
    logPage.draw(
      {
        origin: 'skills.example.com',
        size: 4211,
        key: 'skills.example.com/log+1a2b3c4d+AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUuVv',
        signed: '2026-11-16T09:00:00Z',
        entries: [
          { index: 4210, entry: null },
          {
            index: 4209,
            entry: {
              kind: 'version',
              name: '@acme/pdf-forms',
              version: '2.3.1',
              document: `sha256:${'a'.repeat(64)}`,
              archive: `sha256:${'b'.repeat(64)}`,
            },
          },
          {
            index: 4208,
            entry: {
              kind: 'state',
              name: '@acme/pdf-forms',
              version: '2.1.0',
              change: 'yanked',
              reason: 'it loses the last field',
              time: '2026-11-16T09:00:00Z',
            },
          },
        ],
        next: 4208,
      },
      frame,
    ),
  '/missing': (frame) =>
    errorPage(
      { status: 404, message: 'no such skill, version or owner, or you may not see it' },
      outsider(frame),
    ),
  '/forbidden': (frame) =>
    errorPage({ status: 403, message: 'your role or token does not allow this' }, frame),
  '/broken': (frame) =>
    errorPage({ status: 500, message: 'the server failed', details: ['request 7f3a'] }, frame),
};
