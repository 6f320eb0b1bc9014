// A small server for a model on this machine, in the protocol of chat completions: what bench/model-evals.ts asks.
// node-llama-cpp is not one of our dependencies: install it somewhere and name that directory.
// usage: node bench/model-server.ts <directory with node-llama-cpp> <weights.gguf> [port]

import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content?: string | null;
  readonly tool_calls?: readonly {
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}
interface Request {
  readonly messages: readonly Message[];
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly tools?: readonly { readonly function: object }[];
}

const [directory = '.', weights = '', port = '8123'] = process.argv.slice(2);
const found = createRequire(join(resolve(directory), 'package.json')).resolve('node-llama-cpp');
const { getLlama, LlamaCompletion } = await import(pathToFileURL(found).href);
const llama = await getLlama({ gpu: false, build: 'never', maxThreads: 2 });
const model = await llama.loadModel({ modelPath: resolve(weights) });
const context = await model.createContext({ contextSize: 8192, sequences: 1 });
const sequence = context.getSequence();
// One sequence for all requests: the part of a prompt that repeats, such as the list of skills, is evaluated once.
const completion = new LlamaCompletion({ contextSequence: sequence });

/** The template of Qwen and SmolLM; tools are described in the system prompt, and a call comes back as text. */
function render({ messages, tools = [] }: Request): string {
  const described =
    tools.length === 0
      ? ''
      : `\n\n# Tools\n\nYou may call one of these functions:\n<tools>\n${tools.map((tool) => JSON.stringify(tool)).join('\n')}\n</tools>\nTo call one, reply with a JSON object in <tool_call></tool_call>:\n<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>`;
  const turns = messages.map(({ role, content, tool_calls: calls = [] }, index) => {
    const text = `${content ?? ''}${calls.map(({ function: { name, arguments: given } }) => `<tool_call>\n{"name": "${name}", "arguments": ${given}}\n</tool_call>`).join('')}`;
    if (role === 'tool') return `<|im_start|>user\n<tool_response>\n${text}\n</tool_response><|im_end|>\n`;
    return `<|im_start|>${role}\n${text}${index === 0 ? described : ''}<|im_end|>\n`;
  });
  return `${turns.join('')}<|im_start|>assistant\n`;
}

async function answer(request: Request): Promise<object> {
  const prompt = model.tokenize(render(request), true);
  const text: string = await completion.generateCompletion(prompt, {
    maxTokens: Math.min(request.max_tokens ?? 512, 512),
    temperature: request.temperature ?? 0,
    customStopTriggers: ['<|im_end|>', '<|im_start|>'],
  });
  return {
    choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: text } }],
    usage: { prompt_tokens: prompt.length, completion_tokens: model.tokenize(text).length },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

let before: Promise<unknown> = Promise.resolve();
createServer(async (request, response) => {
  const body = JSON.parse(await bodyOf(request)) as Request;
  const mine = before.then(() => answer(body));
  before = mine.catch(() => {});
  try {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(await mine));
  } catch (error) {
    response.statusCode = 500;
    response.end(JSON.stringify({ error: { message: String(error) } }));
  }
}).listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/v1`));
