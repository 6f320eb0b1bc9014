// Every route of the application, asked by everybody who may ask, about skills in every state. A route without a row fails.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { DIGEST_HEADER } from 'skillwright/registry-protocol';
import { expect, onTestFinished, test } from 'vitest';
import { makeTarGz } from '../../skillwright/test/make-archive.ts';
import { type OpenTestRegistry, onBothDatabases } from './open-test-registry.ts';
import {
  addAccount,
  addOwner,
  digestOfBytes,
  openSkillWorld,
  readers,
  type SkillWorld,
  skillText,
} from './skill-world.ts';

/** A route, and where in it a name, a word, a digest or the size of the log is put in. */
interface Row {
  readonly paths: readonly string[];
  readonly body?: unknown;
  readonly type?: 'archive' | 'form' | 'mcp';
}

const skill = '/api/v1/skills/@acme/NAME';
const version = `${skill}/1.0.0`;

/** A question for each route. Bodies are valid, so that rights decide. */
const rows: Readonly<Record<string, Row>> = {
  'GET /api/v1/whoami': { paths: ['/api/v1/whoami'] },
  'GET /api/v1/tokens': { paths: ['/api/v1/tokens'] },
  'POST /api/v1/tokens': {
    paths: ['/api/v1/tokens'],
    body: { name: 'more', scopes: ['read'], owner: 'closed', days: 1 },
  },
  'DELETE /api/v1/tokens/:id': { paths: ['/api/v1/tokens/none'] },
  'GET /api/v1/sessions': { paths: ['/api/v1/sessions'] },
  'DELETE /api/v1/sessions/:id': { paths: ['/api/v1/sessions/none'] },
  'GET /api/v1/admin/accounts': { paths: ['/api/v1/admin/accounts'] },
  'PATCH /api/v1/admin/accounts/:account': {
    paths: ['/api/v1/admin/accounts/nobody'],
    body: { suspended: null },
  },
  'DELETE /api/v1/admin/accounts/:account/tokens': { paths: ['/api/v1/admin/accounts/nobody/tokens'] },
  'GET /api/v1/admin/audit': {
    paths: ['/api/v1/admin/audit', '/api/v1/admin/audit?owner=acme', '/api/v1/admin/audit?owner=closed'],
  },
  'GET /api/v1/invitations': { paths: ['/api/v1/invitations'] },
  'DELETE /api/v1/invitations/:id': { paths: ['/api/v1/invitations/none'] },
  'POST /api/v1/invitations/accept': {
    paths: ['/api/v1/invitations/accept'],
    body: { code: 'x'.repeat(43) },
  },
  'POST /api/v1/invitations': {
    paths: ['/api/v1/invitations'],
    body: { account: 'invited', roles: [{ owner: 'acme', roles: ['reader'] }] },
  },
  'GET /api/v1/skills/:owner{@[^/]+}/:name': { paths: [skill, '/api/v1/skills/@closed/private'] },
  'GET /api/v1/skills/:owner{@[^/]+}/:name/:version{[0-9][^/]*}': { paths: [version, `${skill}/9.9.9`] },
  'GET /api/v1/archives/:digest': { paths: ['/api/v1/archives/DIGEST'] },
  'POST /api/v1/states': {
    paths: ['/api/v1/states'],
    body: { installed: [{ name: '@acme/NAME', version: '1.0.0' }] },
  },
  'GET /feed.atom': { paths: ['/feed.atom'] },
  'GET /:owner{@[^/]+}/feed.atom': { paths: ['/@acme/feed.atom', '/@closed/feed.atom'] },
  'GET /api/v1/skills/:owner{@[^/]+}/:name/log': { paths: [`${skill}/log`] },
  'GET /api/v1/skills/:owner{@[^/]+}/:name/:version{[0-9][^/]*}/proof': { paths: [`${version}/proof`] },
  'GET /api/v1/owners/:owner{@[^/]+}/mirrors': owned('mirrors'),
  'POST /api/v1/owners/:owner{@[^/]+}/mirrors': { ...owned('mirrors'), body: { source: 'ftp://x' } },
  'DELETE /api/v1/owners/:owner{@[^/]+}/mirrors/:id': owned('mirrors/1'),
  'POST /api/v1/owners/:owner{@[^/]+}/mirrors/:id/sync': owned('mirrors/1/sync'),
  'PUT /api/v1/skills/:owner{@[^/]+}/:name/rating': { paths: [`${skill}/rating`], body: { stars: 3 } },
  'DELETE /api/v1/skills/:owner{@[^/]+}/:name/rating': { paths: [`${skill}/rating`] },
  'POST /api/v1/skills/:owner{@[^/]+}/:name/reports': {
    paths: [`${skill}/reports`],
    body: { version: '1.0.0', kind: 'spam', message: 'look' },
  },
  'GET /api/v1/reports': { paths: ['/api/v1/reports'] },
  'POST /api/v1/reports/:id/resolve': {
    paths: ['/api/v1/reports/none/resolve'],
    body: { resolution: 'done' },
  },
  'POST /api/v1/skills/:owner{@[^/]+}/:name/verification': {
    paths: [`${skill}/verification`],
    body: { statement: 'Acme Ltd' },
  },
  'GET /api/v1/verifications': { paths: ['/api/v1/verifications', '/api/v1/verifications?state=decided'] },
  'POST /api/v1/verifications/:id/decide': {
    paths: ['/api/v1/verifications/none/decide'],
    body: { decision: 'grant', reason: 'checked' },
  },
  'GET /api/v1/review': { paths: ['/api/v1/review'] },
  'POST /api/v1/skills/:owner{@[^/]+}/:name/:version{[0-9][^/]*}/review': {
    paths: [`${version}/review`],
    body: { decision: 'reject', reason: 'no' },
  },
  'POST /api/v1/skills/:owner{@[^/]+}/:name/:version{[0-9][^/]*}/quarantine': {
    paths: [`${version}/quarantine`],
    body: { quarantined: 'x' },
  },
  'POST /api/v1/skills/:owner{@[^/]+}/:name/:version{[0-9][^/]*}/purge': {
    paths: [`${version}/purge`],
    body: { purged: 'x' },
  },
  'POST /api/v1/skills/:owner{@[^/]+}/:name/:version{[0-9][^/]*}/rescan': { paths: [`${version}/rescan`] },
  'GET /api/v1/skills/:owner{@[^/]+}/:name/:version{[0-9][^/]*}/scans': { paths: [`${version}/scans`] },
  'POST /api/v1/skills/:owner{@[^/]+}/:name/advisories': {
    paths: [`${skill}/advisories`],
    body: { severity: 'low', summary: 'x', affected: '*', url: null },
  },
  'DELETE /api/v1/skills/:owner{@[^/]+}/:name/advisories/:id': {
    paths: [`${skill}/advisories/SKA-2026-0001`],
  },
  'PUT /api/v1/skills/:owner{@[^/]+}/:name/level': { paths: [`${skill}/level`], body: { level: 'official' } },
  'GET /api/v1/owners/:owner{@[^/]+}': owned(''),
  'PUT /api/v1/owners/:owner{@[^/]+}': { paths: ['/api/v1/owners/@closed'], body: { title: 'x', url: null } },
  'PUT /api/v1/owners/:owner{@[^/]+}/members/:account': { ...owned('members/nobody'), body: { roles: [] } },
  'POST /api/v1/owners/:owner{@[^/]+}/transfer': { ...owned('transfer'), body: { to: 'nobody' } },
  'POST /api/v1/transfers/:id/accept': { paths: ['/api/v1/transfers/none/accept'] },
  'POST /api/v1/transfers/:id/decline': { paths: ['/api/v1/transfers/none/decline'] },
  'GET /api/v1/owners/:owner{@[^/]+}/publishers': owned('publishers'),
  'POST /api/v1/owners/:owner{@[^/]+}/publishers': { ...owned('publishers'), body: {} },
  'DELETE /api/v1/owners/:owner{@[^/]+}/publishers/:id': owned('publishers/none'),
  'PUT /api/v1/skills/:owner{@[^/]+}/:name/:version{[0-9][^/]*}': {
    paths: [version],
    type: 'archive',
  },
  'PATCH /api/v1/skills/:owner{@[^/]+}/:name/:version{[0-9][^/]*}': {
    paths: [version],
    body: { yanked: 'x' },
  },
  'PATCH /api/v1/skills/:owner{@[^/]+}/:name': { paths: [skill], body: { deprecated: 'x' } },
  'GET /api/v1/owners/:owner{@[^/]+}/webhooks': owned('webhooks'),
  'POST /api/v1/owners/:owner{@[^/]+}/webhooks': { ...owned('webhooks'), body: { url: 'https://h.test/' } },
  'DELETE /api/v1/owners/:owner{@[^/]+}/webhooks/:id': owned('webhooks/none'),
  'GET /openapi.json': { paths: ['/openapi.json'] },
  'GET /healthz': { paths: ['/healthz'] },
  'GET /readyz': { paths: ['/readyz'] },
  'GET /sitemap.xml': { paths: ['/sitemap.xml'] },
  'GET /robots.txt': { paths: ['/robots.txt'] },
  'GET /:owner{@[^/]+}/:name/badge.svg': { paths: ['/@acme/NAME/badge.svg', '/@closed/private/badge.svg'] },
  'GET /log/newest': { paths: ['/log/newest'] },
  'GET /log/checkpoint': { paths: ['/log/checkpoint'] },
  'GET /log/:generation{[1-9][0-9]{0,14}}/checkpoint': { paths: ['/log/1/checkpoint'] },
  'GET /log/key': { paths: ['/log/key'] },
  'GET /log/tile/:tile{.+}': { paths: ['/log/tile/entries/000.p/SIZE', '/log/tile/0/000.p/SIZE'] },
  'GET /log/:generation{[1-9][0-9]{0,14}}/tile/:tile{.+}': { paths: ['/log/1/tile/entries/000.p/SIZE'] },
  'POST /log/cosignature': { paths: ['/log/cosignature'], body: {} },
  'ALL /mcp': {
    paths: ['/mcp'],
    type: 'mcp',
  },
  'GET /.well-known/oauth-protected-resource': { paths: ['/.well-known/oauth-protected-resource'] },
  'GET /.well-known/oauth-protected-resource/mcp': { paths: ['/.well-known/oauth-protected-resource/mcp'] },
  'GET /metrics': { paths: ['/metrics'] },
  'GET /.well-known/oauth-authorization-server': { paths: ['/.well-known/oauth-authorization-server'] },
  'POST /oauth/device_authorization': { paths: ['/oauth/device_authorization'], type: 'form' },
  'POST /oauth/token': { paths: ['/oauth/token'], type: 'form' },
  'GET /api/v1/find': { paths: ['/api/v1/find?q=NAME', '/api/v1/find?q=WORD', '/api/v1/find?q=@acme/NAME'] },
  'GET /api/v1/read/:owner{@[^/]+}/:wanted/outline': reading('outline'),
  'GET /api/v1/read/:owner{@[^/]+}/:wanted/show': reading('show?section=Steps'),
  'GET /api/v1/read/:owner{@[^/]+}/:wanted/search': reading('search?query=WORD'),
  'GET /api/v1/read/:owner{@[^/]+}/:wanted/open': reading('open?path=SKILL.md'),
  'GET /api/v1/read/:owner{@[^/]+}/:wanted/sources': reading('sources'),
  'GET /api/v1/search': {
    paths: [
      '/api/v1/search?q=NAME',
      '/api/v1/search?q=WORD',
      '/api/v1/search?q=NAM',
      '/api/v1/search?q=',
      '/api/v1/search?q=&owner=acme&sort=name&limit=1',
      '/api/v1/search?q=steps&limit=1',
      '/api/v1/search?q=&tag=WORD',
    ],
  },
  'GET /.well-known/agent-skills/index.json': { paths: ['/.well-known/agent-skills/index.json'] },
  'GET /:owner{@[a-z0-9-]+}/.well-known/agent-skills/index.json': {
    paths: ['/@acme/.well-known/agent-skills/index.json', '/@closed/.well-known/agent-skills/index.json'],
  },
  'GET /:owner{@[a-z0-9-]+}/:name/.well-known/agent-skills/index.json': {
    paths: ['/@acme/NAME/.well-known/agent-skills/index.json'],
  },
  'GET /:owner{@[a-z0-9-]+}/:name/.well-known/agent-skills/:version/:file': {
    paths: ['/@acme/NAME/.well-known/agent-skills/1.0.0/NAME.tar.gz'],
  },
  'GET /signin': { paths: ['/signin?return=/@acme/NAME'] },
  'POST /signin': { paths: ['/signin'], type: 'form' },
  'GET /signin/start': { paths: ['/signin/start'] },
  'GET /signin/callback': { paths: ['/signin/callback'] },
  'GET /signout': { paths: ['/signout'] },
  'POST /signout': { paths: ['/signout'], type: 'form' },
  'GET /invite/:code': { paths: ['/invite/none'] },
  'POST /invite/:code': { paths: ['/invite/none'], type: 'form' },
  'GET /device': { paths: ['/device', '/device?code=NAME'] },
  'POST /device': { paths: ['/device'], type: 'form' },
  ...pageRows(),
};

