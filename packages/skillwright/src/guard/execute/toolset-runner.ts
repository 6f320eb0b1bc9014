// The program that runs a toolset: it imports the module and answers calls, one message per line. It is a string
// because it runs in another process, which cannot read this package.

/**
 * The source, for Node and Bun. It reads orders from standard input and answers on standard output, each line marked
 * with a secret from its first order; all other output goes to the error stream. It saves the functions it
 * needs before it loads the module, so a module that replaces them breaks only itself.
 */
export const toolsetRunner = String.raw`
import { Console } from 'node:console';
import fs from 'node:fs';
import * as loader from 'node:module';
import { Writable } from 'node:stream';

const { parse, stringify } = JSON;
const { writeSync } = fs;
const { from } = Buffer;
const { exit } = process;
const { create, entries, hasOwn, keys } = Object;
const { isArray } = Array;
const { wait } = Atomics;
const Cancel = AbortController;
const sleeping = new Int32Array(new SharedArrayBuffer(4));
const running = create(null);
let mark;
let order;
let tools;
let maxBytes = 0;

function put(fd, data) {
  const bytes = typeof data === 'string' ? from(data) : data;
  let sent = 0;
  while (sent < bytes.length) {
    try {
      sent += writeSync(fd, bytes, sent);
    } catch (error) {
      if (error.code !== 'EAGAIN') return false;
      wait(sleeping, 0, 0, 1);
    }
  }
  return true;
}
function say(text) {
  if (!put(1, '\n' + mark + text + '\n')) exit(1);
}
const answer = (message) => say(stringify(message));
const textOf = (error) => {
  try {
    const text = error instanceof Error ? error.message || error.name : error;
    return ('' + text).slice(0, 2000);
  } catch {
    return 'an error without a readable message';
  }
};

// Output is written synchronously, so that a flood blocks until it is read.
const quiet = new Writable({
  write(chunk, encoding, done) {
    put(2, chunk);
    done();
  },
});
globalThis.console = new Console({ stdout: quiet, stderr: quiet });
process.stdout.write = function write(...words) {
  return quiet.write(...words);
};

const shim = 'export const defineToolset = (toolset) => toolset;';
const NAME = 'skillwright/guard';
if (typeof Bun !== 'undefined') {
  Bun.plugin({
    name: NAME,
    setup(build) {
      build.module(NAME, () => ({ contents: shim, loader: 'js' }));
    },
  });
} else if (loader.registerHooks !== undefined) {
  loader.registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== NAME) return next(specifier, context);
      return { url: 'data:text/javascript,' + encodeURIComponent(shim), shortCircuit: true };
    },
  });
}

// Toolsets written for other frameworks call the schema so.
const inputOf = (tool) => tool.input ?? tool.inputSchema ?? tool.parameters;

function inputSchemaOf(input) {
  if (input === undefined) return { type: 'object', properties: {}, additionalProperties: false };
  const standard = input['~standard'];
  if (standard && standard.jsonSchema) return standard.jsonSchema.input({ target: 'draft-2020-12' });
  if (typeof input.toJSONSchema === 'function') return input.toJSONSchema({ io: 'input' });
  if (standard) throw new Error('its input is a schema that cannot produce a JSON Schema');
  return input;
}

async function load() {
  let module;
  try {
    module = await import(order.module);
  } catch (error) {
    throw new Error('it cannot be imported: ' + textOf(error));
  }
  if (!hasOwn(module, order.export)) {
    const names = keys(module).join(', ');
    throw new Error("it has no export '" + order.export + "'" + (names ? '; it exports ' + names : ''));
  }
  const toolset = module[order.export];
  const isObject = (value) => typeof value === 'object' && value !== null && !isArray(value);
  if (!isObject(toolset) || !isObject(toolset.tools))
    throw new Error("'" + order.export + "' is not an object with 'tools'");
  const found = create(null);
  const declared = [];
  for (const [name, tool] of entries(toolset.tools)) {
    const fault = (why) => new Error("tool '" + name + "': " + why);
    if (!isObject(tool)) throw fault('it is not an object');
    if (typeof tool.run !== 'function') throw fault("it has no function 'run'");
    if (typeof tool.description !== 'string') throw fault("it has no 'description'");
    let schema;
    try {
      schema = inputSchemaOf(inputOf(tool));
    } catch (error) {
      throw fault(textOf(error));
    }
    found[name] = tool;
    declared.push({ name, description: tool.description, schema });
  }
  tools = found;
  answer({ ready: { description: toolset.description, tools: declared } });
}

async function call({ id, tool, input }) {
  const cancel = new Cancel();
  running[id] = cancel;
  try {
    const definition = tools[tool];
    if (definition === undefined) throw new Error('the tool no longer exists');
    const check = inputOf(definition)?.['~standard']?.validate;
    let given = input;
    if (check) {
      const checked = await check(input);
      if (checked.issues) throw new Error(checked.issues.map((issue) => issue.message).join('; '));
      given = checked.value;
    }
    const result = await definition.run(given, { signal: cancel.signal, skillDir: order.skillDir });
    let text;
    try {
      text = stringify(result === undefined ? null : result);
    } catch (error) {
      throw new Error('its result is not plain JSON: ' + textOf(error));
    }
    if (text === undefined) throw new Error('its result is not plain JSON');
    if (from(text).length > maxBytes) answer({ id, tooLarge: true });
    else say('{"id":' + id + ',"result":' + text + '}');
  } catch (error) {
    answer({ id, error: textOf(error) });
  } finally {
    delete running[id];
  }
}

function obey(message) {
  if (order === undefined) {
    order = message;
    mark = message.mark;
    maxBytes = message.maxBytes;
    load().catch((error) => {
      answer({ failed: textOf(error) });
      exit(1);
    });
  } else if (message.cancel !== undefined) running[message.cancel]?.abort();
  else call(message);
}

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) obey(parse(line));
});
process.stdin.on('end', () => exit(0));
`;
