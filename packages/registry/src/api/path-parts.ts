// The variable parts of API paths: how each is spelled in a route, and checked.

import { Digest, OwnerName, Version } from 'skillwright/registry-protocol';
import * as z from 'zod';
import type { PathPart } from './operation.ts';

/** Schemas of the parts. A part that does not match names nothing: 404. */
export const pathParts: Readonly<Record<PathPart, z.ZodType<string>>> = {
  owner: OwnerName.describe('Namespace, without `@`'),
  name: OwnerName.describe('Name of the skill'),
  version: Version,
  digest: Digest,
  id: z.string().regex(/^[A-Za-z0-9-]{1,100}$/),
  account: z.string().regex(/^[A-Za-z0-9._@-]{1,64}$/),
};

/** Versions begin with a digit, so a word such as `rating` in their place is never taken for one. */
const patterns: Partial<Record<PathPart, string>> = { version: '[0-9][^/]*' };

/** The path as hono spells it. */
export function routePath(path: string): string {
  return path.replaceAll('@{owner}', ':owner{@[^/]+}').replaceAll(/\{([a-z]+)\}/g, (_, part: PathPart) => {
    const pattern = patterns[part];
    return pattern === undefined ? `:${part}` : `:${part}{${pattern}}`;
  });
}

/** Names of the variable parts, in order. */
export function partsOf(path: string): PathPart[] {
  return [...path.matchAll(/\{([a-z]+)\}/g)].map(([, part]) => part as PathPart);
}