/** The pages: forms are POST, and strangers are asked to sign in. */
function pageRows(): Record<string, Row> {
  const owner = ':owner{@[^/]+}';
  const version = `${owner}/:name/:version{[0-9][^/]*}`;
  const get = (route: string, ...paths: string[]) => [`GET ${route}`, { paths }] as const;
  const post = (route: string, ...paths: string[]) => [`POST ${route}`, { paths, type: 'form' }] as const;
  const tabs = ['ask', 'diff', 'files', 'versions', 'safety'];
  const query = (tab: string) => (tab === 'ask' ? 'ask?q=WORD' : tab);
  const ownerForms = [
    'members',
    'transfer',
    'publishers',
    'publishers/:id/remove',
    'webhooks',
    'webhooks/:id/remove',
  ];
  const settings = [
    'owners',
    'sessions/end-others',
    'sessions/:id/end',
    'transfers/:id',
    'tokens',
    'tokens/:id/revoke',
  ];
  const admin = [
    'accounts/:account',
    'invitations',
    'invitations/:id/withdraw',
    'reports/:id/resolve',
    'verifications/:id',
    'mirrors',
    'mirrors/:id',
  ];
  const filled = (path: string) => path.replace(/:\w+/g, '1');
  return Object.fromEntries([
    get('/', '/'),
    get('/search', '/search?q=NAME', '/search?q=WORD', '/search?tag=WORD', '/search'),
    get('/log', '/log', '/log?before=3'),
    get('/settings', '/settings'),
    get('/settings/sessions', '/settings/sessions'),
    get('/settings/tokens', '/settings/tokens'),
    ...settings.map((path) => post(`/settings/${path}`, filled(`/settings/${path}`))),
    get('/admin', '/admin'),
    ...['accounts', 'audit', 'reports', 'verifications', 'mirrors'].map((path) =>
      get(`/admin/${path}`, `/admin/${path}`),
    ),
    ...admin.map((path) => post(`/admin/${path}`, filled(`/admin/${path}`))),
    get('/review', '/review'),
    get(`/review/${version}`, '/review/@acme/NAME/1.0.0'),
    post(`/review/${version}`, '/review/@acme/NAME/1.0.0'),
    post('/theme', '/theme'),
    get(`/${owner}`, '/@acme', '/@closed'),
    ...ownerForms.map((path) =>
      post(`/${owner}/${path}`, filled(`/@acme/${path}`), filled(`/@closed/${path}`)),
    ),
    get(`/${owner}/:name`, '/@acme/NAME', '/@closed/bare'),
    get(`/${version}`, '/@acme/NAME/1.0.0'),
    ...tabs.map((tab) => get(`/${owner}/:name/${tab}`, `/@acme/NAME/${query(tab)}`)),
    ...tabs.map((tab) => get(`/${version}/${tab}`, `/@acme/NAME/1.0.0/${query(tab)}`)),
    get(`/${owner}/:name/settings`, '/@acme/NAME/settings'),
    get(`/${version}/files/:path{.+}`, '/@acme/NAME/1.0.0/files/SKILL.md'),
    get(`/${version}/raw/:path{.+}`, '/@acme/NAME/1.0.0/raw/SKILL.md'),
    ...['rating', 'reports', 'settings', 'settings/verification'].map((form) =>
      post(`/${owner}/:name/${form}`, `/@acme/NAME/${form}`),
    ),
    ...['yank', 'quarantine'].map((form) => post(`/${version}/${form}`, `/@acme/NAME/1.0.0/${form}`)),
  ]);
}

