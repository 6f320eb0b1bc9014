// Answers one request: the guard first, then a page, a change, an asset or the events.

import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  diagnosticOf,
  failureJson,
  invalidOption,
  SkillwrightError,
} from '../../../base/diagnostics/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import { assets, type Html, pageHeaders, readTheme, safeReturn } from '../../pages/index.ts';
import type { LogFollower } from '../data/follow-logs.ts';
import { showPlace } from '../data/show-place.ts';
import type { StudioState } from '../data/studio-state.ts';
import { studioErrorPage } from '../pages/studio-error-page.ts';
import type { StudioFrame } from '../pages/studio-shell.ts';
import { failureText, skillChanges } from './change-routes.ts';
import { lookFor, readPage, skillWith } from './page-routes.ts';
import type { StudioEvents } from './studio-events.ts';
import { readCookie, refused, type StudioGuard } from './studio-guard.ts';

/** One running studio. */
export interface Studio {
  readonly guard: StudioGuard;
  readonly state: StudioState;
  readonly events: StudioEvents;
  readonly logs: LogFollower;
  /** True once the user asked for changes. */
  mayChange: boolean;
  /** Sentences for the next page. */
  said: string[];
}

const THEME_COOKIE = 'skc-theme';

/** Answers it. Coded errors become pages, or JSON for programs; anything else is thrown. */
export async function answerRequest(
  studio: Studio,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const address = incoming.url ?? '/';
  if (!URL.canParse(address, 'http://studio'))
    return sendResponse(outgoing, { status: 400, headers: { connection: 'close' }, body: '' });
  const url = new URL(address, 'http://studio');
  try {
    const response = await route(studio, url, { incoming, outgoing });
    if (response !== undefined) sendResponse(outgoing, response);
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    // The rest of a refused form is not read.
    if (!incoming.complete) outgoing.setHeader('connection', 'close');
    sendResponse(outgoing, await failurePage(studio, error, { url, incoming }));
  }
}

type Exchange = { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse };

/** The response; undefined for events, which go on. */
async function route(studio: Studio, url: URL, exchange: Exchange): Promise<StudioResponse | undefined> {
  const { guard, logs } = studio;
  const { incoming, outgoing } = exchange;
  guard.checkSender(incoming);
  const token = url.pathname === '/' && incoming.method === 'GET' ? url.searchParams.get('token') : null;
  if (token !== null) {
    guard.exchange(token);
    return redirectTo('/', [guard.cookie]);
  }
  guard.checkCookie(incoming);
  logs.wake();
  if (incoming.method === 'POST') return answerChange(studio, url, incoming);
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD')
    return { status: 405, headers: { allow: 'GET, HEAD, POST' }, body: '' };
  if (url.pathname === '/events' && incoming.method === 'GET') {
    const last = incoming.headers['last-event-id'];
    studio.events.open(outgoing, typeof last === 'string' ? last : undefined);
    return undefined;
  }
  const asset = Object.values(assets).find(({ name }) => url.pathname === `/assets/${name}`);
  if (asset !== undefined)
    return {
      status: 200,
      headers: { 'content-type': asset.type, 'cache-control': 'private, max-age=31536000, immutable' },
      body: asset.body,
    };
  return answerPage(studio, url, incoming);
}

async function answerPage(studio: Studio, url: URL, incoming: IncomingMessage): Promise<StudioResponse> {
  const look = await lookFor(url, studio.state);
  const { workspace } = look.context;
  const page = await readPage(url, look, studio.state);
  if (page === undefined) {
    const frame = frameOf(studio, { url, incoming, workspace, section: null, notes: [] });
    const failed = { title: 'Not found', text: `The studio has no page ${url.pathname}.` };
    return pageResponse(studioErrorPage(failed, frame), 404);
  }
  if (wantsJson(incoming)) return jsonResponse({ view: page.view, notes: page.notes });
  // A page that brings itself up to date leaves the sentence for the one that the user opens.
  const isOpened = (incoming.headers['sec-fetch-dest'] ?? 'document') === 'document';
  const said = isOpened ? studio.said.splice(0) : [];
  const { section, notes } = page;
  const frame = frameOf(studio, { url, incoming, workspace, section, notes });
  return pageResponse(page.draw({ ...frame, said }));
}

