// skc owner: namespaces of a registry, their members and trusted publishers, and their transfer.

import * as z from 'zod';
import {
  formatCount,
  invalidOption,
  makeVisible,
  quoteWord,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import type { Frozen } from '../../base/frozen.ts';
import { openCredentials } from '../../ship/credentials/index.ts';
import {
  createFetcher,
  createRegistryAccount,
  fetcherSettings,
  type RegistryAccount,
} from '../../ship/network/index.ts';
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
import { defineCommand, type Line, linesOf } from './define-command.ts';
import { choice, choices, type InputOf, integer, registryFields, text } from './fields.ts';
import {
  type ChosenAddress,
  changesRegistry,
  chooseRegistry,
  openAccount,
  openFetcher,
  readOwnerName,
  registryFlag,
} from './registry-choice.ts';

const actions = [
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
] as const;
type Action = (typeof actions)[number];

const fields = {
  action: choice(actions, 'What to do', { required: true }),
  owner: text('The owner, such as @acme; to accept, also the link of an invitation; to list, none for all', {
    default: '',
  }),
  account: text(
    'The account to add, to remove, to transfer to, to invite, or whose invitation you withdraw',
    { min: 1, max: 64 },
  ),
  role: choices(Role.options, 'Role of the account; reader if you name none'),
  title: text('Title of a new owner', { max: 100 }),
  url: text('Web page of a new owner', { schema: WebAddress }),
  days: integer('Days until an invitation expires; 7 by default', { min: 1, max: 30 }),
  skill: text('Skill that a publisher may publish; it need not exist yet'),
  repository: text('Repository of a publisher, such as acme/skills', { min: 1, max: 300 }),
  issuer: text('CI system of a publisher; GitHub Actions by default', { schema: WebAddress }),
  repository_owner_id: text(
    'Immutable id of the account that owns the repository; GitHub is asked if you leave it out',
    { max: 100 },
  ),
  workflow: text('The only workflow that may publish', { max: 300 }),
  environment: text('The only environment that may publish', { max: 100 }),
  id: text('Id of the publisher to remove', { min: 1, max: 100 }),
  ...registryFields,
};
type Input = InputOf<{ readonly fields: typeof fields }>;

const Outcome = z.object({
  registry: z.string(),
  action: z.enum(actions),
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
});
type Outcome = Frozen<z.output<typeof Outcome>>;

/** Words of a result, safe to print. */
interface Said {
  /** `@acme`. */
  readonly at: string;
  readonly who: string;
  readonly roles: string;
  readonly id: string;
}

/** One action. */
interface Row {
  /** Whether it names an account. */
  readonly account?: true;
  /** Roles of the account, if the user names none. */
  readonly roles?: readonly Role[];
  /** Flags that belong to it, and those it cannot do without. */
  readonly flags?: readonly (keyof Input)[];
  readonly needs?: readonly (keyof Input)[];
  /** Says in a dry run what it would do; left out for one that changes nothing. */
  plan?(said: Said, outcome: Outcome): string;
  run(asked: {
    readonly input: Input;
    readonly account: RegistryAccount;
    /** The owner, as paths name it. */
    readonly path: { readonly owner: string };
    readonly other: string;
    readonly roles: readonly Role[];
    readonly chosen: ChosenAddress;
    readonly context: CommandContext;
  }): Promise<Partial<Outcome>>;
  text(said: Said, outcome: Outcome): Line;
}

const changeMember: Row['run'] = async ({ account, path, other, roles }) => ({
  owner: await account.call('changeMember', {
    path: { ...path, account: other },
    body: { roles: [...roles] },
  }),
});

const answerOffer =
  (operation: 'acceptTransfer' | 'declineTransfer'): Row['run'] =>
  async ({ account, path: { owner: name } }) => {
    const transfer = await offerOf(name, account);
    await account.call(operation, { path: { id: transfer.id }, what: 'transfer' });
    return { transfer };
  };

const rows: Readonly<Record<Action, Row>> = {
  show: {
    run: async ({ account, path }) => ({ owner: await account.call('getOwner', { path }) }),
    text: (_, { owner: shown }) => showOwner(shown!),
  },
  create: {
    flags: ['title', 'url'],
    plan: ({ at }, { registry }) => `create ${at} at ${registry}`,
    run: async ({ account, path, input: { title, url } }) => ({
      owner: await account.call('putOwner', {
        path,
        body: { title, url },
        // Without it, the registry would change one that exists.
        headers: { 'if-none-match': '*' },
      }),
    }),
    text: ({ at }, { registry }) => `created ${at} at ${registry}`,
  },
  add: {
    account: true,
    roles: ['reader'],
    flags: ['role'],
    plan: ({ at, who, roles }) => `offer ${who} to be ${roles} of ${at}`,
    run: changeMember,
    text: ({ at, who, roles }, { owner: shown, account, registry }) =>
      shown?.offered?.some((one) => one.account === account)
        ? `offered ${who} to be ${roles} of ${at}; it counts when ${who} runs 'skc owner accept ${at} --registry ${registry}'`
        : `${who} is now ${roles} of ${at}`,
  },
  remove: {
    account: true,
    roles: [],
    plan: ({ at, who }) => `remove ${who} from ${at}`,
    run: changeMember,
    text: ({ at, who }) => `removed ${who} from ${at}`,
  },
  transfer: {
    account: true,
    plan: ({ at, who }) => `offer ${at} to ${who}`,
    run: async ({ account, path, other }) => ({
      transfer: await account.call('offerTransfer', { path, body: { to: other } }),
    }),
    text: ({ at, who }, { transfer, registry }) =>
      `offered ${at} to ${who} until ${day(transfer!.expires)}; it changes hands when ${who} runs 'skc owner accept ${at} --registry ${registry}'`,
  },
  accept: {
    plan: ({ at }, { name }) => `accept ${name === '' ? 'the invitation' : at}`,
    run: answerOffer('acceptTransfer'),
    text: ({ at, who }, { transfer, registry }) =>
      transfer === null
        ? `logged in to ${registry} as ${who}`
        : transfer.roles === undefined
          ? `${at} is yours`
          : `you are now ${transfer.roles.join(', ')} of ${at}`,
  },
  decline: {
    plan: ({ at }) => `decline ${at}`,
    run: answerOffer('declineTransfer'),
    text: ({ at }) => `declined ${at}`,
  },
  invite: {
    account: true,
    roles: ['reader'],
    flags: ['role', 'days'],
    plan: ({ at, who, roles }) => `invite ${who} as ${roles} of ${at}`,
    run: invitePerson,
    text: (_, { invitation }) => invitation!.link,
  },
  list: {
    async run({ account, path: { owner: name } }) {
      const { invitations } = await account.call('listInvitations');
      const { transfers } = await account.call('whoami');
      const isMeant = (one: string) => name === '' || one === name;
      return {
        invitations: invitations.filter(({ roles }) =>
          roles.length === 0 ? name === '' : roles.some((one) => isMeant(one.owner)),
        ),
        offers: transfers.filter((offer) => isMeant(offer.owner)),
      };
    },
    text: (_, outcome) => showOpen(outcome),
  },
  withdraw: {
    account: true,
    plan: ({ at, who }) => `withdraw the invitation of ${who} to ${at}`,
    async run({ account, path: { owner: name }, other }) {
      const { invitations } = await account.call('listInvitations');
      const open = invitations.filter(
        ({ account: invited, roles }) => invited === other && roles.some((one) => one.owner === name),
      );
      if (open.length === 0)
        throw SkillwrightError.of(
          'E201',
          { what: `invitation of ${other} to @${name}` },
          { help: "'skc owner list' shows the open ones" },
        );
      for (const { id } of open)
        await account.call('withdrawInvitation', { path: { id }, what: `invitation of ${other}` });
      return { invitations: open };
    },
    text: ({ at, who }) => `withdrew the invitation of ${who} to ${at}`,
  },
  publishers: {
    run: ({ account, path }) => account.call('listPublishers', { path }),
    text: ({ at }, { publishers }) => showPublishers(at, publishers!),
  },
  'add-publisher': {
    flags: ['skill', 'repository', 'issuer', 'repository_owner_id', 'workflow', 'environment'],
    needs: ['skill', 'repository'],
    plan: ({ at }) => `add a publisher to ${at}`,
    async run({ account, path, input, chosen, context }) {
      const body = await readPublisher(path.owner, input, context);
      const added = await account.call('addPublisher', { path, body, what: body.skill });
      const flags = `--id ${makeVisible(added.id)}${registryFlag(chosen)}`;
      context.note(`to remove it: skc owner remove-publisher @${path.owner} ${flags}`);
      return { publishers: [added] };
    },
    text: (_, { publishers }) => describePublisher(publishers![0]!),
  },
  'remove-publisher': {
    flags: ['id'],
    needs: ['id'],
    plan: ({ at, id }) => `remove publisher ${id} from ${at}`,
    async run({ account, path, input: { id } }) {
      await account.call('removePublisher', { path: { ...path, id: id! }, what: `publisher ${id}` });
      return {};
    },
    text: ({ at, id }) => `removed publisher ${id} from ${at}, and revoked the tokens of its jobs`,
  },
};

const day = (time: string) => time.slice(0, 10);

/** Manages owners. */
export const owner = defineCommand({
  fields,
  positionals: ['action', 'owner', 'account'],
  output: Outcome,
  ...changesRegistry,
  about:
    'An owner is the `@acme` in `@acme/pdf`. Roles: a reader sees private skills, a publisher publishes, a reviewer approves versions, an admin does everything. A role counts when the account accepts it with `skc owner accept @acme`; so does a transfer, which makes that account the only admin.\nA trusted publisher is a CI workflow that publishes one skill without a stored token. An invitation is a link that creates an account, or signs in to it; only administrators of the registry invite. `skc owner accept <link>` accepts it and logs you in. `skc owner list` shows what is open: roles you offer, links you sent, and what is offered to you.',
  examples: {
    'skc owner create @acme --title Acme': 'create an owner',
    'skc owner add @acme alice --role publisher': 'let alice publish, once she accepts',
    'skc owner remove @acme alice': 'remove a member',
    'skc owner transfer @acme bob': 'offer it to bob',
    'skc owner accept @acme': 'accept such an offer, or an offered role',
    'skc owner list': 'see open invitations and offers',
    'skc owner withdraw @acme carol': 'take an invitation or an offered role back',
    'skc owner add-publisher @acme --skill pdf --repository acme/skills --workflow release.yml':
      'let a GitHub workflow publish @acme/pdf',
    'skc owner publishers @acme': 'list trusted publishers',
    'skc owner invite @acme carol --role publisher': 'invite carol to the registry',
  },
  async run(input, context) {
    const { action, account: other, dry_run } = input;
    const row = rows[action];
    const link = action === 'accept' && /^https?:/.test(input.owner) ? readLink(input.owner) : undefined;
    const name =
      link !== undefined || (action === 'list' && input.owner === '') ? '' : readOwnerName(input.owner);
    if (row.account && other === undefined) throw invalidOption('missing <account>');
    if (!row.account && other !== undefined) throw invalidOption(`unexpected argument '${other}'`);
    checkFlags(input);
    const roles = row.roles && (input.role.length === 0 ? row.roles : [...new Set(input.role)]);
    const where = link?.base ?? input.registry;
    const chosen = await chooseRegistry({ registry: where, owner: name || undefined }, context);
    const result: Outcome = {
      ...nothing,
      registry: chosen.url,
      action,
      name,
      account: other ?? null,
      roles: roles ?? null,
      removed: input.id ?? null,
      dry_run,
    };
    if (action === 'add-publisher') readPublished(name, input);
    if (dry_run && row.plan !== undefined) return result;
    if (link !== undefined) return { ...result, account: await acceptLink(link.code, chosen, context) };
    const account = await openAccount(chosen, context);
    const asked = { input, account, path: { owner: name }, other: other ?? '', roles: roles ?? [], chosen };
    return { ...result, ...(await row.run({ ...asked, context })) };
  },
  text(outcome) {
    const { action, name, account, roles, removed, dry_run } = outcome;
    const said = {
      at: `@${name}`,
      who: makeVisible(account ?? ''),
      roles: roles?.join(', ') ?? '',
      id: makeVisible(removed ?? ''),
    };
    const { plan, text } = rows[action];
    return [dry_run && plan !== undefined ? `would ${plan(said, outcome)}` : text(said, outcome)];
  },
});

/** A result in which nothing happened. */
const nothing = {
  owner: null,
  transfer: null,
  publishers: null,
  invitation: null,
  invitations: null,
  offers: null,
} as const;

/** The registry and the code in the link of an invitation. E100 for any other address. */
function readLink(link: string): { base: string; code: string } {
  const [, base, code] = /^(https?:\/\/.+\/)invite\/([\w-]{20,100})$/.exec(link) ?? [];
  if (base === undefined || code === undefined)
    throw invalidOption(`'${link}' is not the link of an invitation`);
  return { base, code };
}

/** Accepts an invitation, and keeps the token of its account as a login. Returns the name of the account. */
async function acceptLink(code: string, chosen: ChosenAddress, context: CommandContext): Promise<string> {
  const { url } = chosen;
  const fetcher = await openFetcher(chosen, context);
  const stranger = createRegistryAccount({ url, fetcher, signal: context.signal });
  const { account, token } = await stranger.call('acceptInvitation', { body: { code }, what: 'invitation' });
  await openCredentials(context.workspace).store(url, { account, token, expires: null });
  return account;
}

async function invitePerson({
  account,
  path: { owner: name },
  other,
  roles,
  input: { days },
  chosen,
  context,
}: Parameters<Row['run']>[0]): Promise<Partial<Outcome>> {
  const invitation = await account
    .call('createInvitation', {
      body: { account: other, roles: [{ owner: name, roles: [...roles] }], days },
      what: other,
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
    `${makeVisible(other)} becomes ${roles.join(', ')} of @${name} with this link, which works once, until ${day(invitation.expires)}:`,
  );
  return { invitation };
}

/** Everything that is open, a line each. */
function showOpen({ invitations, offers }: Pick<Outcome, 'invitations' | 'offers'>): Line {
  const lines = [
    ...(offers ?? []).map(
      ({ owner: name, from, roles, expires }) =>
        `${makeVisible(from)} offers you ${roles === undefined ? '' : `to be ${roles.join(', ')} of `}@${name} until ${day(expires)}: skc owner accept @${name}`,
    ),
    ...(invitations ?? []).map(({ account, kind, roles, by, expires }) => {
      const given = roles.map((one) => `${one.roles.join(', ')} of @${one.owner}`).join('; ');
      const what = kind === 'link' ? 'invited with a link' : 'offered';
      return makeVisible(
        `${account}: ${what}${given === '' ? '' : `, ${given}`}, by ${by}, until ${day(expires)}`,
      );
    }),
  ];
  return lines.length === 0 ? 'nothing is open' : lines;
}

/** The immutable id of the account that owns a repository: given, or asked from GitHub. A name can change hands, an id cannot. */
async function findRepositoryOwner(
  { repository = '', issuer = GITHUB, repository_owner_id: given }: Input,
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

const showOwner = ({ name, title, url, skills, members, created }: NonNullable<Outcome['owner']>): Line => [
  `@${name}${title === '' ? '' : ` (${makeVisible(title)})`}: ${formatCount(skills, 'skill')}, since ${day(created)}`,
  url && makeVisible(url),
  members?.map(({ account, roles }) => `${makeVisible(account)}: ${roles.join(', ')}`) ??
    'only members see who else is a member',
];

/** E100 for a flag of another action, and for a missing one. */
function checkFlags(input: Input): void {
  for (const field of Object.values(rows).flatMap(({ flags = [] }) => flags)) {
    const value = input[field];
    const isGiven = Array.isArray(value) ? value.length > 0 : value !== undefined;
    const allowed = actions.filter((action) => rows[action].flags?.includes(field));
    if (isGiven && !allowed.includes(input.action))
      throw invalidOption(`--${field.replaceAll('_', '-')} belongs to ${allowed.join(' and ')}`);
  }
  const missing = rows[input.action].needs?.find((field) => input[field] === undefined);
  if (missing === undefined) return;
  const flag = input.registry === undefined ? '' : ` --registry ${quoteWord(`${input.registry}`)}`;
  const help = missing === 'id' ? `'skc owner publishers ${input.owner}${flag}' shows the ids` : undefined;
  throw invalidOption(`missing --${missing}`, help);
}

// Trusted publishers of an owner: read from flags, and shown.

/** Identities of GitHub Actions. */
const GITHUB = 'https://token.actions.githubusercontent.com';

/** The skill that a publisher is for. E100 when it belongs to another owner. */
function readPublished(owner: string, { skill = '' }: Input): string {
  const address = parseAddress(skill.startsWith('@') ? skill : `@${owner}/${skill}`);
  if (address?.owner !== owner) throw invalidOption(`'${skill}' is not a skill of @${owner}`);
  return spellAddress(address);
}

/** The publisher that the flags describe. */
async function readPublisher(
  owner: string,
  input: Input,
  context: CommandContext,
): Promise<PublisherRequest> {
  return {
    skill: readPublished(owner, input),
    issuer: input.issuer ?? GITHUB,
    repository: input.repository!,
    repositoryOwnerId: await findRepositoryOwner(input, context),
    workflow: input.workflow ?? null,
    environment: input.environment ?? null,
  };
}

/** The list of publishers of an owner, for people. */
function showPublishers(owner: string, publishers: readonly Publisher[]): Line {
  if (publishers.length === 0) return `${owner} has no trusted publishers`;
  return publishers.map(
    (one) =>
      `${makeVisible(one.id)}  ${describePublisher(one)}, last used ${one.used?.slice(0, 10) ?? 'never'}`,
  );
}

/** A publisher in one line. */
function describePublisher(publisher: Publisher): string {
  const { repository, issuer, skill, pending, workflow, environment } = publisher;
  const limits = linesOf([workflow && `workflow ${workflow}`, environment && `environment ${environment}`]);
  const only = limits.length === 0 ? '' : `, only ${limits.join(' in ')}`;
  const state = pending ? ' (not published yet)' : '';
  return makeVisible(`${repository} at ${issuer} may publish ${skill}${state}${only}`);
}
