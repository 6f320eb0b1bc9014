// skc owner: namespaces of a registry, their members and trusted publishers, and their transfer.

import * as z from 'zod';
import {
  formatCount,
  invalidOption,
  makeVisible,
  quoteWord,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import type { RegistryAccount } from '../../ship/network/index.ts';
import {
  Invitation,
  OpenInvitation,
  Owner,
  Publisher,
  type PublisherRequest,
  parseAddress,
  Role,
  spellAddress,
  Transfer,
  WebAddress,
} from '../../ship/protocol/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { registryFields } from './registry-choice.ts';

const Action = z.enum([
  'show',
  'create',
  'add',
  'remove',
  'transfer',
  'accept',
  'decline',
  'invite',
  'list',
  'withdraw',
  'publishers',
  'add-publisher',
  'remove-publisher',
]);
type Action = z.output<typeof Action>;

/** Actions that name an account. */
const namesAccount: ReadonlySet<Action> = new Set(['add', 'remove', 'transfer', 'invite', 'withdraw']);
/** Flags that belong to some actions only. */
const flagsOf = {
  role: ['add', 'invite'],
  title: ['create'],
  url: ['create'],
  days: ['invite'],
  skill: ['add-publisher'],
  repository: ['add-publisher'],
  issuer: ['add-publisher'],
  repository_owner_id: ['add-publisher'],
  workflow: ['add-publisher'],
  environment: ['add-publisher'],
  id: ['remove-publisher'],
} as const satisfies Record<string, readonly Action[]>;

/** Manages owners. */
export const owner = defineCommand({
  input: z.strictObject({
    action: Action.describe('What to do'),
    owner: z
      .string()
      .default('')
      .describe('The owner, such as @acme; to accept, also the link of an invitation; to list, none for all'),
    account: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('The account to add, to remove, to transfer to, to invite, or whose invitation you withdraw'),
    role: z.array(Role).default([]).describe('Role of the account; reader if you name none'),
    title: z.string().max(100).optional().describe('Title of a new owner'),
    url: WebAddress.optional().describe('Web page of a new owner'),
    days: z
      .number()
      .int()
      .min(1)
      .max(30)
      .optional()
      .describe('Days until an invitation expires; 7 by default'),
    skill: z.string().optional().describe('Skill that a publisher may publish; it need not exist yet'),
    repository: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe('Repository of a publisher, such as acme/skills'),
    issuer: WebAddress.optional().describe('CI system of a publisher; GitHub Actions by default'),
    repository_owner_id: z
      .string()
      .max(100)
      .optional()
      .describe('Immutable id of the account that owns the repository; GitHub is asked if you leave it out'),
    workflow: z.string().max(300).optional().describe('The only workflow that may publish'),
    environment: z.string().max(100).optional().describe('The only environment that may publish'),
    id: z.string().min(1).max(100).optional().describe('Id of the publisher to remove'),
    ...registryFields,
  }),
  positionals: ['action', 'owner', 'account'],
  output: z.object({
    registry: z.string(),
    action: Action,
    name: z.string(),
    owner: Owner.nullable().describe('The owner, where it is shown or created'),
    account: z.string().nullable(),
    roles: z.array(Role).nullable().describe('Roles of the account from now on; none: removed'),
    transfer: Transfer.nullable(),
    publishers: z.array(Publisher).nullable().describe('Trusted publishers: all of them, or the new one'),
    removed: z.string().nullable().describe('Id of the removed publisher'),
    invitation: Invitation.nullable().describe('The link is shown only now'),
    invitations: z
      .array(OpenInvitation)
      .nullable()
      .describe('Invitations and offered roles nobody accepted yet'),
    offers: z.array(Transfer).nullable().describe('Offered to you'),
    dry_run: z.boolean(),
  }),
  effect: 'write',
  writes: [],
  touches: 'nothing',
  about:
    'An owner is the `@acme` in `@acme/pdf`. Roles: a reader sees private skills, a publisher publishes, a reviewer approves versions, an admin does everything. A role counts when the account accepts it with `skc owner accept @acme`; so does a transfer, which makes that account the only admin.\nA trusted publisher is a CI workflow that publishes one skill without a stored token. An invitation is a link that creates an account, or signs in to it; only administrators of the registry invite. `skc owner accept <link>` accepts it and logs you in. `skc owner list` shows what is open: roles you offer, links you sent, and what is offered to you.',
  examples: [
    { line: 'skc owner create @acme --title Acme', note: 'create an owner' },
    { line: 'skc owner add @acme alice --role publisher', note: 'let alice publish, once she accepts' },
    { line: 'skc owner remove @acme alice', note: 'remove a member' },
    { line: 'skc owner transfer @acme bob', note: 'offer it to bob' },
    { line: 'skc owner accept @acme', note: 'accept such an offer, or an offered role' },
    { line: 'skc owner list', note: 'see open invitations and offers' },
    { line: 'skc owner withdraw @acme carol', note: 'take an invitation or an offered role back' },
    {
      line: 'skc owner add-publisher @acme --skill pdf --repository acme/skills --workflow release.yml',
      note: 'let a GitHub workflow publish @acme/pdf',
    },
    { line: 'skc owner publishers @acme', note: 'list trusted publishers' },
    { line: 'skc owner invite @acme carol --role publisher', note: 'invite carol to the registry' },
  ],
  async run(input, context) {
    const { chooseRegistry, openAccount, readOwnerName, registryFlag } = await import('./registry-choice.ts');
    const { action, account: other, dry_run } = input;
    if (action === 'accept' && /^https?:/.test(input.owner)) return acceptLink(input, context);
    const isEvery = action === 'list' && input.owner === '';
    const name = isEvery ? '' : readOwnerName(input.owner);
    if (namesAccount.has(action) && other === undefined) throw invalidOption('missing <account>');
    if (!namesAccount.has(action) && other !== undefined)
      throw invalidOption(`unexpected argument '${other}'`);
    checkFlags(input);
    const roles: Role[] | null =
      action === 'remove'
        ? []
        : action === 'add' || action === 'invite'
          ? input.role.length === 0
            ? ['reader']
            : [...new Set(input.role)]
          : null;
    const wanted = { registry: input.registry, ...(isEvery ? {} : { owner: name }) };
    const chosen = await chooseRegistry(wanted, context);
    const result = {
      ...nothing,
      registry: chosen.url,
      action,
      name,
      account: other ?? null,
      roles,
      removed: input.id ?? null,
      dry_run,
    };
    const wish = action === 'add-publisher' ? readPublisher(name, input) : undefined;
    if (dry_run && action !== 'show' && action !== 'publishers' && action !== 'list') return result;
    const account = await openAccount(chosen, context);
    const path = { owner: name };
    const addPublisher = async (wished: Omit<PublisherRequest, 'repositoryOwnerId'>) => {
      const publisher = { ...wished, repositoryOwnerId: await findRepositoryOwner(input, context) };
      const added = await account.call('addPublisher', { path, body: publisher, what: publisher.skill });
      const flags = `--id ${makeVisible(added.id)}${registryFlag(chosen)}`;
      context.note(`to remove it: skc owner remove-publisher @${name} ${flags}`);
      return added;
    };
    switch (action) {
      case 'show':
        return { ...result, owner: await account.call('getOwner', { path }) };
      case 'create':
        return {
          ...result,
          owner: await account.call('putOwner', {
            path,
            body: { title: input.title, url: input.url },
            // Without it, the registry would change one that exists.
            headers: { 'if-none-match': '*' },
          }),
        };
      case 'transfer':
        return { ...result, transfer: await account.call('offerTransfer', { path, body: { to: other! } }) };
      case 'accept':
      case 'decline': {
        const transfer = await offerOf(name, account);
        await account.call(action === 'accept' ? 'acceptTransfer' : 'declineTransfer', {
          path: { id: transfer.id },
          what: 'transfer',
        });
        return { ...result, transfer };
      }
      case 'list': {
        const { invitations } = await account.call('listInvitations');
        const { transfers } = await account.call('whoami');
        const isMeant = (one: string) => isEvery || one === name;
        return {
          ...result,
          invitations: invitations.filter(({ roles: given }) =>
            given.length === 0 ? isEvery : given.some((one) => isMeant(one.owner)),
          ),
          offers: transfers.filter((offer) => isMeant(offer.owner)),
        };
      }
      case 'withdraw': {
        const { invitations } = await account.call('listInvitations');
        const open = invitations.filter(
          ({ account: invited, roles: given }) =>
            invited === other && given.some((one) => one.owner === name),
        );
        if (open.length === 0)
          throw SkillwrightError.of(
            'E201',
            { what: `invitation of ${other} to @${name}` },
            { help: "'skc owner list' shows the open ones" },
          );
        for (const { id } of open)
          await account.call('withdrawInvitation', { path: { id }, what: `invitation of ${other}` });
        return { ...result, invitations: open };
      }
      case 'publishers':
        return { ...result, ...(await account.call('listPublishers', { path })) };
      case 'add-publisher':
        return { ...result, publishers: [await addPublisher(wish!)] };
      case 'remove-publisher':
        await account.call('removePublisher', {
          path: { ...path, id: input.id! },
          what: `publisher ${input.id}`,
        });
        return result;
      case 'invite': {
        const invitation = await account
          .call('createInvitation', {
            body: { account: other!, roles: [{ owner: name, roles: roles! }], days: input.days },
            what: other!,
          })
          .catch((error: unknown) => {
            if (!(error instanceof SkillwrightError) || error.code !== 'E251') throw error;
            // A login never has this scope.
            const page = new URL('settings/tokens', chosen.url).href;
            throw error.withHelp(
              `'skc owner add @${name} ${other}' offers the role to an account that exists; to invite somebody new as an administrator, create a token with scope admin at ${page}, and put it into SKC_TOKEN`,
            );
          });
        context.note(
          `${makeVisible(other!)} becomes ${roles!.join(', ')} of @${name} with this link, which works once, until ${invitation.expires.slice(0, 10)}:`,
        );
        return { ...result, invitation };
      }
      default: {
        const changed = await account.call('changeMember', {
          path: { ...path, account: other! },
          body: { roles: roles! },
        });
        return { ...result, owner: changed };
      }
    }
  },
  text({ action, name, owner: shown, account, roles, transfer, dry_run, registry, ...rest }) {
    const at = `@${name}`;
    if (action === 'show' && shown !== null) return showOwner(shown);
    if (action === 'publishers' && rest.publishers !== null) return showPublishers(at, rest.publishers);
    if (action === 'list') return showOpen(rest);
    if (rest.invitation !== null) return `${rest.invitation.link}\n`;
    const [added] = rest.publishers ?? [];
    const id = makeVisible(rest.removed ?? '');
    const other = makeVisible(account ?? '');
    const until = transfer === null ? '' : ` until ${transfer.expires.slice(0, 10)}`;
    const [done, planned] = {
      show: ['shown', 'show'],
      create: [`created ${at} at ${registry}`, `create ${at} at ${registry}`],
      add: [
        shown?.offered?.some((one) => one.account === account)
          ? `offered ${other} to be ${roles?.join(', ')} of ${at}; it counts when ${other} runs 'skc owner accept ${at} --registry ${registry}'`
          : `${other} is now ${roles?.join(', ')} of ${at}`,
        `offer ${other} to be ${roles?.join(', ')} of ${at}`,
      ],
      remove: [`removed ${other} from ${at}`, `remove ${other} from ${at}`],
      transfer: [
        `offered ${at} to ${other}${until}; it changes hands when ${other} runs 'skc owner accept ${at} --registry ${registry}'`,
        `offer ${at} to ${other}`,
      ],
      accept: [
        acceptedText({ at, account, registry, transfer }),
        `accept ${name === '' ? 'the invitation' : at}`,
      ],
      list: ['', ''],
      withdraw: [
        `withdrew the invitation of ${other} to ${at}`,
        `withdraw the invitation of ${other} to ${at}`,
      ],
      decline: [`declined ${at}`, `decline ${at}`],
      invite: ['invited', `invite ${other} as ${roles?.join(', ')} of ${at}`],
      publishers: ['shown', 'show'],
      'add-publisher': [added === undefined ? 'added' : describePublisher(added), `add a publisher to ${at}`],
      'remove-publisher': [
        `removed publisher ${id} from ${at}, and revoked the tokens of its jobs`,
        `remove publisher ${id} from ${at}`,
      ],
    }[action];
    return `${dry_run ? `would ${planned}` : done}\n`;
  },
});

/** A result in which nothing happened. */
const nothing = {
  owner: null,
  account: null,
  roles: null,
  transfer: null,
  publishers: null,
  removed: null,
  invitation: null,
  invitations: null,
  offers: null,
} as const;

/** Accepts the invitation behind a link, and keeps the token of its account as a login. */
async function acceptLink(
  { owner: link, dry_run }: { readonly owner: string; readonly dry_run: boolean },
  context: CommandContext,
) {
  const [, base, code = ''] = /^(https?:\/\/.+\/)invite\/([\w-]{20,100})$/.exec(link) ?? [];
  if (base === undefined) throw invalidOption(`'${link}' is not the link of an invitation`);
  const { chooseRegistry, openFetcher } = await import('./registry-choice.ts');
  const chosen = await chooseRegistry({ registry: base }, context);
  const result = { ...nothing, registry: chosen.url, action: 'accept' as const, name: '', dry_run };
  if (dry_run) return result;
  const { createRegistryAccount } = await import('../../ship/network/registry-account.ts');
  const { url } = chosen;
  const { signal } = context;
  const stranger = createRegistryAccount({ url, fetcher: await openFetcher(chosen, context), signal });
  const { account, token } = await stranger.call('acceptInvitation', { body: { code }, what: 'invitation' });
  const { openCredentials } = await import('../../ship/credentials/open-credentials.ts');
  await openCredentials(context.workspace).store(url, { account, token, expires: null });
  return { ...result, account };
}

function acceptedText({
  at,
  account,
  registry,
  transfer,
}: {
  at: string;
  account: string | null;
  registry: string;
  transfer: Transfer | null;
}): string {
  if (transfer === null) return `logged in to ${registry} as ${makeVisible(account ?? '')}`;
  return transfer.roles === undefined
    ? `${at} is yours`
    : `you are now ${transfer.roles.join(', ')} of ${at}`;
}

function showOpen({
  invitations,
  offers,
}: {
  invitations: readonly OpenInvitation[] | null;
  offers: readonly Transfer[] | null;
}): string {
  const lines = [
    ...(offers ?? []).map(
      ({ owner: name, from, roles, expires }) =>
        `${makeVisible(from)} offers you ${roles === undefined ? '' : `to be ${roles.join(', ')} of `}@${name} until ${expires.slice(0, 10)}: skc owner accept @${name}`,
    ),
    ...(invitations ?? []).map(({ account, kind, roles, by, expires }) => {
      const given = roles.map((one) => `${one.roles.join(', ')} of @${one.owner}`).join('; ');
      const what = kind === 'link' ? 'invited with a link' : 'offered';
      return makeVisible(
        `${account}: ${what}${given === '' ? '' : `, ${given}`}, by ${by}, until ${expires.slice(0, 10)}`,
      );
    }),
  ];
  return lines.length === 0 ? 'nothing is open\n' : `${lines.join('\n')}\n`;
}

/** The immutable id of the account that owns a repository: given, or asked from GitHub. A name can change hands, an id cannot. */
async function findRepositoryOwner(
  {
    repository = '',
    issuer = GITHUB,
    repository_owner_id: given,
  }: {
    readonly repository?: string | undefined;
    readonly issuer?: string | undefined;
    readonly repository_owner_id?: string | undefined;
  },
  { workspace, signal }: CommandContext,
): Promise<string> {
  if (given !== undefined) return given;
  const owner = repository.split('/')[0] ?? '';
  if (issuer !== GITHUB || owner === '')
    throw invalidOption(
      'missing --repository-owner-id',
      'it is the id of the group or account, which does not change with its name',
    );
  const config = await workspace.config();
  const { createFetcher, fetcherSettings } = await import('../../ship/network/create-fetcher.ts');
  const base = config.network.github_url;
  const url = new URL(`users/${encodeURIComponent(owner)}`, base.endsWith('/') ? base : `${base}/`);
  const { value } = await createFetcher(fetcherSettings(config.network))
    .getJson(url, z.object({ id: z.number().int() }), { signal })
    .catch((error: unknown) => {
      if (!(error instanceof SkillwrightError)) throw error;
      throw error.withHelp(
        'GitHub does not tell the id of the owner now: pass it with --repository-owner-id',
      );
    });
  return String(value.id);
}

/** The offer of an owner to this account. E201 when there is none. */
async function offerOf(name: string, account: RegistryAccount): Promise<Transfer> {
  const { transfers } = await account.call('whoami');
  const offer = transfers.find((transfer) => transfer.owner === name);
  if (offer !== undefined) return offer;
  const offered = transfers.map((transfer) => `@${transfer.owner}`).join(', ');
  throw SkillwrightError.of(
    'E201',
    { what: `offer of @${name}` },
    { help: offered === '' ? 'no owner is offered to you' : `offered to you: ${offered}` },
  );
}

function showOwner({ name, title, url, skills, members, created }: Owner): string {
  const lines = [
    `@${name}${title === '' ? '' : ` (${makeVisible(title)})`}: ${formatCount(skills, 'skill')}, since ${created.slice(0, 10)}`,
    ...(url === null ? [] : [makeVisible(url)]),
    ...(members ?? []).map(({ account, roles }) => `${makeVisible(account)}: ${roles.join(', ')}`),
    ...(members === undefined ? ['only members see who else is a member'] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** E100 for a flag of another action, and for a missing one. */
function checkFlags(input: Readonly<Record<string, unknown>> & { readonly action: Action }): void {
  for (const [field, actions] of Object.entries(flagsOf)) {
    const value = input[field];
    const isGiven = Array.isArray(value) ? value.length > 0 : value !== undefined;
    const allowed: readonly Action[] = actions;
    if (isGiven && !allowed.includes(input.action))
      throw invalidOption(`--${field.replaceAll('_', '-')} belongs to ${allowed.join(' and ')}`);
  }
  const needed = { 'add-publisher': ['skill', 'repository'], 'remove-publisher': ['id'] } as const;
  const missing = (input.action in needed ? needed[input.action as keyof typeof needed] : []).find(
    (field) => input[field] === undefined,
  );
  if (missing === undefined) return;
  const flag = input.registry === undefined ? '' : ` --registry ${quoteWord(`${input.registry}`)}`;
  const help = missing === 'id' ? `'skc owner publishers ${input.owner}${flag}' shows the ids` : undefined;
  throw invalidOption(`missing --${missing}`, help);
}

// Trusted publishers of an owner: read from flags, and shown.

/** Identities of GitHub Actions. */
const GITHUB = 'https://token.actions.githubusercontent.com';

/** The publisher that the flags describe. E100 when the skill belongs to another owner. */
function readPublisher(
  owner: string,
  input: {
    readonly skill?: string | undefined;
    readonly repository?: string | undefined;
    readonly issuer?: string | undefined;
    readonly workflow?: string | undefined;
    readonly environment?: string | undefined;
  },
): Omit<PublisherRequest, 'repositoryOwnerId'> {
  const { skill = '', repository = '', issuer = GITHUB } = input;
  const address = parseAddress(skill.startsWith('@') ? skill : `@${owner}/${skill}`);
  if (address?.owner !== owner) throw invalidOption(`'${skill}' is not a skill of @${owner}`);
  return {
    skill: spellAddress(address),
    issuer,
    repository,
    workflow: input.workflow ?? null,
    environment: input.environment ?? null,
  };
}

/** The list of publishers of an owner, for people. */
function showPublishers(owner: string, publishers: readonly Publisher[]): string {
  if (publishers.length === 0) return `${owner} has no trusted publishers\n`;
  const lines = publishers.map(
    (one) =>
      `${makeVisible(one.id)}  ${describePublisher(one)}, last used ${one.used?.slice(0, 10) ?? 'never'}`,
  );
  return `${lines.join('\n')}\n`;
}

/** A publisher in one line. */
function describePublisher(publisher: Publisher): string {
  const { repository, issuer, skill, pending, workflow, environment } = publisher;
  const limits = [
    ...(workflow === null ? [] : [`workflow ${workflow}`]),
    ...(environment === null ? [] : [`environment ${environment}`]),
  ];
  const only = limits.length === 0 ? '' : `, only ${limits.join(' in ')}`;
  const state = pending ? ' (not published yet)' : '';
  return makeVisible(`${repository} at ${issuer} may publish ${skill}${state}${only}`);
}
