// Trusted publishers of an owner: read from flags, and shown.

import { invalidOption, makeVisible } from '../../base/diagnostics/index.ts';
import {
  type Publisher,
  type PublisherRequest,
  parseAddress,
  spellAddress,
} from '../../ship/protocol/index.ts';

/** Identities of GitHub Actions. */
const GITHUB = 'https://token.actions.githubusercontent.com';

/** The publisher that the flags describe. E100 when the skill belongs to another owner. */
export function readPublisher(
  owner: string,
  input: {
    readonly skill?: string | undefined;
    readonly repository?: string | undefined;
    readonly issuer?: string | undefined;
    readonly repository_owner_id?: string | undefined;
    readonly workflow?: string | undefined;
    readonly environment?: string | undefined;
  },
): PublisherRequest {
  const { skill = '', repository = '', issuer = GITHUB } = input;
  const address = parseAddress(skill.startsWith('@') ? skill : `@${owner}/${skill}`);
  if (address?.owner !== owner) throw invalidOption(`'${skill}' is not a skill of @${owner}`);
  return {
    skill: spellAddress(address),
    issuer,
    repository,
    repositoryOwnerId: input.repository_owner_id ?? null,
    workflow: input.workflow ?? null,
    environment: input.environment ?? null,
  };
}

/** The list of publishers of an owner, for people. */
export function showPublishers(owner: string, publishers: readonly Publisher[]): string {
  if (publishers.length === 0) return `${owner} has no trusted publishers\n`;
  const lines = publishers.map(
    (one) =>
      `${makeVisible(one.id)}  ${describePublisher(one)}, last used ${one.used?.slice(0, 10) ?? 'never'}`,
  );
  return `${lines.join('\n')}\n`;
}

/** A publisher in one line. */
export function describePublisher(publisher: Publisher): string {
  const { repository, issuer, skill, pending, workflow, environment } = publisher;
  const limits = [
    ...(workflow === null ? [] : [`workflow ${workflow}`]),
    ...(environment === null ? [] : [`environment ${environment}`]),
  ];
  const only = limits.length === 0 ? '' : `, only ${limits.join(' in ')}`;
  const state = pending ? ' (not published yet)' : '';
  return makeVisible(`${repository} at ${issuer} may publish ${skill}${state}${only}`);
}
