// A machine of a person in a test of the whole product: its own home and project, the built skc, a browser.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { builtSkc } from '../../skillwright/test/built-package.ts';
import type { App } from '../src/http/environment.ts';
import { TestBrowser } from './test-client.ts';

/** How a command ended. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One person's machine. */
export class Machine {
  readonly home: string;
  readonly project: string;
  readonly #env: Record<string, string | undefined>;

  constructor() {
    const root = mkdtempSync(join(tmpdir(), 'skw-machine-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    this.home = join(root, 'home');
    this.project = join(root, 'project');
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    this.#env = { PATH, NODE_COMPILE_CACHE, SKC_HOME: this.home };
    // A directory with .git is a project.
    for (const dir of [this.home, join(this.project, '.git')]) mkdirSync(dir, { recursive: true });
  }

  /** Runs skc to its end. */
  run(words: readonly string[], options: { stdin?: string; env?: Record<string, string> } = {}) {
    return ended(this.start(words, options));
  }

  /** Runs skc, and fails unless it succeeds. Returns everything it prints, the result last. */
  async does(...words: string[]): Promise<string> {
    const { status, stdout, stderr } = await this.run(words);
    if (status !== 0) throw new Error(`skc ${words.join(' ')}: status ${status}\n${stderr}${stdout}`);
    return `${stderr}${stdout}`;
  }

  /** Runs skc, which must fail. Returns the error. */
  async fails(...words: string[]): Promise<string> {
    const { status, stdout, stderr } = await this.run(words);
    if (status !== 1) throw new Error(`skc ${words.join(' ')}: status ${status}\n${stdout}`);
    return stderr;
  }

  /** Starts skc. */
  start(
    words: readonly string[],
    { stdin = '', env = {} }: { stdin?: string; env?: Record<string, string> } = {},
  ): ChildProcess {
    const child = spawn(builtSkc, words, {
      cwd: this.project,
      env: { ...this.#env, ...env },
      stdio: 'pipe',
    });
    child.stdin!.end(stdin);
    return child;
  }

  /** Logs in through a browser, in which the person signs in with a token. Returns the result. */
  async logIn(url: string, token: string): Promise<string> {
    const child = this.start(['login', url, '--save']);
    confirmLogin(child, token);
    const { status, stdout, stderr } = await ended(child);
    if (status !== 0) throw new Error(stderr);
    return stdout;
  }

  /** Runs a line in a shell where `skc` is on the PATH. Returns the error stream, then the result. */
  async shell(
    line: string,
    { signIn, env = {} }: { readonly signIn: string; readonly env?: Record<string, string> },
  ): Promise<string> {
    const script = `skc() { '${builtSkc}' "$@"; }\n${line}`;
    const child = spawn('bash', ['-c', script], {
      cwd: this.project,
      env: { ...this.#env, HOME: this.home, ...env },
      stdio: 'pipe',
    });
    child.stdin.end();
    confirmLogin(child, signIn);
    const { stdout, stderr } = await ended(child);
    return `${stderr}${stdout}`;
  }
}

/** Confirms the login of a running skc when it prints the address. */
function confirmLogin(child: ChildProcess, token: string): void {
  createInterface(child.stderr!).on('line', (line) => {
    const address = /^confirm it at (\S+)$/.exec(line)?.[1];
    // A failure shows as a login that nobody confirms.
    if (address !== undefined) confirm(address, token).catch(() => child.kill());
  });
}

async function ended(child: ChildProcess): Promise<Ended> {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { status, ...texts };
}

/** A browser at a running server. It follows no redirects by itself. */
export function browserAt(url: string): TestBrowser {
  const request = (path: string, init: RequestInit) =>
    fetch(new URL(path, url), { ...init, redirect: 'manual' });
  return new TestBrowser({ request } as unknown as App);
}

/** A browser in which somebody is signed in with a token. */
export async function signedIn(url: string, token: string): Promise<TestBrowser> {
  const browser = browserAt(url);
  await browser.post('/signin', { ...(await fieldsOf(browser, '/signin')), token });
  return browser;
}

/** Opens the address of a login, signs in with a token where that is asked, and confirms. */
async function confirm(address: string, token: string): Promise<void> {
  const { origin, pathname, search } = new URL(address);
  const browser = browserAt(origin);
  const asked = await browser.get(pathname + search);
  const signin = new URL(asked.headers.get('location')!, origin);
  const to = signin.searchParams.get('return')!;
  await browser.post('/signin', { ...(await fieldsOf(browser, signin.pathname + signin.search)), token });
  const fields = await fieldsOf(browser, to);
  const answer = await browser.post('/device', { ...fields, decision: 'approve' });
  if (answer.status !== 200) throw new Error(await answer.text());
}

/** The hidden fields of the form on a page. */
async function fieldsOf(browser: TestBrowser, path: string): Promise<Record<string, string>> {
  const html = await (await browser.get(path)).text();
  const fields = html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name!, unescapeHtml(value!)]));
}

/** Accepts an invitation; returns the token that the page shows. */
export async function acceptInvitation(link: string): Promise<string> {
  const { origin, pathname } = new URL(link);
  const browser = browserAt(origin);
  const welcome = await browser.post(pathname, await fieldsOf(browser, pathname));
  return /skwr_\w+/.exec(await welcome.text())![0];
}

function unescapeHtml(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
