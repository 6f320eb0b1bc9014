// Sends packed skills to a registry, with the user's token or with the identity of a CI job.

import type * as z from 'zod';
import { invalidOption, SkillwrightError } from '../../base/diagnostics/index.ts';
import { sha256 } from '../../base/files/index.ts';
import type { Fetcher, RegistryAccount } from '../../ship/network/index.ts';
import { type Installable, spellAddress } from '../../ship/protocol/index.ts';
import type { CommandContext } from './command-context.ts';
import type { PublishedSkill } from './pack-for-publishing.ts';
import {
  type ChosenAddress,
  chooseRegistry,
  notLoggedIn,
  openFetcher,
  readOwnerName,
} from './registry-choice.ts';

/** Wishes of the user about a publication. */
export interface RegistryWishes {
  readonly owner?: string | undefined;
  readonly version?: string | undefined;
  readonly visibility?: 'public' | 'private' | undefined;
  readonly registry?: string | undefined;
  readonly trusted: boolean;
  readonly dry_run: boolean;
}

/** One skill as it was sent. */
export interface SentSkill {
  readonly name: string;
  readonly address: string;
  readonly version: string;
  readonly files: number;
  readonly bytes: number;
  readonly digest: string;
  readonly omitted: readonly string[];
  /** Null in a dry run. */
  readonly installable: z.output<typeof Installable> | null;
}

/** Publishes skills one after the other. E239 without an owner, E247 without a token or an identity. */
export async function publishToRegistry(
  skills: readonly PublishedSkill[],
  wishes: RegistryWishes,
  context: CommandContext,
): Promise<{ registry: string; sent: SentSkill[] }> {
  const [{ archiveSkill }, { setChecksum }] = await Promise.all([
    import('../../ship/network/pack-skill.ts'),
    import('../../ship/network/set-checksum.ts'),
  ]);
  const owner = await ownerOf(skills[0]!.name, wishes, context);
  const chosen = await chooseRegistry({ registry: wishes.registry, owner }, context, {
    help: "set one with 'skc config registry.url https://…', or write files with --static <dir>",
  });
  const account = wishes.dry_run ? undefined : await openPublisher(chosen, wishes, context);
  const sent: SentSkill[] = [];
  for (const { name, files, omitted, ...skill } of skills) {
    const version = skill.version!;
    const address = spellAddress({ owner, name });
    const archive = await archiveSkill(setChecksum(files));
    const published = await send({ address, version, archive }, account, context);
    if (account !== undefined && wishes.visibility !== undefined)
      await setVisibility(address, wishes.visibility, account);
    if (published !== null && skills.length > 1) context.note(`published ${address}@${version}`);
    sent.push({
      name,
      address,
      version,
      files: files.length,
      bytes: archive.byteLength,
      digest: `sha256:${sha256(archive)}`,
      omitted,
      installable: published,
    });
  }
  return { registry: chosen.url, sent };
}

async function send(
  publication: { readonly address: string; readonly version: string; readonly archive: Uint8Array },
  account: RegistryAccount | undefined,
  { progress }: CommandContext,
): Promise<z.output<typeof Installable> | null> {
  if (account === undefined) return null;
  progress(`publishing ${publication.address}@${publication.version}`);
  return (await account.publish(publication)).installable;
}

/** The owner: the flag, else the user's `registry.owner`. E239 without one. */
async function ownerOf(
  name: string,
  { owner }: RegistryWishes,
  { workspace }: CommandContext,
): Promise<string> {
  const named = owner ?? (await workspace.config()).registry.owner;
  if (named !== undefined) return readOwnerName(named);
  throw SkillwrightError.of(
    'E239',
    { name },
    { help: 'pass --owner, or set registry.owner in your configuration' },
  );
}

/** The account that publishes. */
async function openPublisher(
  chosen: ChosenAddress,
  { trusted }: RegistryWishes,
  context: CommandContext,
): Promise<RegistryAccount> {
  const [{ createRegistryAccount }, { registryToken }, { ciSystemOf }] = await Promise.all([
    import('../../ship/network/registry-account.ts'),
    import('../../ship/network/open-registry.ts'),
    import('../../ship/network/ci-identity.ts'),
  ]);
  const fetcher = await openFetcher(context);
  const { workspace, signal } = context;
  const { isNamed, url } = chosen;
  const open = (token: string) => createRegistryAccount({ url, token, fetcher, signal });
  if (!trusted) {
    const { token, withheld } = await registryToken(url, workspace, { isNamed });
    if (token !== undefined) return open(token);
    if (ciSystemOf(workspace.env) === undefined) throw notLoggedIn(url, withheld);
  }
  return open(await tokenOfJob(chosen, fetcher, context));
}

/**
 * A token for the identity of this CI job. The recipient could use the identity again, so it goes only to a
 * registry that the job itself names, never to one from the files of the project.
 */
async function tokenOfJob(
  { url, isNamed }: ChosenAddress,
  fetcher: Fetcher,
  { workspace, signal, note }: CommandContext,
): Promise<string> {
  const [{ exchangeIdentity }, { isTrustedRegistry }] = await Promise.all([
    import('../../ship/network/ci-identity.ts'),
    import('../../ship/network/registry-of.ts'),
  ]);
  if (!isNamed && !(await isTrustedRegistry(url, workspace)))
    throw SkillwrightError.of(
      'E220',
      { url },
      {
        help: 'name the registry in the job, with --registry or the variable SKC_REGISTRY_URL',
        data: { url },
      },
    );
  const token = await exchangeIdentity(url, workspace.env, { fetcher, signal });
  note('publishing with the identity of this CI job');
  return token;
}

/** Sets the visibility of a skill that is already published, so a failure says how to go on. */
async function setVisibility(
  address: string,
  visibility: 'public' | 'private',
  account: RegistryAccount,
): Promise<void> {
  try {
    await account.changeSkill(address, { visibility });
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    const { code, message, detail, data } = error;
    const help = `the version is published; set its visibility with 'skc access ${address} ${visibility}'`;
    throw SkillwrightError.received({ code, message, detail, data, help, cause: error });
  }
}

/** Skills with the version of the flag, where their frontmatter has none. E100 when one has another. */
export async function setVersions(
  skills: readonly PublishedSkill[],
  version: string | undefined,
): Promise<PublishedSkill[]> {
  if (version === undefined) return [...skills];
  const other = skills.find((skill) => skill.version !== undefined && skill.version !== version);
  if (other !== undefined)
    throw invalidOption(
      `--version ${version}: ${other.name} is version ${other.version} in its SKILL.md`,
      'change the file, or leave out the flag',
    );
  const { insertField } = await import('../../ship/network/insert-field.ts');
  return skills.map((skill) =>
    skill.version === version
      ? skill
      : { ...skill, version, files: insertField(skill.files, 'version', version) },
  );
}
