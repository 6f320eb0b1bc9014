// A studio in this process, and a browser for it that can be told to lie.

import { type IncomingHttpHeaders, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { createContext } from '../src/front/commands/create-client.ts';
import { openContext } from '../src/front/commands/run-command.ts';
import { openStudio } from '../src/front/studio/open-studio.ts';
import type { World } from './make-world.ts';

/** A response. */
export interface StudioAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  json(): { view: never; notes: string[] } & Record<string, never>;
}

/** A request; headers with the value undefined are left out. */
export interface StudioQuestion {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly form?: Readonly<Record<string, string>>;
}

/** Opens a studio in a world; it closes after the test. */
export async function openTestStudio(world: World, env: Readonly<Record<string, string>> = {}) {
  const context = await openContext(
    createContext({
      cwd: world.project,
      home: world.home,
      env: { SKC_BUILD_DEPLOY: 'stub', ...env },
      now: () => new Date('2026-01-02T03:04:05.000Z'),
    }),
  );
  const studio = await openStudio(context, { port: 0 });
  onTestFinished(() => studio.close());
  await studio.state.settled();
  const { origin, address } = studio;
  const send = (path: string, { method = 'GET', headers = {}, form }: StudioQuestion = {}) =>
    new Promise<StudioAnswer>((resolve, reject) => {
      const body = form === undefined ? undefined : new URLSearchParams(form).toString();
      const given = Object.entries({
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      }).filter((pair): pair is [string, string] => pair[1] !== undefined);
      const sent = request(
        `${origin}${path}`,
        { method, headers: Object.fromEntries(given), agent: false },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (chunk) => {
            text += chunk;
          });
          answer.once('end', () =>
            resolve({
              status: answer.statusCode!,
              headers: answer.headers,
              text,
              json: () => JSON.parse(text),
            }),
          );
        },
      );
      sent.once('error', reject).end(body);
    });
  let cookie: string | undefined;
  /** The cookie of the browser that opened the address. */
  const enter = async (): Promise<string> => {
    const path = address.slice(origin.length);
    cookie ??= (await send(path)).headers['set-cookie']![0]!.split(';')[0]!;
    return cookie;
  };
  return {
    ...studio,
    send,
    enter,
    /** The data of a page. */
    async view(path: string) {
      const headers = { cookie: await enter(), accept: 'application/json' };
      return (await send(path, { headers })).json();
    },
    /** A page as the browser gets it. */
    page: async (path: string) => send(path, { headers: { cookie: await enter() } }),
    /** Sends a form as one of the studio's own pages does. */
    post: async (path: string, form: Record<string, string> = {}) =>
      send(path, {
        method: 'POST',
        headers: { cookie: await enter(), origin },
        form: { csrf: studio.csrf, ...form },
      }),
  };
}