function owned(rest: string): Row {
  const tail = rest === '' ? '' : `/${rest}`;
  return { paths: [`/api/v1/owners/@closed${tail}`, `/api/v1/owners/@acme${tail}`] };
}

function reading(rest: string): Row {
  return { paths: [`/api/v1/read/@acme/NAME/${rest}`, `/api/v1/read/@acme/NAME@1.0.0/${rest}`] };
}

/** Skills that strangers must not hear of, and whether they would be public otherwise. */
const hidden = { 'hush-private': 'private', 'hush-pending': 'public', 'hush-rejected': 'public' } as const;
const visible = ['bare', 'yanked', 'held', 'gone'] as const;
type Name = keyof typeof hidden | (typeof visible)[number] | 'hush-missing';

/** A word that occurs in the texts of one skill alone. */
const wordOf = (name: string) => `zq${name.replaceAll('-', '')}zq`;

function archiveOf(name: string): Uint8Array {
  const word = wordOf(name);
  const description = `Checks ${word} files. Use when a ${word} file changes.`;
  const body = `# Steps\n\nRead the ${word} file.\n`;
  return makeTarGz({
    'SKILL.md': skillText({ name, version: '1.0.0', description, body }).replace('files, checks', word),
  });
}

interface Matrix {
  readonly world: SkillWorld;
  /** Tokens of everybody; undefined for a caller without one. */
  readonly callers: Readonly<Record<string, string | undefined>>;
  readonly digests: ReadonlyMap<string, string>;
}

