// skc login: gets a token from a registry and stores it for this user.

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { diagnose, invalidOption, makeVisible, SkillwrightError } from '../../base/diagnostics/index.ts';
import { readVariable } from '../../base/variables.ts';
import { openCredentials } from '../../ship/credentials/index.ts';
import {
  awaitDeviceToken,
  createRegistryAccount,
  createRegistryClient,
  type Fetcher,
  isDefaultRegistry,
  isTrustedRegistry,
  readLogKey,
  registryAt,
  registryOf,
  startDeviceLogin,
} from '../../ship/network/index.ts';
import { Scope } from '../../ship/protocol/index.ts';
import { changeConfig } from '../../skill/config/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { choices, flag, registryAddress, text } from './fields.ts';
import { openBrowser } from './open-browser.ts';
import { type ChosenAddress, chooseRegistry, openFetcher, readOwnerName } from './registry-choice.ts';

/** Rights of the token of a login. */
const loginScopes = ['read', 'publish', 'rate', 'owner'] as const;
const MAX_TOKEN_BYTES = 8 * 1024;

/** Logs in to a registry. */
export const login = defineCommand({
  fields: {
    registry: registryAddress,
    token_stdin: flag('Read a token from standard input instead'),
    scope: choices(Scope.options, 'Right to ask for; read, publish, rate and owner if you name none'),
    browser: { type: 'boolean', default: true, about: 'Print the address, and open no browser' },
    save: {
      type: 'boolean',
      about: 'Write the registry and the key of its log to your configuration without asking',
    },
    owner: text('Save it as the registry of this owner only'),
  },
  positionals: ['registry'],
  output: z.object({
    registry: z.string(),
    account: z.string(),
    scopes: z.array(z.string()),
    expires: z.string().nullable(),
    kept_in: z.enum(['keyring', 'file']),
    key: z.string().nullable().describe('Key that the registry offers for its log'),
    configured: z.array(z.string()).describe('Configuration keys written'),
  }),
  effect: 'write',
  writes: ['credentials', 'configuration'],
  touches: 'nothing',
  about:
    'Shows a code and an address. Open the address on any device, compare the code, and confirm. The token goes to the keyring of your system if there is one, else to `~/.skillc/credentials.json`, which only you can read. It is sent to this registry and no other. In CI use SKC_TOKEN or trusted publishing instead.\nA registry you have not used before offers the key of its log. Compare it with the one its operators publish before you save it.',
  examples: {
    'skc login https://skills.example.com': 'log in with a browser',
    'skc login --token-stdin < token.txt': 'store a token you already have',
  },
  async run(input, context) {
    const chosen = await chooseRegistry({ registry: input.registry }, context);
    await requireOwnChoice(chosen, context);
    const owner = input.owner === undefined ? undefined : readOwnerName(input.owner);
    const issued = input.token_stdin
      ? { token: await readToken(context), expires: null }
      : await loginInBrowser(chosen, input, context);
    const fetcher = await openFetcher(chosen, context);
    const { signal } = context;
    const account = createRegistryAccount({ url: chosen.url, fetcher, token: issued.token, signal });
    const who = await account.call('whoami').catch((error: unknown) => {
      throw error instanceof SkillwrightError && error.code === 'E202' ? rejected(chosen.url, error) : error;
    });
    const credentials = openCredentials(context.workspace);
    const expires = who.token?.expires ?? issued.expires;
    const stored = await credentials.store(chosen.url, {
      account: who.account,
      token: issued.token,
      expires,
    });
    if (stored.triedKeyring) context.report(diagnose('W246', { path: credentials.path }));
    const { workspace } = context;
    if (readVariable(workspace.env, 'TOKEN') && (await isDefaultRegistry(chosen.url, workspace)))
      context.report(diagnose('W247', {}));
    const pinned = await pinRegistry({ url: chosen.url, owner, save: input.save }, { fetcher, context });
    return {
      registry: chosen.url,
      account: who.account,
      scopes: who.token?.scopes ?? [],
      expires,
      kept_in: stored.keptIn,
      ...pinned,
    };
  },
  text({ registry, account, kept_in, expires, configured }) {
    const place = kept_in === 'keyring' ? 'the keyring' : '~/.skillc/credentials.json';
    const end = expires === null ? '' : ` until ${expires.slice(0, 10)}`;
    return [
      `logged in to ${makeVisible(registry)} as ${makeVisible(account)}${end}`,
      `the token is in ${place}`,
      configured.length > 0 && `wrote ${configured.join(' and ')} to your configuration`,
    ];
  },
});

