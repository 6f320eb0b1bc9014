// A session that records which questions it was asked and what it answered, for tests that replay them.

import { isAbsolute, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isInside, sha256 } from '../../base/files/index.ts';
import { estimateTokens as estimate } from '../../base/tokens/index.ts';
import type { SkillReference } from '../../read/access/index.ts';
import { escapeXml, type SkillRecord } from '../../read/catalog/index.ts';
import { createSession } from './create-session.ts';
import type { RecordedStep, Recording } from './recording.ts';
import type { Session, SessionOptions } from './session.ts';
import type { AnyMethod, Notes } from './session-method.ts';
import { sessionMethods } from './session-methods.ts';

/** A session, and what has been recorded of it so far. */
interface RecordedSession {
  readonly session: Session;
  /** Plain JSON: what the user wrote, names of skills, digests and token counts; never the text of a skill. */
  recording(): Recording;
}

type Placed = Pick<SkillRecord, 'name' | 'dir'>;

/** Opens a session like `createSession` and records it. Permissions are not recorded: neither confirmations nor quizzes. */
export async function recordSession(options: SessionOptions): Promise<RecordedSession> {
  const { cwd, home, estimateTokens = estimate } = options;
  const inner = await createSession(options);
  const steps: RecordedStep[] = [];

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
  const notes: Notes = {
    weigh,
    known,
    portable,
    visible: async () => (await inner.catalog()).skills,
    message: async (text) => ({
      mentions: (await inner.mentions(text)).map(({ name, problem }) =>
        problem === null ? name : `${name}: ${problem}`,
      ),
      suggested: (await inner.triggers(text)).map(({ skill }) => skill.name),
      found: text.trim() === '' ? [] : foundNames((await inner.search({ query: text })).results),
    }),
  };

  const recorded = Object.entries<AnyMethod>(sessionMethods).flatMap(([name, { recorded: how }]) => {
    if (how === undefined) return [];
    const run = inner[name as keyof typeof sessionMethods] as (...given: unknown[]) => unknown;
    const note = (...given: unknown[]): unknown => {
      if (typeof how !== 'object') {
        const spell = (path: string) => spellPlace(path, { cwd, home });
        steps.push({ do: 'other', call: typeof how === 'string' ? how : how(spell, ...given) });
        return run(...given);
      }
      return after(how.step(notes, ...given), (fields) => {
        const step = { do: how.do, ...fields } as Exclude<RecordedStep, { do: 'other' }>;
        const last = steps.findLast((before) => before.do === 'message');
        if (step.do === 'message' && last?.text === step.text) return run(...given);
        // Steps stand in the order of the calls, whichever is answered first.
        steps.push(step);
        const keep = (result: unknown) =>
          after(how.got(result, notes, ...given), (got) => {
            Object.assign(step, how.settled?.(result, ...given), { got });
            return result;
          });
        const answer = run(...given);
        if (!(answer instanceof Promise)) return keep(answer);
        return answer.then(keep, (error: unknown) => {
          if (error instanceof SkillwrightError) step.got = { error: error.code };
          throw error;
        });
      });
    };
    return [[name, note]];
  });
  const session: Session = {
    ...inner,
    get id() {
      return inner.id;
    },
    ...Object.fromEntries(recorded),
  };
  // Fields that were left out do not survive this.
  return { session, recording: () => JSON.parse(JSON.stringify({ version: 1, steps })) };
}

/** Goes on with a value, at once unless it is a promise. */
const after = <Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result,
): Result | Promise<Awaited<Result>> =>
  value instanceof Promise ? (value.then(next) as Promise<Awaited<Result>>) : next(value);

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
