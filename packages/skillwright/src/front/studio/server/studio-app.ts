// The studio's application: the guard first, then pages, changes, assets and events.

import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie, setCookie } from 'hono/cookie';
import {
  diagnosticOf,
  failureJson,
  invalidOption,
  makeVisible,
  SkillwrightError,
} from '../../../base/diagnostics/index.ts';
import type { SkillRecord } from '../../../read/catalog/index.ts';
import { answerCommand, commandTable, parseInput } from '../../commands/index.ts';
import { assets, type Html, pageHeaders, readTheme, safeReturn } from '../../pages/index.ts';
import { showPlace, skillPath } from '../data/show-place.ts';
import type { StudioState } from '../data/studio-state.ts';
import { commandFor } from '../pages/skill-pieces.ts';
import { studioErrorPage } from '../pages/studio-error-page.ts';
import type { StudioFrame } from '../pages/studio-shell.ts';
import { lookFor, readPage, skillWith } from './page-routes.ts';
import type { StudioEvents } from './studio-events.ts';
import { type StudioGuard, turnedAway } from './studio-guard.ts';

/** The parts of a running studio. */
interface StudioParts {
  readonly guard: StudioGuard;
  readonly state: StudioState;
  readonly events: StudioEvents;
}

const THEME_COOKIE = 'skc-theme';
const YEAR = 31_536_000;
/** Largest form, in bytes; ours are far smaller. */
const MAX_FORM = 16 * 1024;

/** The application. Coded errors become pages, or JSON for programs. */
export function createStudioApp({ guard, state, events }: StudioParts): Hono {
  /** True once the user asked for changes. */
  let mayChange = false;
  /** Sentences for the next page. */
  let said: string[] = [];

  const frameOf = async (context: Context, page: Partial<StudioFrame> = {}): Promise<StudioFrame> => {
    const { front } = state;
    const workspace = await front.workspace!(front.cwd);
    const { pathname, search } = new URL(context.req.url);
    return {
      href: (path) => path,
      section: null,
      place: showPlace(workspace.project?.dir ?? workspace.cwd, workspace),
      theme: readTheme(getCookie(context, THEME_COOKIE)),
      csrf: guard.csrf,
      mayChange,
      path: safeReturn(pathname + search),
      readAt: front.now(),
      notes: [],
      ...page,
    };
  };

  const app = new Hono();
  app.onError(async (error, context) => {
    if (!(error instanceof SkillwrightError)) {
      state.front.note(`studio: ${error.message}`);
      return context.body(null, 500);
    }
    const status = statusOf[error.code] ?? 500;
    const isRefused = error.code === 'E096';
    const known = isRefused ? error.withHelp(howToEnter) : error;
    if (wantsJson(context)) return context.json(failureJson(diagnosticOf(known)), status);
    const title = isRefused ? 'Refused' : status === 404 ? 'Not found' : 'This did not work';
    // A stranger learns nothing about this studio.
    const frame = isRefused ? strangersFrame : await frameOf(context);
    return htmlOf(context, studioErrorPage({ title, text: failureText(known) }, frame), status);
  });
  app.notFound(async (context) => {
    if (context.req.method === 'POST') return context.body(null, 404);
    if (!isReading(context)) return context.body(null, 405, { allow: 'GET, HEAD, POST' });
    const text = `The studio has no page ${context.req.path}.`;
    return htmlOf(context, studioErrorPage({ title: 'Not found', text }, await frameOf(context)), 404);
  });
  app.use(async (context, next) => {
    // No browser asks for this: a host name where the path should be.
    if (context.req.path.startsWith('//')) return context.body(null, 400, { connection: 'close' });
    await next();
    const { headers } = context.res;
    for (const [name, value] of Object.entries(pageHeaders)) headers.set(name, value);
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  });
  app.use(async (context, next) => {
    guard.checkSender(context);
    const token =
      context.req.path === '/' && context.req.method === 'GET' ? context.req.query('token') : undefined;
    if (token !== undefined) {
      guard.exchange(context, token);
      return context.redirect('/', 303);
    }
    guard.checkCookie(context);
    return next();
  });

  app.get('/events', (context) => (context.req.method === 'HEAD' ? context.notFound() : events.open()));
  for (const { name, type, body } of Object.values(assets))
    app.get(`/assets/${name}`, (context) =>
      context.body(body, 200, {
        'content-type': type,
        'cache-control': `private, max-age=${YEAR}, immutable`,
      }),
    );
  app.get('*', async (context) => {
    const url = new URL(context.req.url);
    const page = await readPage(url, await lookFor(url, state), state);
    if (page === undefined) return context.notFound();
    const { view, notes, section } = page;
    if (wantsJson(context)) return context.json({ view, notes });
    // A page that brings itself up to date leaves the sentence for the one that the user opens.
    const isOpened = (context.req.header('sec-fetch-dest') ?? 'document') === 'document';
    const frame = await frameOf(context, { section, notes, said: isOpened ? said : [] });
    if (isOpened) said = [];
    return htmlOf(context, page.draw(frame));
  });

  app.post('*', bodyLimit({ maxSize: MAX_FORM, onError: refuseLargeForm }), async (context, next) => {
    const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
    if (type !== 'application/x-www-form-urlencoded') throw invalidOption('the request is not a form');
    guard.checkForm(context, await formField(context, 'csrf'));
    return next();
  });
  app.post('/theme', async (context) => {
    const theme = readTheme(await formField(context, 'theme'));
    setCookie(context, THEME_COOKIE, theme, { httpOnly: true, sameSite: 'Strict', maxAge: YEAR });
    return context.redirect(safeReturn(await formField(context, 'back')), 303);
  });
  app.post('/changes', async (context) => {
    mayChange = (await formField(context, 'allow')) !== 'false';
    return context.redirect(safeReturn(await formField(context, 'back')), 303);
  });
  app.post('/skills/:id/:change{[a-z]+}', async (context) => {
    const { id, change } = context.req.param();
    const work = Object.hasOwn(skillChanges, change) ? skillChanges[change] : undefined;
    if (work === undefined) return context.notFound();
    if (!mayChange)
      throw turnedAway('changes are not switched on; the page of a skill has a button for that');
    const skill = skillWith(id, await state.look());
    try {
      said.push((await work(skill, (name) => formField(context, name), state)).trimEnd());
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      said.push(failureText(error));
    }
    state.forget();
    const back = safeReturn(await formField(context, 'back'));
    return context.redirect(back === '/' ? skillPath(id) : back, 303);
  });
  return app;
}

