// Sends packed skills to a registry, with the user's token or with the identity of a CI job.

import type * as z from 'zod';
import { invalidOption, quoteWord, SkillwrightError } from '../../base/diagnostics/index.ts';
import { sha256 } from '../../base/files/index.ts';
import {
  archiveSkill,
  checkNewest,
  ciSystemOf,
  connectRegistry,
  createFetcher,
  createRegistryAccount,
  exchangeIdentity,
  type Fetcher,
  fetcherSettings,
  insertField,
  isTrustedRegistry,
  type RegistryAccount,
  registryAt,
  registryToken,
  setChecksum,
} from '../../ship/network/index.ts';
import { type Installable, type SkillAddress, spellAddress } from '../../ship/protocol/index.ts';
import type { CommandContext } from './command-context.ts';
import type { ToPublish } from './pack-for-publishing.ts';
import type { Published } from './publish.ts';
import {
  type ChosenAddress,
  chooseRegistry,
  notLoggedIn,
  openFetcher,
  readOwnerName,
  registryFlag,
} from './registry-choice.ts';

/** Wishes of the user about a publication. */
interface RegistryWishes {
  readonly owner?: string | undefined;
  readonly version?: string | undefined;
  readonly visibility?: 'public' | 'private' | undefined;
  readonly registry?: string | undefined;
  readonly trusted: boolean;
  readonly dry_run: boolean;
}

/** Publishes skills one after the other. E239 without an owner, E247 without a token or an identity. */
export async function publishToRegistry(
  skills: readonly ToPublish[],
  wishes: RegistryWishes,
  context: CommandContext,
): Promise<{ registry: string; sent: Published[] }> {
  const owner = await ownerToUse(skills[0]!.name, wishes, context);
  const chosen = await registryToUse(wishes, owner, context);
  if (!wishes.dry_run) await demandSeenLog(chosen, owner, context);
  const accountFor = wishes.dry_run ? undefined : await openPublisher(chosen, wishes, context);
  const flag = registryFlag(chosen);
  const sent: Published[] = [];
  for (const { name, files, omitted, ...skill } of skills) {
    const version = skill.version!;
    const address = spellAddress({ owner, name });
    const archive = await archiveSkill(setChecksum(files));
    const account = await accountFor?.(address);
    let published: Published['installable'] = null;
    if (account !== undefined) {
      context.progress(`publishing ${address}@${version}`);
      published = await sendVersion({ owner, name, version, archive }, account, flag);
      if (wishes.visibility !== undefined)
        await setVisibility({ owner, name }, account, { visibility: wishes.visibility, flag });
    }
    if (published !== null && skills.length > 1) context.note(`published ${address}@${version}`);
    sent.push({
      name,
      address,
      version,
      files: files.length,
      bytes: archive.byteLength,
      type: 'archive',
      digest: `sha256:${sha256(archive)}`,
      omitted: [...omitted],
      installable: published,
    });
  }
  return { registry: chosen.url, sent };
}

/** Fails for a registry whose log is not the one that this machine has seen: E230 to E233, E242. W237 for an older state. */
async function demandSeenLog({ url }: ChosenAddress, owner: string, context: CommandContext): Promise<void> {
  const { workspace, signal, report } = context;
  const fetcher = createFetcher(fetcherSettings((await workspace.config()).network));
  const registry = await connectRegistry(await registryAt({ url, owner }, workspace), workspace, { fetcher });
  for (const remark of await checkNewest(registry, { workspace, signal })) report(remark);
}

/** Everything but the skills themselves that stops a publication: no owner, no registry, no login. */
export async function findObstacles(
  name: string,
  wishes: RegistryWishes,
  context: CommandContext,
): Promise<SkillwrightError[]> {
  const obstacles: SkillwrightError[] = [];
  const attempt = async <Value>(work: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      obstacles.push(error);
      return undefined;
    }
  };
  const owner = await attempt(() => ownerToUse(name, wishes, context));
  const chosen = await attempt(() => registryToUse(wishes, owner, context));
  if (chosen !== undefined && !wishes.dry_run) await attempt(() => openPublisher(chosen, wishes, context));
  return obstacles;
}

function registryToUse(
  { registry }: RegistryWishes,
  owner: string | undefined,
  context: CommandContext,
): Promise<ChosenAddress> {
  return chooseRegistry({ registry, owner }, context, {
    help: "set one with 'skc config registry.url https://…', or write files with --static <dir>",
  });
}

