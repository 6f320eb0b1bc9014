// Clients for tests: one with a token, one that behaves like a browser with cookies.

import type { App } from '../src/http/environment.ts';

/** Status and parsed body. */
export type Answer = readonly [status: number, body: unknown];

/** Sends JSON with a token, or without one. */
export function clientOf(app: App, token?: string) {
  return async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await app.request(`/api/v1${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return [response.status, text === '' ? null : JSON.parse(text)];
  };
}

/** Accepts what a namespace offers to an account. */
export async function accept(client: ReturnType<typeof clientOf>, owner: string): Promise<Answer> {
  const [, who] = await client('GET', '/whoami');
  const { transfers } = who as { transfers: { id: string; owner: string }[] };
  return client('POST', `/transfers/${transfers.find((offer) => offer.owner === owner)?.id}/accept`);
}

/** Sends a form, as programs do. */
export async function sendForm(
  app: App,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<Answer> {
  const response = await app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
  return [response.status, await response.json()];
}

/** A browser: keeps cookies, names its site, follows nothing. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  get(path: string): Promise<Response> {
    return this.#send(path, {});
  }

  /** Sends a form from a page of the registry; `headers` can make it one of another site. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
  ): Promise<Response> {
    return this.#send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  }

  /** The token in the forms of a page. */
  async csrf(): Promise<string> {
    const found = /name="csrf" value="([^"]+)"/.exec(await (await this.get('/signout')).text());
    return found![1]!;
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.cookies.size > 0)
      headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await this.#app.request(path, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}
