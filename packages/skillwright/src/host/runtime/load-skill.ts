// Loads a skill: its text for the model, a reminder when the model has it already, or the quiz that locks it.

import { type Diagnostic, diagnose } from '../../base/diagnostics/index.ts';
import { estimateTokens as estimate } from '../../base/tokens/index.ts';
import type { OpenedRecord, SkillReference } from '../../read/access/index.ts';
import {
  type ClosedGate,
  createQuizMemory,
  mayBeGated,
  type QuizMemory,
  type QuizRun,
  type QuizSkills,
  type QuizView,
} from '../../skill/quiz/index.ts';
import { bodyOf, repairsOf, SKILL_FILE, type Skill } from '../../skill/skill/index.ts';
import { LoadResult } from '../answers/index.ts';
import type { LoadOptions } from './session.ts';
import { hookEventsOf, warnOfHooks } from './session-hooks.ts';
import { method, offsetField, readsSkill, renderRemarks, withReference } from './session-method.ts';
import { openFor, type SessionState } from './session-state.ts';
import {
  type ContextCalls,
  MAX_BODY_BYTES,
  renderReminder,
  renderSkillContext,
  renderSkillQuiz,
  renderSkillStub,
} from './skill-context.ts';
import { fitSkillFiles } from './skill-files.ts';

export const load = method({
  rpc: 'skills.load',
  summary: 'Get the text or the stub of a skill for the model, or a reminder if it already has it',
  input: withReference({
    offset: offsetField.describe(
      'Bytes to skip in a long body: next_offset of the previous part; 0 for the text of a skill that came as a stub',
    ),
  }),
  output: LoadResult,
  ...readsSkill,
  wire: ({ offset, ...reference }, run) => run(reference, { offset }),
  logged: {
    command: 'load',
    // A quiz, a stub or a reminder is not the file.
    served: ({ text, status, next_offset: next, metadata: { dir } }, _reference, { offset = 0 } = {}) => ({
      ...{ text, dir },
      parts: status === 'loaded' ? [{ file: SKILL_FILE, bytes: [offset, next], ofBody: true }] : [],
    }),
  },
  recorded: {
    do: 'load',
    step: async (notes, reference, { by, offset } = {}) => ({
      ...(await notes.portable(reference)),
      by: by === 'user' ? by : undefined,
      offset,
    }),
    got({ status, text, metadata: { name, dir } }, { weigh }) {
      const { digest, tokens } = weigh(text, [{ name, dir }]);
      // The order of a quiz's options differs from session to session.
      return { skill: name, status, digest: status === 'quiz' ? '' : digest, tokens };
    },
    repeat: ({ name, path, by, offset }, run) => run({ name, path }, { by, offset }),
  },
  tool: {
    name: 'skill_load',
    description:
      'Load the instructions of a skill and the list of its files. Load the matching skill before you start a task, then follow its instructions. A large skill comes as its headings; read its sections with skill_section.',
    async answer({ offset, ...reference }, run) {
      const loaded = await run(reference, { offset });
      return [loaded.text, ...renderRemarks(loaded)].join('\n');
    },
  },
  async run(state: SessionState, reference: SkillReference, how: LoadOptions = {}): Promise<LoadResult> {
    const skill = await openFor(state, reference, how);
    const { id: skill_id, name, path, dir, digest } = skill;
    const mtime_ms = skill.changedAt();
    const rest = {
      metadata: { skill_id, name, path, dir, mtime_ms },
      diagnostics: [
        ...skill.shadowed.map((other) =>
          diagnose('W004', { skill: other.name }, { data: { path: other.path } }),
        ),
        ...skill.warnings,
      ],
    };
    const whole = { truncated: false, next_offset: null } as const;
    // Check after reading: an edit in between closes the gate again.
    const { gate, allowsName: allows } = await skill.reach(skill.files());
    if (gate !== undefined) {
      const quiz = await quizOf(skill, gate, state.quizMemory);
      return { status: 'quiz', text: renderSkillQuiz(skill, quiz), ...whole, ...rest, quiz };
    }
    const { offset = 0, calls, by = 'model' } = how;
    const before = state.loaded.get(path);
    const isSame = before?.digest === digest;
    // A model that has the stub may go on to the whole text.
    const hasText = before?.stub !== true || how.offset === undefined;
    if (before?.in_context === true && isSame && hasText && how.force !== true && offset === 0)
      return { status: 'already-loaded', text: renderReminder(skill), ...whole, ...rest };
    const stub = by === 'model' && how.offset === undefined ? await stubOf(state, skill, calls) : undefined;
    const context =
      stub === undefined
        ? renderSkillContext(skill, {
            body: bodyOf(skill).body,
            files: fitSkillFiles(dir, { tree: skill.tree(), allows }),
            maxBodyBytes: state.options.maxBodyBytes ?? MAX_BODY_BYTES,
            offset,
            calls,
            isOther: offset > 0 && before !== undefined && !isSame,
          })
        : { text: stub, truncated: true, next_offset: 0 };
    const isFirst = offset === 0;
    // A later part is useless without the first.
    if (isFirst) {
      const seen = { skill_id, name, path, digest, mtime_ms, in_context: true };
      state.loaded.set(path, stub === undefined ? seen : { ...seen, stub: true });
      state.hookEvents.set(path, hookEventsOf(skill.frontmatter));
    }
    const hasHooks = isFirst && skill.frontmatter.hooks !== undefined;
    const diagnostics = [
      ...rest.diagnostics,
      ...(await remarksOn(skill)),
      ...(hasHooks ? await warnOfHooks(state, skill) : []),
    ];
    const status = stub === undefined ? 'loaded' : 'stub';
    return { status, ...context, metadata: rest.metadata, diagnostics };
  },
});