/** Callers who have no right to anything hidden. */
const outsiders = ['anonymous', 'stranger', 'elsewhere', 'no read', 'of the other namespace'] as const;
/** Callers whose token does not work any more. */
const ended = ['revoked', 'suspended'] as const;

async function openMatrix(open: OpenTestRegistry, context: Parameters<OpenTestRegistry>[0]): Promise<Matrix> {
  const world = await openSkillWorld(open, context);
  const { registry } = world;
  const closedId = await addOwner(registry, 'closed');
  const roles = [[world.ownerId, 'admin']] as const;
  const callers = {
    anonymous: undefined,
    ...world.tokens,
    'no read': await addAccount(registry, 'no-read', { roles, scopes: ['rate'] }),
    'of the other namespace': await addAccount(registry, 'closed-admin', { roles: [[closedId, 'admin']] }),
    revoked: await addAccount(registry, 'revoked', { roles }),
    suspended: await addAccount(registry, 'suspended', { roles }),
  };
  await registry.database.query(
    `update secrets set ended_at = now() where account_id = (select id from accounts where name = 'revoked')`,
  );
  await registry.database.query(`update accounts set suspended = 'spam' where name = 'suspended'`);
  const digests = new Map<string, string>([['hush-missing', `sha256:${'0'.repeat(64)}`]]);
  for (const name of [...Object.keys(hidden), ...visible]) {
    registry.settings.review = /pending|rejected/.test(name) ? 'all' : 'off';
    const archive = archiveOf(name);
    digests.set(name, digestOfBytes(archive));
    const published = await world.publish(`@acme/${name}@1.0.0`, { archive });
    expect([name, published.status]).toEqual([name, 201]);
    if (name !== 'hush-private')
      await world.call('admin', `PATCH skills/@acme/${name}`, { visibility: 'public' });
  }
  registry.settings.review = 'off';
  const at = (name: string) => `skills/@acme/${name}/1.0.0`;
  await world.call('reviewer', `POST ${at('hush-rejected')}/review`, { decision: 'reject', reason: 'hush' });
  await world.call('publisher', `PATCH ${at('yanked')}`, { yanked: 'wrong file' });
  await world.call('reviewer', `POST ${at('held')}/quarantine`, { quarantined: 'under investigation' });
  await world.call('root', `POST ${at('gone')}/purge`, { purged: 'a secret was in it' });
  // A private skill with the name of a public one, in a namespace of which nothing is public.
  await world.publish('@closed/bare@1.0.0', { by: 'root', archive: archiveOf('bare') });
  return { world, callers, digests };
}