async function answerChange(studio: Studio, url: URL, incoming: IncomingMessage): Promise<StudioResponse> {
  const form = await readForm(incoming);
  studio.guard.checkForm(incoming, form.get('csrf') ?? undefined);
  const back = safeReturn(form.get('back'));
  if (url.pathname === '/theme') {
    return redirectTo(back, [
      `${THEME_COOKIE}=${readTheme(form.get('theme'))}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000`,
    ]);
  }
  if (url.pathname === '/changes') {
    studio.mayChange = form.get('allow') !== 'false';
    return redirectTo(back);
  }
  const [, id, name] = /^\/skills\/([0-9a-f]{1,64})\/([a-z]+)$/.exec(url.pathname) ?? [];
  const work = name !== undefined && Object.hasOwn(skillChanges, name) ? skillChanges[name] : undefined;
  if (id === undefined || work === undefined) return { status: 404, headers: {}, body: '' };
  if (!studio.mayChange)
    throw refused('changes are not switched on; the page of a skill has a button for that');
  const { state } = studio;
  const skill = skillWith(id, await state.look());
  try {
    studio.said.push(await work(skill, form, state));
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    studio.said.push(failureText(error));
  }
  state.forget();
  return redirectTo(back === '/' ? `/skills/${id}` : back);
}

const statusOf: Readonly<Record<string, number>> = {
  E001: 404,
  E010: 404,
  E021: 404,
  E095: 503,
  E096: 403,
  E100: 400,
};

async function failurePage(
  studio: Studio,
  error: SkillwrightError,
  { url, incoming }: { url: URL; incoming: IncomingMessage },
): Promise<StudioResponse> {
  const status = statusOf[error.code] ?? 500;
  const isRefused = error.code === 'E096';
  const help = isRefused
    ? "open the address that 'skc studio' prints; it works once, so start 'skc studio' again for a new one"
    : error.help;
  const known = help === undefined ? error : error.withHelp(help);
  if (wantsJson(incoming)) return jsonResponse(failureJson(diagnosticOf(known)), status);
  const text = failureText(known);
  // A stranger learns nothing about this studio.
  if (isRefused) return pageResponse(studioErrorPage({ title: 'Refused', text }, strangersFrame), status);
  const { front } = studio.state;
  const workspace = await front.workspace!(front.cwd);
  const frame = frameOf(studio, { url, incoming, workspace, section: null, notes: [] });
  return pageResponse(
    studioErrorPage({ title: status === 404 ? 'Not found' : 'This did not work', text }, frame),
    status,
  );
}

const strangersFrame: StudioFrame = {
  href: (path) => path,
  section: null,
  place: '',
  theme: 'auto',
  csrf: null,
  mayChange: false,
  path: '/',
  readAt: new Date(0),
  notes: [],
};

function frameOf(
  { guard, state, mayChange }: Studio,
  {
    url,
    incoming,
    workspace,
    section,
    notes,
  }: { url: URL; incoming: IncomingMessage; workspace: Workspace } & Pick<StudioFrame, 'section' | 'notes'>,
): StudioFrame {
  return {
    href: (path) => path,
    section,
    place: showPlace(workspace.project?.dir ?? workspace.cwd, workspace),
    theme: readTheme(readCookie(incoming.headers.cookie, THEME_COOKIE)),
    csrf: guard.csrf,
    mayChange,
    path: safeReturn(url.pathname + url.search),
    readAt: state.front.now(),
    notes,
  };
}

const wantsJson = ({ headers }: IncomingMessage) =>
  (headers.accept ?? '').split(',').some((type) => type.trim().startsWith('application/json'));

// Reads a form that a browser sent.

/** Largest form, in bytes; ours are far smaller. */
const MAX_FORM = 16 * 1024;

/** Fields of a form. E100 when it is too large or not a form. */
async function readForm(incoming: IncomingMessage): Promise<URLSearchParams> {
  const type = incoming.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') throw invalidOption('the request is not a form');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_FORM) throw invalidOption(`the form is larger than ${MAX_FORM} bytes`);
    chunks.push(chunk as Buffer);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

// Responses of the studio.

/** A finished response. */
interface StudioResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

/** A page, which no cache keeps. */
function pageResponse(html: Html, status = 200): StudioResponse {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: html.toString(),
  };
}

/** JSON that no cache keeps. */
function jsonResponse(value: unknown, status = 200): StudioResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify(value),
  };
}

/** Leads a browser to another page of the studio, with GET. */
function redirectTo(path: string, cookies: readonly string[] = []): StudioResponse {
  return {
    status: 303,
    headers: {
      location: path,
      'cache-control': 'no-store',
      ...(cookies.length === 0 ? {} : { 'set-cookie': cookies }),
    },
    body: '',
  };
}

/** Sends it. */
function sendResponse(outgoing: ServerResponse, { status, headers, body }: StudioResponse): void {
  const bytes = Buffer.from(body);
  for (const [name, value] of Object.entries({ ...pageHeaders, ...headers }))
    outgoing.setHeader(name, value as string | string[]);
  outgoing.setHeader('content-length', bytes.length);
  outgoing.writeHead(status);
  outgoing.end(bytes);
}
