// skc owner: namespaces of a registry, their members, and their transfer.

import * as z from 'zod';
import { formatCount, invalidOption, makeVisible, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { RegistryAccount } from '../../ship/network/index.ts';
import { Owner, Role, Transfer, WebAddress } from '../../ship/protocol/index.ts';
import { defineCommand } from './define-command.ts';
import { registryFields } from './registry-choice.ts';

const Action = z.enum(['show', 'create', 'add', 'remove', 'transfer', 'accept', 'decline']);
type Action = z.output<typeof Action>;

/** Actions that name an account. */
const namesAccount: ReadonlySet<Action> = new Set(['add', 'remove', 'transfer']);

/** Manages owners. */
export const owner = defineCommand({
  input: z.strictObject({
    action: Action.describe('What to do'),
    owner: z.string().describe('The owner, such as @acme'),
    account: z.string().min(1).max(64).optional().describe('The account to add, to remove or to transfer to'),
    role: z.array(Role).default([]).describe('Role of the account; reader if you name none'),
    title: z.string().max(100).optional().describe('Title of a new owner'),
    url: WebAddress.optional().describe('Web page of a new owner'),
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
    dry_run: z.boolean(),
  }),
  effect: 'write',
  writes: [],
  touches: 'nothing',
  about:
    'An owner is the `@acme` in `@acme/pdf`. Roles: a reader sees private skills, a publisher publishes, a reviewer approves versions, an admin does everything. A transfer counts when the other account accepts it; that account becomes the only admin.',
  examples: [
    { line: 'skc owner create @acme --title Acme', note: 'create an owner' },
    { line: 'skc owner add @acme alice --role publisher', note: 'let alice publish' },
    { line: 'skc owner remove @acme alice', note: 'remove a member' },
    { line: 'skc owner transfer @acme bob', note: 'offer it to bob' },
    { line: 'skc owner accept @acme', note: 'accept such an offer' },
  ],
  async run(input, context) {
    const { chooseRegistry, openAccount, readOwnerName } = await import('./registry-choice.ts');
    const { action, account: other, dry_run } = input;
    const name = readOwnerName(input.owner);
    if (namesAccount.has(action) && other === undefined) throw invalidOption('missing <account>');
    if (!namesAccount.has(action) && other !== undefined)
      throw invalidOption(`unexpected argument '${other}'`);
    if (input.role.length > 0 && action !== 'add') throw invalidOption('--role belongs to add');
    const roles: Role[] | null =
      action === 'remove'
        ? []
        : action === 'add'
          ? input.role.length === 0
            ? ['reader']
            : [...new Set(input.role)]
          : null;
    const chosen = await chooseRegistry({ registry: input.registry, owner: name }, context);
    const result = {
      registry: chosen.url,
      action,
      name,
      owner: null,
      account: other ?? null,
      roles,
      transfer: null,
      dry_run,
    };
    if (dry_run && action !== 'show') return result;
    const account = await openAccount(chosen, context);
    switch (action) {
      case 'show':
        return { ...result, owner: await account.owner(name) };
      case 'create':
        return {
          ...result,
          owner: await account.createOwner(name, { title: input.title ?? '', url: input.url ?? null }),
        };
      case 'transfer':
        return { ...result, transfer: await account.offerOwner(name, other!) };
      case 'accept':
      case 'decline': {
        const transfer = await offerOf(name, account);
        await account.answerTransfer(transfer.id, action);
        return { ...result, transfer };
      }
      default:
        await account.setMember(name, other!, roles!);
        return result;
    }
  },
  text({ action, name, owner: shown, account, roles, transfer, dry_run, registry }) {
    const at = `@${name}`;
    if (action === 'show' && shown !== null) return showOwner(shown);
    const other = makeVisible(account ?? '');
    const until = transfer === null ? '' : ` until ${transfer.expires.slice(0, 10)}`;
    const [done, planned] = {
      show: ['shown', 'show'],
      create: [`created ${at} at ${registry}`, `create ${at} at ${registry}`],
      add: [`${other} is now ${roles?.join(', ')} of ${at}`, `make ${other} ${roles?.join(', ')} of ${at}`],
      remove: [`removed ${other} from ${at}`, `remove ${other} from ${at}`],
      transfer: [
        `offered ${at} to ${other}${until}; it changes hands when ${other} runs 'skc owner accept ${at}'`,
        `offer ${at} to ${other}`,
      ],
      accept: [`${at} is yours`, `accept ${at}`],
      decline: [`declined ${at}`, `decline ${at}`],
    }[action];
    return `${dry_run ? `would ${planned}` : done}\n`;
  },
});

/** The offer of an owner to this account. E201 when there is none. */
async function offerOf(name: string, account: RegistryAccount): Promise<Transfer> {
  const { transfers } = await account.whoami();
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