/** Everything of an answer that could say something, with the caller's own words taken out. */
async function look(matrix: Matrix, caller: string, question: Question): Promise<string> {
  const { world, callers, digests } = matrix;
  const { route, path, name, row } = question;
  const token = callers[caller];
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const word = wordOf(name);
  const fill = (text: string) =>
    text
      .replaceAll('NAME', name)
      .replaceAll('NAM', name.slice(0, -2))
      .replaceAll('WORD', word)
      .replaceAll('DIGEST', digests.get(name)!);
  const clean = (text: string) =>
    text
      .replaceAll(digests.get(name)!, '<digest>')
      .replaceAll(word, '<word>')
      .replaceAll(name, '<name>')
      .replaceAll(name.slice(0, -2), '<nam>')
      // Codes for devices are new each time.
      .replaceAll(/"device_code":"[^"]*"|[A-Z]{4}-[A-Z]{4}/g, '<code>');
  if (row.type === 'mcp') return clean(await askMcp(world, headers, name));
  const archive = archiveOf(name);
  const body =
    row.type === 'archive'
      ? archive
      : row.type === 'form'
        ? new URLSearchParams({ client_id: 'test', code: name, token: name })
        : row.body === undefined
          ? undefined
          : fill(JSON.stringify(row.body));
  const [size] = await world.registry.database.query<{ size: number }>('select size from log_origins');
  const response = await world.app.request(fill(path).replace('SIZE', String(size!.size)), {
    method: route.split(' ')[0]!,
    headers: {
      ...headers,
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      ...(row.type === 'archive' ? { [DIGEST_HEADER]: digests.get(name)! } : {}),
    },
    ...(body === undefined ? {} : { body: body as string }),
  });
  const said = [...response.headers].filter(([header]) => header !== 'x-request-id');
  return clean(`${response.status}\n${JSON.stringify(said)}\n${await response.text()}`);
}

