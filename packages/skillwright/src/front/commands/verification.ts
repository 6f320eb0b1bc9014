// skc verification: the level `verified` of skills at a registry: applications, and their queue for moderators.

import * as z from 'zod';
import { invalidOption, makeVisible, quoteWord } from '../../base/diagnostics/index.ts';
import { Reason, Verification, VerificationRequest, WebAddress } from '../../ship/protocol/index.ts';
import { defineCommand } from './define-command.ts';
import { choice, flag, registryFields, text } from './fields.ts';
import { changesRegistry, chooseRegistry, openAccount, readSkillAddress } from './registry-choice.ts';

const actions = ['list', 'apply', 'grant', 'decline'] as const;

/** Flags that an action cannot do without, and that belong to no other. */
const needs = { list: undefined, apply: 'statement', grant: 'reason', decline: 'reason' } as const;

/** Applies for a level, and decides about applications. */
export const verification = defineCommand({
  fields: {
    action: choice(actions, 'list, apply, grant or decline', { default: 'list' }),
    subject: text('The skill to apply for, or the id of an application'),
    statement: text('To apply: who publishes the skill, and how a moderator can check it', {
      schema: VerificationRequest.shape.statement,
    }),
    url: text('To apply: a page of yours that confirms it', { schema: WebAddress, max: 1000 }),
    reason: text('To grant or decline: why; the applicant sees it', { schema: Reason }),
    decided: flag('To list: applications that are decided'),
    ...registryFields,
  },
  positionals: ['action', 'subject'],
  output: z.object({
    registry: z.string(),
    action: z.enum(actions),
    verifications: z.array(Verification).describe('The applications, or the one that changed'),
    dry_run: z.boolean(),
  }),
  ...changesRegistry,
  about:
    'A skill is `community` when you publish it. It becomes `verified` when a moderator of the registry has checked who publishes it; `skc install` counts that in the trust score. Admins of the owner apply. Moderators see all applications, and decide with a token that has the scope review.',
  examples: {
    "skc verification apply @acme/pdf --statement 'Acme Ltd, see our page' --url https://acme.example/skills":
      'apply for a skill',
    'skc verification': 'list the applications that wait',
    "skc verification grant 0b1c --reason 'checked their page'": 'grant one, as a moderator',
  },
  async run({ action, subject, statement, url, reason, decided, registry, dry_run }, context) {
    const given = { statement, reason };
    for (const flag of ['statement', 'reason'] as const)
      if ((given[flag] === undefined) === (needs[action] === flag))
        throw invalidOption(
          given[flag] === undefined ? `missing --${flag}` : `--${flag} does not belong to ${action}`,
        );
    if (url !== undefined && action !== 'apply') throw invalidOption(`--url does not belong to ${action}`);
    if (action === 'list' && subject !== undefined) throw invalidOption(`unexpected argument '${subject}'`);
    if (action !== 'list' && subject === undefined)
      throw invalidOption(action === 'apply' ? 'name the skill' : 'name the id of the application');
    const skill = action === 'apply' ? readSkillAddress(subject!) : undefined;
    if (skill?.version !== undefined)
      throw invalidOption('a skill is verified as a whole, not one version of it');
    const chosen = await chooseRegistry({ registry, owner: skill?.owner }, context);
    const result = { registry: chosen.url, action, verifications: [], dry_run };
    if (dry_run && action !== 'list') return result;
    const account = await openAccount(chosen, context);
    if (action === 'list') {
      const state = decided ? 'decided' : 'open';
      return { ...result, ...(await account.call('listVerifications', { query: { state } })) };
    }
    if (skill !== undefined) {
      const { owner, name } = skill;
      const body = { statement: statement!, url };
      const made = await account.call('applyForVerification', { path: { owner, name }, body });
      return { ...result, verifications: [made] };
    }
    const body = { decision: action as 'grant' | 'decline', reason: reason! };
    const changed = await account.call('decideVerification', {
      path: { id: subject! },
      body,
      what: `application ${subject}`,
    });
    return { ...result, verifications: [changed] };
  },
  text({ action, verifications, dry_run }) {
    if (dry_run && action !== 'list')
      return `would ${action === 'apply' ? 'apply' : `${action} the application`}\n`;
    const [first] = verifications;
    if (first === undefined) return 'no applications\n';
    const { id, name, reason } = first;
    if (action === 'apply') return `applied for ${name}; a moderator of the registry decides\n`;
    if (action !== 'list')
      return `${action === 'grant' ? 'granted' : 'declined'} ${name}: ${makeVisible(reason ?? '')}\n`;
    return [
      verifications.map((one) => [
        `${makeVisible(one.id)}  ${one.name}, by ${makeVisible(one.by)} on ${one.at.slice(0, 10)}${one.decision === null ? '' : `: ${one.decision === 'grant' ? 'granted' : 'declined'}`}`,
        `  ${makeVisible(one.statement.replace(/\s+/g, ' '))}${one.url === null ? '' : ` ${makeVisible(one.url)}`}`,
      ]),
      first.decision === null && `to decide: skc verification grant ${quoteWord(id)} --reason '…'`,
    ];
  },
});
