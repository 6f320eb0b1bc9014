// Trusted publishing: a CI job shows the identity token of its system and gets a token that publishes for a short time.

import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { readVariable, variableName } from '../../base/variables.ts';
import { checkUrl } from './check-url.ts';
import { askOauth, CLIENT_ID, IssuedToken, type OauthOptions } from './device-login.ts';
import type { Fetcher } from './fetcher.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The CI system that can give this process an identity. */
type CiSystem = 'github' | 'variable';

/** The system behind these variables; undefined outside CI, and in jobs without an identity. */
export function ciSystemOf(env: Variables): CiSystem | undefined {
  if (readVariable(env, 'ID_TOKEN') !== undefined) return 'variable';
  return env.ACTIONS_ID_TOKEN_REQUEST_URL && env.ACTIONS_ID_TOKEN_REQUEST_TOKEN ? 'github' : undefined;
}

const GithubAnswer = z.object({ value: z.string().min(1) });

/**
 * A token that publishes a skill, `@owner/name`, for the identity of this CI job. E249 when the job has no identity, or the registry does not
 * accept it.
 */
export async function exchangeIdentity(
  { registry, skill }: { readonly registry: string; readonly skill: string },
  env: Variables,
  options: OauthOptions,
): Promise<string> {
  const identity = await identityFor(registry, env, options);
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(identity)) throw noIdentity('the identity token is not a JWT');
  const form = {
    client_id: CLIENT_ID,
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: identity,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    scope: 'publish',
    resource: skill,
  };
  const answer = await askOauth({ registry, endpoint: 'token', form }, IssuedToken, options);
  if ('refusal' in answer) throw noIdentity(`the registry refused it: ${answer.refusal.why}`);
  return answer.value.access_token;
}

/** The identity token of this job, made out to the registry. */
async function identityFor(registry: string, env: Variables, options: OauthOptions): Promise<string> {
  const system = ciSystemOf(env);
  if (system === 'variable') return readVariable(env, 'ID_TOKEN')!.trim();
  if (system === 'github') return askGithub(registry, env, options);
  throw noIdentity(
    `this process has neither ${variableName('ID_TOKEN')} nor the variables of a GitHub Actions job with 'id-token: write'`,
  );
}

async function askGithub(
  registry: string,
  env: Variables,
  { fetcher, signal }: { fetcher: Fetcher; signal?: AbortSignal | undefined },
): Promise<string> {
  const url = checkUrl(env.ACTIONS_ID_TOKEN_REQUEST_URL!);
  url.searchParams.set('audience', registry);
  const headers = { authorization: `Bearer ${env.ACTIONS_ID_TOKEN_REQUEST_TOKEN}` };
  const { value } = await fetcher.getJson(url, GithubAnswer, { headers, signal });
  return value.value;
}

function noIdentity(why: string): SkillwrightError {
  return SkillwrightError.of('E249', { why }, { data: { why } });
}