interface Question {
  readonly route: string;
  readonly path: string;
  readonly name: Name;
  readonly row: Row;
}

/** Asks every tool, the skills extension and the resources about a skill. */
async function askMcp(world: SkillWorld, headers: Record<string, string>, name: string): Promise<string> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  onTestFinished(() => client.close());
  const transport = new StreamableHTTPClientTransport(new URL('http://registry.test/mcp'), {
    fetch: async (url, init) => world.app.fetch(new Request(url, init)),
    requestInit: { headers },
  });
  const answers: unknown[] = [];
  const note = async (ask: () => Promise<unknown>) => {
    answers.push(await ask().catch((error: unknown) => String(error)));
  };
  await note(() => client.connect(transport));
  const skills = new SkillsClient(client);
  for (const address of [`@acme/${name}`, `@acme/${name}@1.0.0`]) {
    await note(() => client.callTool({ name: 'skc_outline', arguments: { skill: address } }));
    await note(() => client.callTool({ name: 'skc_open', arguments: { skill: address, path: 'SKILL.md' } }));
  }
  await note(() => client.callTool({ name: 'skc_find', arguments: { query: name } }));
  await note(() => client.callTool({ name: 'skc_find', arguments: { query: wordOf(name) } }));
  await note(() => client.readResource({ uri: `skill://acme/${name}/SKILL.md` }));
  await note(() => client.readResource({ uri: `skill://acme/@1.0.0/${name}/SKILL.md` }));
  await note(() => skills.get(`skill://acme/${name}/SKILL.md`));
  await note(() => skills.list());
  await note(() => client.listResources());
  return JSON.stringify(answers);
}

