// Opens a model of the user's configuration.

import { isIP } from 'node:net';
import { SkillwrightError, suggest } from '../../base/diagnostics/index.ts';
import type { Environment } from '../../base/files/index.ts';
import { isAllowed, isThisMachine } from '../../ship/network/index.ts';
import type { Config, ModelEntry } from '../../skill/config/index.ts';
import { anthropicProtocol } from './anthropic-protocol.ts';
import { commandEnvironment, createCommandModel, whyNotAskable } from './ask-command.ts';
import { createEndpoint, type Endpoint } from './ask-endpoint.ts';
import type { Model, ModelAnswer, ModelRequest } from './model.ts';
import { openaiProtocol } from './openai-protocol.ts';

/** The configuration, and the environment with the keys. */
interface ModelSource extends Pick<Endpoint, 'pause'> {
  readonly config: Pick<Config, 'models' | 'network'>;
  readonly env: Environment;
}

const protocols = { openai: openaiProtocol, anthropic: anthropicProtocol };
const MAX_TOKENS = 4096;

/** The model of that name. E265 when it is not configured, or not completely. */
export function openModel(name: string, source: ModelSource): Model {
  const { models } = source.config;
  const entry = Object.hasOwn(models, name) ? models[name] : undefined;
  if (entry === undefined) throw unknownModel(name, Object.keys(models));
  const { kind, max_tokens: maxTokens = MAX_TOKENS, input_price: input, output_price: output } = entry;
  if (kind === undefined) throw badModel(name, 'it has no kind', `skc config models.${name}.kind openai`);
  const prices = input === undefined || output === undefined ? undefined : { input, output };
  const shared = { name, kind, maxTokens, prices };
  if (kind === 'command') {
    const { command } = entry;
    if (command === undefined)
      throw badModel(name, 'it has no command', `skc config models.${name}.command '["claude", "-p"]'`);
    const why = whyNotAskable(command);
    if (why !== undefined) throw badModel(name, why);
    const { variables = [], key_variable: key } = entry;
    const env = commandEnvironment(source.env, key === undefined ? variables : [...variables, key]);
    const ask = createCommandModel({
      name,
      command,
      env,
      timeoutMs: (entry.timeout ?? 600) * 1000,
    });
    return { ...shared, label: command[0]!, hasTools: false, settings: { kind, command }, ask };
  }
  const { model, temperature } = entry;
  if (model === undefined)
    throw badModel(name, 'it has no model', `skc config models.${name}.model my-model`);
  const protocol = protocols[kind];
  const url = entry.url ?? protocol.defaultUrl;
  refuseOpenLine(name, url, source.config.network);
  const key = keyFor(name, entry, source.env);
  const ask = createEndpoint({
    name,
    url,
    key,
    protocol,
    settings: { model, maxTokens, temperature },
    timeoutMs: (entry.timeout ?? 120) * 1000,
    network: { allowPrivate: source.config.network.allow_private },
    pause: source.pause,
  });
  const settings = { kind, url, model, maxTokens, temperature };
  return { ...shared, label: model, hasTools: true, settings, ask };
}

/** Variables that hold keys of models, and a function that replaces those keys in a text. */
export function modelKeys({ config: { models }, env }: ModelSource): {
  readonly variables: readonly string[];
  readonly hide: (text: string) => string;
} {
  const variables = [
    ...new Set(
      Object.values(models).flatMap(({ key_variable: key, variables: named = [] }) =>
        key === undefined ? named : [key, ...named],
      ),
    ),
  ];
  const isSecret = (name: string) =>
    /KEY|TOKEN|SECRET|PASS|AUTH/.test(name) ||
    Object.values(models).some(({ key_variable: key }) => key === name);
  return { variables, hide: createKeyHider(variables.filter(isSecret).map((name) => env[name] ?? '')) };
}

/** The model, with the keys taken out of its answers and errors. */
export function withoutKeys(model: Model, hide: (text: string) => string): Model {
  return {
    ...model,
    async ask(request: ModelRequest): Promise<ModelAnswer> {
      try {
        const { text, calls, ...counts } = await model.ask(request);
        return { ...counts, text: hide(text), calls: hideKeysIn(calls, hide) };
      } catch (error) {
        if (!(error instanceof SkillwrightError)) throw error;
        const { code, message, data = {} } = error;
        const why = typeof data.why === 'string' ? { why: hide(data.why) } : {};
        throw SkillwrightError.received({ code, message: hide(message), data: { ...data, ...why } });
      }
    },
  };
}

function keyFor(name: string, { key_variable: variable }: ModelEntry, env: Environment): string | undefined {
  if (variable === undefined) return undefined;
  const key = env[variable]?.trim();
  if (key === undefined || key === '') throw badModel(name, `the variable ${variable} is not set`);
  if (/[^\x21-\x7e]/.test(key))
    throw badModel(name, `${variable} does not hold a key: it has spaces or other characters no key has`);
  return key;
}

/** The key and the text of skills go over https, to this machine, or to a host the user allows. */
function refuseOpenLine(name: string, text: string, { allow_private: allowed }: Config['network']): void {
  const url = new URL(text);
  if (url.protocol === 'https:' || isThisMachine(url)) return;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const target = { host, port: Number(url.port || 80), address: isIP(host) === 0 ? '255.255.255.255' : host };
  if (isAllowed(target, allowed)) return;
  const others = typeof allowed === 'boolean' ? [] : allowed;
  throw SkillwrightError.of(
    'E265',
    { name, why: `${url.origin} is neither https nor this machine` },
    {
      help: `use https; or, if the network in between is yours: skc config network.allow_private '${[...others, url.host].join(',')}' --scope user`,
    },
  );
}

function unknownModel(name: string, known: readonly string[]): SkillwrightError {
  const [close] = suggest(name, known);
  const help =
    close !== undefined
      ? `did you mean ${close}?`
      : known.length > 0
        ? `configured: ${known.join(', ')}`
        : 'configure one in your own configuration; `skc help evals` shows how';
  return SkillwrightError.of('E265', { name, why: 'it is not in your configuration' }, { help });
}

function badModel(name: string, why: string, command?: string): SkillwrightError {
  const help = command === undefined ? undefined : `for example: ${command} --scope user`;
  return SkillwrightError.of('E265', { name, why }, { help });
}

/** Replaces every key in a text, as it is and in the encodings it travels in. */
export function createKeyHider(keys: readonly string[]): (text: string) => string {
  const forms = new Set(
    keys
      .filter((key) => key !== '')
      .flatMap((key) => [
        key,
        encodeURIComponent(key),
        JSON.stringify(key).slice(1, -1),
        Buffer.from(key).toString('base64'),
        Buffer.from(key).toString('base64url'),
      ]),
  );
  // Longest first, so that no rest of a longer form stays.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((hidden, form) => hidden.replaceAll(form, '[key]'), text);
}

/** The same for every text in a value. */
export function hideKeysIn<Value>(value: Value, hide: (text: string) => string): Value {
  if (typeof value === 'string') return hide(value) as Value;
  if (Array.isArray(value)) return value.map((item) => hideKeysIn(item as unknown, hide)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [hide(name), hideKeysIn(item as unknown, hide)]),
  ) as Value;
}