/** Most tokens of a text that a model gets whole. */
const LOAD_BUDGET = 5000;

/** The stub of a skill whose text is over the budget; undefined for a shorter one. */
export async function stubOf(
  state: SessionState,
  skill: OpenedRecord,
  calls?: ContextCalls,
): Promise<string | undefined> {
  const { loadBudget = LOAD_BUDGET, estimateTokens = estimate } = state.options;
  const { body } = bodyOf(skill);
  // A token has at most one byte in the estimate, and most texts are far shorter.
  if (body.length <= loadBudget) return undefined;
  const tokens = estimateTokens(body);
  if (tokens <= loadBudget) return undefined;
  const { outlineOf, renderHeadings } = await import('./session-sections.ts');
  const outline = renderHeadings(await outlineOf(state, skill, {}));
  const { allowsName: allows } = await skill.reach(skill.files());
  const files = fitSkillFiles(skill.dir, { tree: skill.tree(), allows });
  return renderSkillStub(skill, { body, tokens, outline, files, calls });
}

/** W016 for repaired frontmatter, W017 and W019 for hooks and toolsets that will be missing. */
export async function remarksOn(skill: Skill): Promise<Diagnostic[]> {
  const repairs = repairsOf(skill);
  const { hooks, toolsets } = skill.frontmatter;
  if (hooks === undefined && toolsets === undefined) return repairs;
  const { leftOutOf } = await import('../../skill/skill/left-out.ts');
  return [...repairs, ...leftOutOf(skill)];
}

/** The quiz served in place of a locked skill; undefined when it is open. E062 when the quiz cannot be taken. */
export async function quizInstead(
  skill: Pick<Skill, 'dir'>,
  memory: QuizMemory | undefined,
): Promise<QuizView | undefined> {
  if (!mayBeGated(skill.dir)) return undefined;
  const { findClosedGate } = await import('../../skill/quiz/closed-gate.ts');
  const gate = await findClosedGate(skill.dir, () => memory);
  return gate === undefined ? undefined : quizOf(skill, gate, memory);
}

async function quizOf(
  skill: Pick<Skill, 'dir'>,
  gate: ClosedGate,
  memory: QuizMemory | undefined,
): Promise<QuizView> {
  if (!gate.takable) throw gate.refusal();
  return (await openQuiz(skill, { memory: memory ?? createQuizMemory() })).view();
}

/** The quizzes of a skill, to take in a session. */
export async function openQuiz(
  { dir }: Pick<Skill, 'dir'>,
  options: { readonly memory: QuizMemory; readonly skills?: QuizSkills },
): Promise<QuizRun> {
  const { startQuiz } = await import('../../skill/quiz/start-quiz.ts');
  return startQuiz(dir, options);
}
