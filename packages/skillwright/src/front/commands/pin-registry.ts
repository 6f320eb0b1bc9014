// After a login: saves the registry and the key of its log in the user's configuration, if the user wants that.

import { diagnose } from '../../base/diagnostics/index.ts';
import {
  createRegistryClient,
  type Fetcher,
  readLogKey,
  registryAt,
  registryOf,
} from '../../ship/network/index.ts';
import { changeConfig } from '../../skill/config/index.ts';
import type { CommandContext } from './command-context.ts';

/** The key a registry offers, and the configuration keys that were written. */
interface PinnedRegistry {
  readonly key: string | null;
  readonly configured: string[];
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
export async function pinRegistry(
  { url, owner, save }: PinWish,
  { fetcher, context }: { readonly fetcher: Fetcher; readonly context: CommandContext },
): Promise<PinnedRegistry> {
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
