// An agent host with skills: node examples/host/host.ts, or bun, in a folder with skills that you trust.

import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { createInterface } from 'node:readline';
import {
  bindTools,
  type ConfirmationQuestion,
  createSession,
  type SavedSession,
  type Session,
} from 'skillwright/host';
import { type Call, createModel, type Message, type Model } from './scripted-model.ts';

/** A conversation that has grown longer is shortened. */
const MAX_MESSAGES = 10;

/** A conversation as it is stored between two runs. */
interface SavedConversation {
  readonly messages: Message[];
  readonly skills: SavedSession;
}

const input = createInterface({ input: process.stdin });
const lines = input[Symbol.asyncIterator]();

/** Asks the user. No answer is a no. */
async function ask(question: string): Promise<string> {
  console.log(question);
  const { value, done } = await lines.next();
  return done ? '' : value.trim();
}

/** A rule wants the user to confirm something that is done with a skill. */
async function confirm({ skill, tool, remembers }: ConfirmationQuestion): Promise<boolean | 'remember'> {
  const answer = await ask(`May the agent use ${tool} on ${skill.name}? [y/N${remembers ? '/always' : ''}]`);
  return answer === 'always' ? 'remember' : answer === 'y';
}

/** One conversation: its messages, and the session that knows which skills the model has been given. */
class Conversation {
  #messages: Message[] = [];
  readonly #session: Session;
  readonly #model: Model;

  private constructor(session: Session, model: Model) {
    this.#session = session;
    this.#model = model;
  }

  /** A new conversation, or a saved one that goes on. */
  static async open(model: Model, saved?: SavedConversation): Promise<Conversation> {
    const session = await createSession({
      cwd: process.cwd(),
      home: homedir(),
      trust: true,
      budgets: { tokens: 2000 },
      confirm,
      sessionId: 'conversation-1',
    });
    const conversation = new Conversation(session, model);
    if (saved !== undefined) await conversation.#resume(saved);
    return conversation;
  }

  async #resume({ messages, skills }: SavedConversation): Promise<void> {
    this.#messages = messages;
    const { unchanged, changed, vanished, active, diagnostics } = await this.#session.resume(skills);
    for (const [kind, found] of Object.entries({ unchanged, changed, vanished, active }))
      console.log(`resumed, ${kind}: ${found.map(({ name }) => name).join(', ') || 'none'}`);
    for (const { message } of diagnostics) console.log(`resumed, but ${message}`);
  }

  async save(): Promise<SavedConversation> {
    return { messages: this.#messages, skills: await this.#session.save() };
  }

  /** Ends toolsets, and hooks that run in the background. */
  close = () => this.#session.close();

  /** Works on a task of the user until the model has nothing more to call. */
  async run(task: string): Promise<string> {
    this.#add('user', task);
    for (const { name, skill, problem } of await this.#session.mentions(task)) {
      if (skill === null) console.log(`${name} cannot be used: ${problem}`);
      else this.#add('user', await this.#load(skill.path));
    }
    for (;;) {
      if (this.#messages.length > MAX_MESSAGES) this.#compact();
      const { text } = await this.#session.prompt();
      const reply = await this.#model(`You are a careful colleague.\n\n${text}`, this.#messages);
      this.#add('assistant', typeof reply === 'string' ? reply : JSON.stringify(reply));
      if (typeof reply === 'string') return reply;
      const result = await this.#carryOut(reply);
      const shown = result.replaceAll(process.cwd(), '.').replace(/\s+/g, ' ').trim().slice(0, 100);
      console.log(`${reply.tool} ${JSON.stringify(reply.input)}\n  ${shown}`);
      this.#add('tool', result);
    }
  }

  /** The text of a skill that the user has named, or why it is not given. */
  #load(path: string): Promise<string> {
    const loading = this.#session.load({ path }, { by: 'user' });
    return loading.then(({ text }) => text).catch(({ message }) => message);
  }

  #add(role: Message['role'], content: string): void {
    this.#messages.push({ role, content });
  }

  /** Keeps the last two messages, and tells the session that the other texts are gone. */
  #compact(): void {
    const { skills, text } = this.#session.compacted();
    this.#messages = [{ role: 'user', content: text }, ...this.#messages.slice(-2)];
    console.log(`compacted, loaded before: ${skills.map(({ name }) => name).join(', ')}`);
  }

  /** The result of a call. A refusal is a text for the model, and the conversation goes on. */
  async #carryOut({ tool, input: given }: Call): Promise<string> {
    if (tool === 'bash') return this.#runCommand(String(given.command));
    // Asked each time: a skill that was loaded may have brought tools along.
    const tools = await bindTools(this.#session, { activateOnLoad: true });
    const known = tools.find(({ name }) => name === tool);
    return known === undefined ? `no tool is called ${tool}` : known.run(given);
  }

  /** A tool of the host itself. Hooks of the skills in use are asked before it runs. */
  async #runCommand(command: string): Promise<string> {
    const event = { tool_name: 'Bash', tool_input: { command } };
    const verdict = await this.#session.hooks('PreToolUse', event);
    const { decision, reasons, stopReason } = verdict;
    if (decision === 'block' || !verdict.continue)
      return `blocked: ${[...reasons, stopReason].join(' ').trim()}`;
    if (decision === 'ask' && (await ask(`${reasons.join(' ')} Run ${command}? [y/N]`)) !== 'y')
      return 'blocked: the user has said no';
    const { stdout } = spawnSync(command, { shell: true, encoding: 'utf8' });
    return stdout || 'done';
  }
}

const model = createModel();
const first = await Conversation.open(model);
console.log(await first.run('With $careful: what is in the figures, and may the column be renamed?'));
const saved = JSON.stringify(await first.save());
await first.close();

const second = await Conversation.open(model, JSON.parse(saved));
console.log(await second.run('How long is the summary?'));
await second.close();
input.close();
