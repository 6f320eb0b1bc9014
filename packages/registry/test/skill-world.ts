// A registry with one namespace, and an account in every role.

import { createHash } from 'node:crypto';
import { DIGEST_HEADER, type Role, type Scope } from 'skillwright/registry-protocol';
import { nameSkeleton } from 'skillwright/skill';
import type { TestContext } from 'vitest';
import { makeTarGz } from '../../skillwright/test/make-archive.ts';
import { createToken } from '../src/accounts/stored-secrets.ts';
import type { Registry } from '../src/registry.ts';
import type { Settings } from '../src/settings/settings.ts';
import type { OpenTestRegistry, TestRegistry } from './open-test-registry.ts';

/** Everybody who may ask: without a token, without a role, by role, and with a token for another namespace. */
export const readers = [
  'anonymous',
  'stranger',
  'reader',
  'publisher',
  'reviewer',
  'admin',
  'elsewhere',
  'root',
] as const;
export type Reader = (typeof readers)[number];

/** A status and the parsed body. */
export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape, compared as whole values.
  readonly value: any;
}

/** A registry with people. */
export interface SkillWorld extends TestRegistry {
  readonly ownerId: number;
  readonly tokens: Readonly<Record<Exclude<Reader, 'anonymous'>, string>>;
  /** Sends a request; an object as body is sent as JSON. */
  ask(
    reader: Reader,
    request: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<Response>;
  /** The same, and the status with the parsed answer. */
  call(reader: Reader, request: string, body?: unknown): Promise<Answer>;
  publish(address: string, options?: PublishOptions): Promise<Answer>;
}

export interface PublishOptions {
  readonly by?: Reader;
  readonly files?: Readonly<Record<string, string>>;
  readonly archive?: Uint8Array;
  readonly headers?: Record<string, string>;
}

/** Opens a registry with the namespace `acme`. */
export async function openSkillWorld(
  open: OpenTestRegistry,
  context: TestContext,
  settings: Partial<Settings> = {},
): Promise<SkillWorld> {
  const made = await open(context, settings);
  const { registry, app } = made;
  const ownerId = await addOwner(registry, 'acme');
  const otherId = await addOwner(registry, 'other');
  const tokens = {
    stranger: await addAccount(registry, 'stranger'),
    reader: await addAccount(registry, 'reader', { roles: [[ownerId, 'reader']] }),
    publisher: await addAccount(registry, 'publisher', { roles: [[ownerId, 'publisher']] }),
    reviewer: await addAccount(registry, 'reviewer', { roles: [[ownerId, 'reviewer']] }),
    admin: await addAccount(registry, 'admin-of-acme', { roles: [[ownerId, 'admin']] }),
    elsewhere: await addAccount(registry, 'elsewhere', { roles: [[ownerId, 'admin']], limitedTo: otherId }),
    root: made.adminToken,
  };
  const ask: SkillWorld['ask'] = async (reader, request, { body, headers = {} } = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const isBytes = body instanceof Uint8Array || body instanceof ReadableStream;
    return app.request(path.startsWith('/') ? path : `/api/v1/${path}`, {
      method,
      headers: {
        ...(reader === 'anonymous' ? {} : { authorization: `Bearer ${tokens[reader]}` }),
        ...(body === undefined || isBytes ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: (isBytes ? body : JSON.stringify(body)) as string }),
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    } as RequestInit);
  };
  return {
    ...made,
    ownerId,
    tokens,
    ask,
    call: async (reader, request, body) => readAnswer(await ask(reader, request, { body })),
    async publish(address, { by = 'publisher', files = {}, archive, headers = {} } = {}) {
      const [, name = '', version = ''] = /^@[^/]+\/([^@]+)@(.+)$/.exec(address)!;
      const bytes = archive ?? packedSkill({ name, version, files });
      const path = address.replace(/(?<=.)@/, '/');
      const response = await ask(by, `PUT skills/${path}`, {
        body: bytes,
        headers: { [DIGEST_HEADER]: digestOfBytes(bytes), ...headers },
      });
      return readAnswer(response);
    },
  };
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, value: isJson ? JSON.parse(text) : text };
}

export async function addOwner({ database }: Registry, name: string): Promise<number> {
  const [row] = await database.query<{ id: number }>(
    'insert into owners (name, skeleton) values ($1, $2) returning id',
    [name, nameSkeleton(name)],
  );
  return row!.id;
}

/** A new account and a token of it. */
export async function addAccount(
  { database }: Registry,
  name: string,
  {
    roles = [],
    scopes,
    limitedTo,
  }: { roles?: readonly (readonly [number, Role])[]; scopes?: readonly Scope[]; limitedTo?: number } = {},
): Promise<string> {
  const [row] = await database.query<{ id: number }>('insert into accounts (name) values ($1) returning id', [
    name,
  ]);
  for (const [ownerId, role] of roles)
    await database.query('insert into roles (owner_id, account_id, role) values ($1, $2, $3)', [
      ownerId,
      row!.id,
      role,
    ]);
  const { token } = await createToken(database, {
    accountId: row!.id,
    name: 'test',
    ...(scopes === undefined ? {} : { scopes }),
    ...(limitedTo === undefined ? {} : { ownerId: limitedTo }),
  });
  return token;
}

/** The text of a SKILL.md that a registry accepts. */
export function skillText({
  name,
  version,
  description = `Checks ${name} files. Use when a ${name} file changes.`,
  extra = '',
  body = '# Steps\n\nRead the file, then report what changed.\n',
}: {
  name: string;
  version: string;
  description?: string;
  extra?: string;
  body?: string;
}): string {
  return `---\nname: ${name}\ndescription: ${description}\nlicense: MIT\nmetadata:\n  version: "${version}"\n  author: acme\n  tags: "files, checks"\n  category: development\n${extra}---\n\n${body}`;
}

/** An archive of a skill that a registry accepts, with further files. */
export function packedSkill({
  name,
  version,
  files = {},
}: {
  name: string;
  version: string;
  files?: Readonly<Record<string, string>>;
}): Uint8Array {
  return makeTarGz({ 'SKILL.md': skillText({ name, version }), ...files });
}

/** `sha256:<hex>`. */
export function digestOfBytes(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
