// A model for `skc test --model`: an endpoint or a command, and the variable that holds its key.

import * as z from 'zod';

const price = z.number().nonnegative();

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
  key_variable: z
    .string()
    .regex(/^[A-Z_][A-Z0-9_]{0,127}$/, {
      error: 'must be the name of an environment variable in capitals, never the key itself',
    })
    .optional()
    .describe('Environment variable that holds the key'),
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