/** E220 when only a project names the registry: a login there must be the user's own wish. */
async function requireOwnChoice(chosen: ChosenAddress, { workspace }: CommandContext): Promise<void> {
  if (chosen.isNamed) return;
  if (await isTrustedRegistry(chosen.url, workspace)) return;
  throw SkillwrightError.of(
    'E220',
    { url: chosen.url },
    { help: `if you trust it, name it: skc login ${chosen.url}`, data: { url: chosen.url } },
  );
}

async function readToken({ readInput }: CommandContext): Promise<string> {
  if (readInput === undefined) throw invalidOption('--token-stdin: there is no standard input');
  const token = Buffer.from(await readInput({ maxBytes: MAX_TOKEN_BYTES }))
    .toString('utf8')
    .trim();
  if (token === '') throw invalidOption('--token-stdin: standard input is empty');
  if (/[^\x21-\x7e]/.test(token)) throw invalidOption('--token-stdin: standard input is not one token');
  return token;
}

async function loginInBrowser(
  chosen: ChosenAddress,
  { scope, browser }: { readonly scope: readonly string[]; readonly browser: boolean },
  context: CommandContext,
): Promise<{ token: string; expires: string | null }> {
  const { signal, workspace } = context;
  const options = { fetcher: await openFetcher(chosen, context), signal };
  const scopes = scope.length === 0 ? loginScopes : scope;
  const started = await startDeviceLogin({ registry: chosen.url, scopes }, options);
  context.note(`code: ${started.userCode}`);
  context.note(`confirm it at ${started.completeAddress}`);
  if (browser && context.ask !== undefined && openBrowser(started.completeAddress, workspace.env))
    context.note('opening your browser');
  context.progress('waiting for the confirmation');
  const pause = async (milliseconds: number, stop: AbortSignal | undefined) => {
    // Only an abort ends it early, and the next step reports that.
    await sleep(milliseconds, undefined, { signal: stop }).catch(() => {});
  };
  const issued = await awaitDeviceToken(started, { now: context.now, pause }, options);
  const { access_token: token, expires_in } = issued;
  const expires =
    expires_in === undefined ? null : new Date(context.now().getTime() + expires_in * 1000).toISOString();
  return { token, expires };
}

/** E248 for a token that the registry does not know. */
function rejected(url: string, cause: SkillwrightError): SkillwrightError {
  const why = 'the registry does not accept the token';
  return SkillwrightError.of('E248', { url, why }, { cause, data: { url, why } });
}

/** Everything `pinRegistry` needs to know. */
interface PinWish {
  readonly url: string;
  /** Save it for one owner. */
  readonly owner: string | undefined;
  /** Undefined: ask. */
  readonly save: boolean | undefined;
}

/**
 * Saves a registry that the user's configuration does not name yet. Without an answer it writes nothing and says how. A
 * key that differs from the pinned one is reported, never replaced.
 */
async function pinRegistry(
  { url, owner, save }: PinWish,
  { fetcher, context }: { readonly fetcher: Fetcher; readonly context: CommandContext },
): Promise<{ readonly key: string | null; readonly configured: string[] }> {
  const { workspace } = context;
  const offered = await readLogKey(createRegistryClient({ url, fetcher }), { signal: context.signal });
  const known = await registryAt({ url, owner: owner ?? '' }, workspace);
  if (known.key !== undefined && offered !== undefined && known.key !== offered)
    context.report(diagnose('W249', { url, offered }));
  const section = owner === undefined ? 'registry' : `registries.${owner}`;
  const current = await registryOf({ owner, scope: 'user' }, workspace);
  const isNamed = current?.url === url && known.isUsers;
  const wanted: (readonly [key: string, value: string])[] = [
    ...(isNamed ? [] : [[`${section}.url`, url] as const]),
    ...(offered === undefined || known.key !== undefined ? [] : [[`${section}.key`, offered] as const]),
  ];
  const result = { key: offered ?? null, configured: [] };
  if (wanted.length === 0 || save === false) return result;
  const commands = wanted.map(([key, value]) => `skc config ${key} '${value}' --scope user`);
  // Another registry of the user's is replaced only on request.
  const isAsked = save === undefined && !known.isUsers && (owner !== undefined || current === undefined);
  if (isAsked && context.ask !== undefined && offered !== undefined)
    context.note(`the registry offers this key for its log: ${offered}`);
  const isAgreed =
    save ??
    (isAsked &&
      (await context.ask?.confirm(
        `Save ${wanted.map(([key]) => key).join(' and ')} in your configuration?`,
      )));
  if (isAgreed !== true) {
    context.note(['to save it:', ...commands.map((command) => `  ${command}`)].join('\n'));
    return result;
  }
  for (const [key, value] of wanted)
    changeConfig(
      { key, value, scope: 'user', unset: false },
      { user: workspace.user.config, project: undefined },
    );
  return { ...result, configured: wanted.map(([key]) => key) };
}