type Status = 400 | 403 | 404 | 500 | 503;

const statusOf: Readonly<Record<string, Status>> = {
  E001: 404,
  E010: 404,
  E021: 404,
  E095: 503,
  E096: 403,
  E100: 400,
};

const howToEnter =
  "open the address that 'skc studio' prints; it works once, so start 'skc studio' again for a new one";

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

const isReading = ({ req: { method } }: Context) => method === 'GET' || method === 'HEAD';

const wantsJson = ({ req }: Context) =>
  (req.header('accept') ?? '').split(',').some((type) => type.trim().startsWith('application/json'));

const htmlOf = (context: Context, html: Html, status: 200 | Status = 200) =>
  context.html(html.toString(), status);

const refuseLargeForm = (): never => {
  throw invalidOption(`the form is larger than ${MAX_FORM} bytes`);
};

/** A field of the form; undefined for one that is missing. */
async function formField(context: Context, name: string): Promise<string | undefined> {
  const value = (await context.req.parseBody())[name];
  return typeof value === 'string' ? value : undefined;
}

/** A failure as a sentence for the page. */
function failureText({ code, message, help }: SkillwrightError): string {
  return makeVisible(`${code}: ${message}${help === undefined ? '' : `; ${help}`}.`);
}

// Changes, through the same commands as on the command line.

type Field = (name: string) => Promise<string | undefined>;

/** Changes of one skill, by the last part of their address. Each returns the command and what it printed. */
const skillChanges: Readonly<
  Record<string, (skill: SkillRecord, field: Field, state: StudioState) => Promise<string>>
> = {
  async enabled(skill, field, state) {
    const enable = (await field('enabled')) === 'true';
    const input = { query: [skill.name], enable, disable: !enable, scope: await field('scope') };
    const { text } = await runChange('skills', input, state);
    return `${commandFor(`skills --${enable ? 'enable' : 'disable'}`, skill)}\n${text()}`;
  },
  async build(skill, _field, state) {
    const { text } = await runChange('build', { skills: [skill.dir] }, state);
    return `${commandFor('build', skill)}\n${text()}`;
  },
  async scan(skill, _field, state) {
    const { text } = await runChange('scan', { paths: [skill.dir] }, state);
    return `${commandFor('scan', skill)}\n${text()}`;
  },
};

async function runChange(
  name: 'skills' | 'build' | 'scan',
  input: Record<string, unknown>,
  { front }: StudioState,
) {
  const command = await commandTable[name].load();
  return answerCommand(name, command, { input: parseInput(command.input, input), context: front });
}
