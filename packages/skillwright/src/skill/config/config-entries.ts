// Entries of tables in the configuration: permission rules, models and hosts.

import { isIP } from 'node:net';
import * as z from 'zod';
import { canNameDirectory } from '../format/index.ts';

/** One permission rule. Rejects unknown fields, because a misspelt condition must never widen a rule. */
export const PermissionRule = z.strictObject({
  tool: z.string().min(1),
  /** Any name a skill in the catalog can have. */
  skill_name: z.string().refine(canNameDirectory, 'must be a skill name').optional(),
});
/** One permission rule. */
export type PermissionRule = z.output<typeof PermissionRule>;

const price = z.number().nonnegative();
const variable = z.string().regex(/^[A-Z_][A-Z0-9_]{0,127}$/, {
  error: 'must be the name of an environment variable in capitals, never the key itself',
});

/** Fields of `[models.<name>]`. The fields a kind needs are checked when the model is used. */
export const ModelEntry = z.object({
  kind: z
    .enum(['openai', 'anthropic', 'command'])
    .optional()
    .describe(
      'Protocol of the model: OpenAI chat completions, Anthropic messages, or a command that answers a prompt',
    ),
  url: z
    .url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' })
    .optional()
    .describe("Base address of the endpoint; that of the kind's maker by default"),
  model: z.string().min(1).optional().describe('Name of the model at the endpoint'),
  key_variable: variable.optional().describe('Environment variable that holds the key'),
  variables: z
    .array(variable)
    .optional()
    .describe('Other environment variables a command needs; it gets no others of yours'),
  command: z
    .array(z.string())
    .min(1)
    .optional()
    .describe(
      'Program and arguments; `{prompt}` stands for the prompt, which is on standard input otherwise',
    ),
  max_tokens: z.number().int().positive().optional().describe('Most tokens of one answer; 4096 by default'),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .optional()
    .describe("Temperature of the answers; the endpoint's own by default"),
  timeout: z
    .number()
    .int()
    .positive()
    .max(3600)
    .optional()
    .describe('Seconds an answer may take; 120 by default, 600 for a command'),
  input_price: price.optional().describe('Price of a million tokens sent, in any currency'),
  output_price: price.optional().describe('Price of a million tokens received'),
});
export type ModelEntry = z.output<typeof ModelEntry>;

/** Names under which people would write a key into the file. */
const secretNames = /^(?:api_?)?(?:key|token|secret|password|auth(?:orization)?)$/i;

/** Why a field of a model must not be in a file; undefined for any other key. */
export function whyNoSecret(key: string): string | undefined {
  const [section, name, field = '', ...more] = key.split('.');
  if (section !== 'models' || more.length > 0 || !secretNames.test(field.replaceAll('-', '_')))
    return undefined;
  return `models.${name}.${field}: a key does not belong in this file; put it into an environment variable and name that in models.${name}.key_variable`;
}

/** An entry in its parts. */
export type HostEntry =
  | { readonly kind: 'network'; readonly network: string; readonly prefix: number }
  | { readonly kind: 'host'; readonly host: string; readonly port: number | undefined };

/** Parses `host`, `host:port`, `[address]:port`, `address` or `address/prefix`; undefined for anything else. */
export function readHostEntry(entry: string): HostEntry | undefined {
  const text = entry.trim().toLowerCase();
  const [, network = '', length] = /^(.+)\/(\d{1,3})$/.exec(text) ?? [];
  if (length !== undefined) {
    const family = isIP(network);
    const prefix = Number(length);
    return family === 0 || prefix > (family === 4 ? 32 : 128)
      ? undefined
      : { kind: 'network', network, prefix };
  }
  if (isIP(text) !== 0) return { kind: 'host', host: text, port: undefined };
  const [, bracketed, name, digits] =
    /^(?:\[(.+)\]|([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? name;
  if (host === undefined || (bracketed !== undefined && isIP(bracketed) !== 6)) return undefined;
  return { kind: 'host', host, port: digits === undefined ? undefined : Number(digits) };
}
