// A session that records which questions it was asked and what it answered, for tests that replay them.

import { dirname, isAbsolute, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { compareBytes, isInside, sha256 } from '../../base/files/index.ts';
import { estimateTokens as estimate } from '../../base/tokens/index.ts';
import type { SkillReference } from '../../read/access/index.ts';
import { escapeXml, type SkillRecord } from '../../read/catalog/index.ts';
import { createSession } from './create-session.ts';
import type { RecordedStep, Recording } from './recording.ts';
import type { Session, SessionOptions } from './session.ts';
import type { SectionRequest } from './session-sections.ts';

/** A session, and what has been recorded of it so far. */
interface RecordedSession {
  readonly session: Session;
  /** Plain JSON: what the user wrote, names of skills, digests and token counts; never the text of a skill. */
  recording(): Recording;
}

type Answered = Exclude<RecordedStep, { do: 'other' }>;
type Step<Kind extends Answered['do']> = Extract<Answered, { do: Kind }>;
type Answer<Kind extends Answered['do']> = Exclude<Step<Kind>['got'], { error: string } | undefined>;
type Placed = Pick<SkillRecord, 'name' | 'dir'>;

/** How a call is written in a recording. */
type Title = (name: string, given: readonly unknown[], spell: (path: string) => string) => string;

const aboutSkill: Title = (call, [reference], spell) => {
  const { name, path } = (reference ?? {}) as SkillReference;
  const skill = name ?? (path === undefined ? undefined : spell(path));
  return skill === undefined ? call : `${call} '${skill}'`;
};

/** Calls that a replay does not repeat. The first parameter of most is a reference to a skill. */
const unrepeated = {
  plan: aboutSkill,
  outline: aboutSkill,
  section: (call, given, spell) =>
    aboutSkill(`${call} '${(given[0] as SectionRequest).section}' of`, given, spell),
  findIn: aboutSkill,
  runScript: (call, given, spell) => aboutSkill(`${call} ${given[1]} of`, given, spell),
  activate: aboutSkill,
  answerQuiz: aboutSkill,
  decideHooks: aboutSkill,
  hooks: (call, [event]) => `${call} ${event}`,
  resume: (call) => call,
  provider: (call) => call,
} satisfies Partial<Record<keyof Session, Title>>;

/** Opens a session like `createSession` and records it. Permissions are not recorded: neither confirmations nor quizzes. */
export async function recordSession(options: SessionOptions): Promise<RecordedSession> {
  const { cwd, home, estimateTokens = estimate } = options;
  const inner = await createSession(options);
  const steps: RecordedStep[] = [];

  const noted = async <Kind extends Answered['do'], Result>(
    step: Step<Kind>,
    run: () => Promise<Result>,
    describe: (result: Result) => Answer<Kind> | Promise<Answer<Kind>>,
  ): Promise<Result> => {
    // Steps stand in the order of the calls, whichever is answered first.
    steps.push(step);
    const result = await run().catch((error) => {
      if (error instanceof SkillwrightError) step.got = { error: error.code };
      throw error;
    });
    step.got = await describe(result);
    return result;
  };
  const weigh = (text: string, skills: readonly Placed[]) => {
    const moved = withoutPlaces(text, skills);
    return { digest: sha256(moved), tokens: estimateTokens(moved) };
  };
  const known = async () => {
    const { skills, hidden } = await inner.catalog();
    return [...skills, ...hidden.map(({ skill }) => skill)];
  };
  /** A reference that means the same skill on another machine. */
  const portable = async ({ name, path }: SkillReference): Promise<SkillReference> => {
    if (path === undefined) return { name };
    const skills = await known();
    const skill = skills.find((each) => each.path === path || each.dir === path);
    const isUnique = skills.filter((each) => each.name === skill?.name).length === 1;
    return skill !== undefined && isUnique ? { name: skill.name } : { path: spellPlace(path, { cwd, home }) };
  };
  const noteMessage = <Result>(text: string, run: () => Promise<Result>): Promise<Result> => {
    const last = steps.findLast((step) => step.do === 'message');
    if (last?.text === text) return run();
    return noted({ do: 'message', text }, run, async () => ({
      mentions: (await inner.mentions(text)).map(({ name, problem }) =>
        problem === null ? name : `${name}: ${problem}`,
      ),
      suggested: (await inner.triggers(text)).map(({ skill }) => skill.name),
      found: text.trim() === '' ? [] : foundNames((await inner.search({ query: text })).results),
    }));
  };

  const session: Session = {
    ...inner,
    get id() {
      return inner.id;
    },
    prompt(how = {}) {
      const { renderer, budgets } = how;
      return noted(
        { do: 'prompt', renderer: typeof renderer === 'string' ? renderer : undefined, budgets },
        () => inner.prompt(how),
        async ({ text, shown, missing }) => {
          const { skills } = await inner.catalog();
          const listed = skills.map(({ name }) => name).toSorted(compareBytes);
          return { skills: listed, shown, missing, ...weigh(text, skills) };
        },
      );
    },
    mentions: (text) => noteMessage(text, () => inner.mentions(text)),
    triggers: (text) => noteMessage(text, () => inner.triggers(text)),
    search: ({ query, limit, scope }) =>
      noted(
        { do: 'search', query, limit, scope },
        () => inner.search({ query, limit, scope }),
        ({ results }) => ({ found: foundNames(results) }),
      ),
    async load(reference, how = {}) {
      const { by, offset } = how;
      return noted(
        { do: 'load', ...(await portable(reference)), by: by === 'user' ? by : undefined, offset },
        () => inner.load(reference, how),
        ({ status, text, metadata: { name, dir } }) => {
          const { digest, tokens } = weigh(text, [{ name, dir }]);
          // The order of a quiz's options differs from session to session.
          return { skill: name, status, digest: status === 'quiz' ? '' : digest, tokens };
        },
      );
    },
    async readResource(request, how) {
      const { file, offset, limit, ...skill } = request;
      const dir = isAbsolute(file)
        ? (await known()).find((each) => isInside(each.dir, file))?.dir
        : undefined;
      const spelt = dir === undefined ? file : relative(dir, file);
      return noted(
        { do: 'read', ...(await portable(skill)), file: spelt, offset, limit },
        () => inner.readResource(request, how),
        ({ content }) => weigh(content, []),
      );
    },
    compacted(how = {}) {
      const result = inner.compacted(how);
      const { skills, kept, text } = result;
      const places = skills.map(({ name, path }) => ({ name, dir: dirname(path) }));
      const names = how.kept?.map(
        (word) => kept.find(({ path }) => path === word || dirname(path) === word)?.name ?? word,
      );
      steps.push({
        do: 'compacted',
        kept: names,
        got: { skills: skills.map(({ name }) => name), ...weigh(text, places) },
      });
      return result;
    },
  };
  for (const [name, title] of Object.entries(unrepeated) as [keyof typeof unrepeated, Title][]) {
    const run = inner[name] as (...given: unknown[]) => unknown;
    const note = (...given: unknown[]) => {
      steps.push({ do: 'other', call: title(name, given, (path) => spellPlace(path, { cwd, home })) });
      return run(...given);
    };
    Object.assign(session, { [name]: note });
  }
  // Fields that were left out do not survive this.
  return { session, recording: () => JSON.parse(JSON.stringify({ version: 1, steps })) };
}

const foundNames = (results: readonly { readonly skill: SkillRecord }[]) =>
  results.map(({ skill }) => skill.name);

/** A path as another machine would write it: from the project, or from the home directory. */
export function spellPlace(path: string, { cwd, home }: Pick<SessionOptions, 'cwd' | 'home'>): string {
  if (!isAbsolute(path)) return path;
  if (isInside(cwd, path)) return `./${relative(cwd, path)}`;
  return isInside(home, path) ? `~/${relative(home, path)}` : path;
}

/** A text without the directories of skills, so that it weighs the same on every machine. */
function withoutPlaces(text: string, skills: readonly Placed[]): string {
  const deepestFirst = skills.toSorted((a, b) => b.dir.length - a.dir.length);
  return deepestFirst.reduce((before, { name, dir }) => {
    const url = pathToFileURL(dir).href;
    return [url, escapeXml(dir), dir].reduce(
      (rest, place) => rest.replaceAll(place, () => `/${name}`),
      before,
    );
  }, text);
}
