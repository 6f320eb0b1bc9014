// Claims in the identity token of a CI job, in one form for all systems.

import type { Provenance } from 'skillwright/registry-protocol';
import * as z from 'zod';
import type { CiIssuer } from '../settings/index.ts';

/** A job of a CI system, as its identity token describes it. */
export interface CiIdentity {
  readonly repository: string;
  readonly ownerId: string;
  /** The file that defines the run, as people write it: `release.yml`, `.gitlab-ci.yml`. Null: outside of the repository. */
  readonly workflow: string | null;
  readonly environment: string | null;
  /** Id of the person who started the run, at the same issuer. */
  readonly startedBy: string | null;
  readonly provenance: Provenance;
  /** Why such a run may never publish. */
  readonly refusal: string | undefined;
}

const Text = z.string().min(1).max(1000);

const GithubClaims = z.object({
  iss: Text,
  sub: Text,
  repository: Text,
  repository_id: Text,
  repository_owner_id: Text,
  ref: Text,
  sha: Text,
  event_name: Text,
  head_ref: z.string().optional(),
  workflow_ref: Text,
  run_id: Text,
  run_attempt: Text.optional(),
  actor_id: Text.optional(),
  environment: Text.optional(),
});

const GitlabClaims = z.object({
  iss: Text,
  sub: Text,
  project_path: Text,
  project_id: Text,
  namespace_id: Text,
  job_project_id: Text.nullish(),
  ref: Text,
  ref_type: Text,
  ref_path: Text.nullish(),
  sha: Text,
  pipeline_source: Text,
  pipeline_id: Text,
  user_id: Text.nullish(),
  ci_config_ref_uri: Text.nullish(),
  environment: Text.nullish(),
});

/** Reads verified claims; undefined when they do not describe a job of such a system. */
export function readCiIdentity(kind: CiIssuer['kind'], claims: unknown): CiIdentity | undefined {
  if (kind === 'github') {
    const { data } = GithubClaims.safeParse(claims);
    return data && fromGithub(data);
  }
  const { data } = GitlabClaims.safeParse(claims);
  return data && fromGitlab(data);
}

/** Events that only people with rights in the repository cause. All others may run on behalf of strangers. */
const OWN_EVENTS: ReadonlySet<string> = new Set([
  'push',
  'release',
  'workflow_dispatch',
  'repository_dispatch',
  'schedule',
]);

/** The same for pipelines. */
const OWN_SOURCES: ReadonlySet<string> = new Set([
  'push',
  'web',
  'api',
  'trigger',
  'schedule',
  'parent_pipeline',
]);

function fromGithub(claims: z.output<typeof GithubClaims>): CiIdentity {
  const server = claims.iss
    .replace(/\/_services\/token$/, '')
    .replace('token.actions.githubusercontent.com', 'github.com');
  const attempt = claims.run_attempt === undefined ? '' : `/attempts/${claims.run_attempt}`;
  return {
    repository: claims.repository,
    ownerId: claims.repository_owner_id,
    workflow: withinPrefix(claims.workflow_ref, `${claims.repository}/.github/workflows/`),
    environment: claims.environment ?? null,
    startedBy: claims.actor_id ?? null,
    provenance: {
      kind: 'ci',
      issuer: claims.iss,
      subject: claims.sub,
      repository: claims.repository,
      repositoryId: claims.repository_id,
      ownerId: claims.repository_owner_id,
      commit: claims.sha,
      ref: claims.ref,
      workflow: claims.workflow_ref,
      run: webAddress(`${server}/${claims.repository}/actions/runs/${claims.run_id}${attempt}`),
    },
    refusal:
      !OWN_EVENTS.has(claims.event_name) ||
      (claims.head_ref ?? '') !== '' ||
      !/^refs\/(?:heads|tags)\//.test(claims.ref)
        ? 'runs for pull requests, and runs that others can start, may not publish'
        : undefined,
  };
}

function fromGitlab(claims: z.output<typeof GitlabClaims>): CiIdentity {
  const { host } = new URL(claims.iss);
  const ref = claims.ref_path ?? claims.ref;
  const isMerge =
    !OWN_SOURCES.has(claims.pipeline_source) ||
    !['branch', 'tag'].includes(claims.ref_type) ||
    ref.startsWith('refs/merge-requests/');
  const isFork = (claims.job_project_id ?? claims.project_id) !== claims.project_id;
  return {
    repository: claims.project_path,
    ownerId: claims.namespace_id,
    workflow: withinPrefix(claims.ci_config_ref_uri ?? '', `${host}/${claims.project_path}//`),
    environment: claims.environment ?? null,
    startedBy: claims.user_id ?? null,
    provenance: {
      kind: 'ci',
      issuer: claims.iss,
      subject: claims.sub,
      repository: claims.project_path,
      repositoryId: claims.project_id,
      ownerId: claims.namespace_id,
      commit: claims.sha,
      ref,
      workflow: claims.ci_config_ref_uri ?? null,
      run: webAddress(`${claims.iss}/${claims.project_path}/-/pipelines/${claims.pipeline_id}`),
    },
    refusal: isFork
      ? 'jobs of forks may not publish'
      : isMerge
        ? 'pipelines for merge requests, and those that others can start, may not publish'
        : undefined,
  };
}

/** Lower case of ASCII letters alone: other letters fold into them, as the Kelvin sign into `k`. */
export function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** `<prefix>file@ref` → `file`; null when the file is elsewhere. */
function withinPrefix(text: string, prefix: string): string | null {
  if (!lowerCase(text).startsWith(lowerCase(prefix))) return null;
  const file = text.slice(prefix.length).split('@')[0];
  return file === undefined || file === '' ? null : file;
}

function webAddress(text: string): string | null {
  return URL.canParse(text) ? text : null;
}