/** Sends one version. A missing owner and a missing role look the same to the sender. */
async function sendVersion(
  { archive, ...path }: SkillAddress & { readonly version: string; readonly archive: Uint8Array },
  account: RegistryAccount,
  flag: string,
): Promise<z.output<typeof Installable>> {
  try {
    return (await account.publish(path, archive)).installable;
  } catch (error) {
    if (!(error instanceof SkillwrightError) || error.code !== 'E201') throw error;
    throw error.withHelp(
      `create the owner with 'skc owner create @${path.owner}${flag}', or ask one of its admins for the role publisher`,
    );
  }
}

/** The owner: the flag, else the user's `registry.owner`. E239 without one. */
async function ownerToUse(
  name: string,
  { owner, registry }: RegistryWishes,
  { workspace }: CommandContext,
): Promise<string> {
  const named = owner ?? (await workspace.config()).registry.owner;
  if (named !== undefined) return readOwnerName(named);
  const flag = registry === undefined ? '' : ` --registry ${quoteWord(registry)}`;
  throw SkillwrightError.of(
    'E239',
    { name },
    {
      help: `pass --owner, as in 'skc publish ${name} --owner acme${flag}', or set one for all: 'skc config registry.owner acme --scope user'`,
    },
  );
}

/** The account that publishes a skill, by its address: the user's, or a new one for each skill in a CI job. */
async function openPublisher(
  chosen: ChosenAddress,
  { trusted }: RegistryWishes,
  context: CommandContext,
): Promise<(skill: string) => Promise<RegistryAccount>> {
  const fetcher = await openFetcher(chosen, context);
  const { workspace, signal } = context;
  const { isNamed, url } = chosen;
  const open = (token: string, ifRefused?: string) =>
    createRegistryAccount({ url, token, ifRefused, fetcher, signal });
  if (!trusted) {
    const { token, withheld, ifRefused } = await registryToken(url, workspace, { isNamed });
    if (token !== undefined) {
      const account = open(token, ifRefused);
      return async () => account;
    }
    if (ciSystemOf(workspace.env) === undefined) throw notLoggedIn(url, withheld);
  }
  return async (skill) => open(await tokenOfJob({ ...chosen, skill }, fetcher, context));
}

/**
 * A token for one skill and the identity of this CI job. The recipient could use the identity again, so it goes only to a
 * registry that the job itself names, never to one from the files of the project.
 */
async function tokenOfJob(
  { url, isNamed, skill }: ChosenAddress & { readonly skill: string },
  fetcher: Fetcher,
  { workspace, signal, note }: CommandContext,
): Promise<string> {
  if (!isNamed && !(await isTrustedRegistry(url, workspace)))
    throw SkillwrightError.of(
      'E220',
      { url },
      {
        help: 'name the registry in the job, with --registry or the variable SKC_REGISTRY_URL',
        data: { url },
      },
    );
  const token = await exchangeIdentity({ registry: url, skill }, workspace.env, { fetcher, signal });
  note(`publishing ${skill} with the identity of this CI job`);
  return token;
}

/** Sets the visibility of a skill that is already published, so a failure says how to go on. */
async function setVisibility(
  path: SkillAddress,
  account: RegistryAccount,
  { visibility, flag }: { readonly visibility: 'public' | 'private'; readonly flag: string },
): Promise<void> {
  try {
    await account.call('changeSkill', { path, body: { visibility } });
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    const { code, message, detail, data } = error;
    const help = `the version is published; set its visibility with 'skc access ${spellAddress(path)} ${visibility}${flag}'`;
    throw SkillwrightError.received({ code, message, detail, data, help, cause: error });
  }
}

/** Skills with the version of the flag, where their frontmatter has none. E100 when one has another. */
export function setVersions(skills: readonly ToPublish[], version: string | undefined): ToPublish[] {
  if (version === undefined) return [...skills];
  const other = skills.find((skill) => skill.version !== undefined && skill.version !== version);
  if (other !== undefined)
    throw invalidOption(
      `--version ${version}: ${other.name} is version ${other.version} in its SKILL.md`,
      'change the file, or leave out the flag',
    );
  return skills.map((skill) =>
    skill.version === version
      ? skill
      : { ...skill, version, files: insertField(skill.files, 'version', version) },
  );
}