onBothDatabases('the matrix of access', (open) => {
  test('has a row for every route', async (context) => {
    const { app } = await open(context);
    const routes = new Set(
      app.routes
        .map(({ method, path }) => `${method} ${path}`)
        .filter((route) => route !== 'ALL /*' && route !== 'ALL *' && !/^GET \/assets\/pages\./.test(route)),
    );
    expect([...routes].filter((route) => rows[route] === undefined)).toEqual([]);
    expect(Object.keys(rows).filter((route) => !routes.has(route))).toEqual([]);
  });

  test('answers outsiders about hidden skills as about missing ones, on every route', async (context) => {
    const matrix = await openMatrix(open, context);
    const secrets = new RegExp(
      [
        'hush',
        ...Object.keys(hidden).flatMap((name) => [wordOf(name), matrix.digests.get(name)!.slice(7, 27)]),
      ].join('|'),
    );
    for (const [route, row] of Object.entries(rows))
      for (const path of row.paths)
        for (const caller of outsiders) {
          const missing = await look(matrix, caller, { route, path, row, name: 'hush-missing' });
          expect([route, path, caller, missing]).toEqual([
            route,
            path,
            caller,
            expect.not.stringMatching(secrets),
          ]);
          const asksForOne = /NAM|WORD|DIGEST/.test(path + JSON.stringify(row)) || row.type !== undefined;
          if (!asksForOne) continue;
          for (const name of Object.keys(hidden) as (keyof typeof hidden)[]) {
            const found = await look(matrix, caller, { route, path, row, name });
            expect([route, path, caller, name, found]).toEqual([route, path, caller, name, missing]);
          }
        }
  }, 240_000);

  test('answers tokens that ended with 401 and nothing else, on every route', async (context) => {
    const matrix = await openMatrix(open, context);
    const answers = new Set<string>();
    for (const [route, row] of Object.entries(rows))
      if (row.type !== 'mcp')
        for (const path of row.paths)
          for (const caller of ended)
            answers.add(await look(matrix, caller, { route, path, row, name: 'hush-private' }));
    expect([...answers].map((answer) => answer.split('\n').filter((_, at) => at !== 1))).toEqual([
      [
        '401',
        JSON.stringify({
          error: { code: 'unauthorised', message: 'this token is unknown, expired or revoked' },
        }),
      ],
    ]);
  });

  test('answers alike on every list of a namespace that its admins manage', async (context) => {
    const { world } = await openMatrix(open, context);
    const answers: Record<string, string> = {};
    for (const reader of readers)
      for (const owner of ['acme', 'closed', 'nothing']) {
        const statuses = [];
        for (const list of ['mirrors', 'webhooks', 'publishers'])
          statuses.push((await world.ask(reader, `GET owners/@${owner}/${list}`)).status);
        for (const one of ['mirrors/1', 'webhooks/none', 'publishers/none'])
          statuses.push((await world.ask(reader, `DELETE owners/@${owner}/${one}`)).status);
        statuses.push(
          (await world.call(reader, `POST owners/@${owner}/webhooks`, { url: 'http://127.0.0.1' })).status,
        );
        statuses.push(
          (await world.call(reader, `POST owners/@${owner}/mirrors`, { source: 'ftp://x' })).status,
        );
        statuses.push((await world.call(reader, `POST owners/@${owner}/transfer`, { to: 'nobody' })).status);
        answers[`${reader} @${owner}`] = [...new Set(statuses)].join(' ');
      }
    // An admin gets the lists, then 404 for what is not in them and 400 for addresses that are refused. An offer to an
    // account that does not exist is made like any other.
    const hiddenFrom = (reader: string) => ({ [`${reader} @closed`]: '404', [`${reader} @nothing`]: '404' });
    expect(answers).toEqual({
      'anonymous @acme': '401',
      ...hiddenFrom('anonymous'),
      'stranger @acme': '403',
      ...hiddenFrom('stranger'),
      'reader @acme': '403',
      ...hiddenFrom('reader'),
      'publisher @acme': '403',
      ...hiddenFrom('publisher'),
      'reviewer @acme': '403',
      ...hiddenFrom('reviewer'),
      'admin @acme': '200 404 400 201',
      ...hiddenFrom('admin'),
      'elsewhere @acme': '403',
      ...hiddenFrom('elsewhere'),
      'root @acme': '200 404 400 201',
      'root @closed': '200 404 400 201',
      'root @nothing': '404',
    });
  });

  test('counts what the caller may see', async (context) => {
    const { world } = await openMatrix(open, context);
    const counts: Record<string, unknown> = {};
    for (const reader of readers) {
      const all = await world.call(reader, 'GET search?q=');
      const words = await world.call(reader, 'GET search?q=steps&sort=name');
      const owner = await world.call(reader, 'GET owners/@acme');
      counts[reader] = [all.value.total, words.value.total, owner.value.skills];
    }
    expect(counts).toEqual({
      anonymous: [2, 2, 4],
      stranger: [2, 2, 4],
      reader: [3, 3, 7],
      publisher: [3, 3, 7],
      reviewer: [3, 3, 7],
      admin: [3, 3, 7],
      elsewhere: [2, 2, 4],
      root: [4, 4, 7],
    });
  });

  test('gives the files of a version by its states and the role of the caller', async (context) => {
    const { world, digests } = await openMatrix(open, context);
    const answers: Record<string, string> = {};
    for (const reader of ['anonymous', 'reader', 'publisher', 'reviewer'] as const)
      for (const name of [...Object.keys(hidden), ...visible]) {
        const statuses = [];
        for (const path of [
          `read/@acme/${name}@1.0.0/outline`,
          `archives/${digests.get(name)}`,
          `skills/@acme/${name}/1.0.0/proof`,
          `/@acme/${name}/.well-known/agent-skills/1.0.0/${name}.tar.gz`,
          `/@acme/${name}/.well-known/agent-skills/index.json`,
        ])
          statuses.push((await world.ask(reader, `GET ${path}`)).status);
        answers[`${reader} ${name}`] = statuses.join(' ');
      }
    // Reading, archive, proof; then what everybody gets from the well-known address.
    expect(answers).toEqual({
      'anonymous hush-private': '404 404 404 404 404',
      'anonymous hush-pending': '404 404 404 404 404',
      'anonymous hush-rejected': '404 404 404 404 404',
      'anonymous bare': '200 200 200 200 200',
      'anonymous yanked': '200 200 200 200 404',
      'anonymous held': '403 403 200 403 404',
      'anonymous gone': '410 410 200 410 404',
      'reader hush-private': '200 200 200 404 404',
      'reader hush-pending': '404 404 404 404 404',
      'reader hush-rejected': '404 404 404 404 404',
      'reader bare': '200 200 200 200 200',
      'reader yanked': '200 200 200 200 404',
      'reader held': '403 403 200 403 404',
      'reader gone': '410 410 200 410 404',
      'publisher hush-private': '200 200 200 404 404',
      'publisher hush-pending': '200 200 200 404 404',
      'publisher hush-rejected': '200 200 200 404 404',
      'publisher bare': '200 200 200 200 200',
      'publisher yanked': '200 200 200 200 404',
      'publisher held': '403 403 200 403 404',
      'publisher gone': '410 410 200 410 404',
      'reviewer hush-private': '200 200 200 404 404',
      'reviewer hush-pending': '200 200 200 404 404',
      'reviewer hush-rejected': '200 200 200 404 404',
      'reviewer bare': '200 200 200 200 200',
      'reviewer yanked': '200 200 200 200 404',
      'reviewer held': '200 403 200 403 404',
      'reviewer gone': '410 410 200 410 404',
    });
  });
});
