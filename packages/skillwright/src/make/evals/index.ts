// Evals of skills: the cases in a skill's `evals/`, and the offline judges.

export {
  EvalTask,
  type Located,
  SectionQuestion,
  type SkillEvals,
  TaskCheck,
  TriggerQuery,
} from './eval-case.ts';
export { type JudgedQuery, type JudgeQueriesOptions, judgeQueries, type Rival } from './judge-queries.ts';
export {
  type JudgedQuestion,
  judgeQuestion,
  type QuestionWorld,
  type SectionPlace,
} from './judge-questions.ts';
export { type ProposalFacts, type ProposedCases, proposeCases } from './propose-cases.ts';
export { EVAL_FILES, readEvals } from './read-evals.ts';
export {
  readFromStub,
  type ScriptedReading,
  type SearchedText,
  type StubWorld,
  significantWords,
} from './read-from-stub.ts';
export { type WrittenEvals, writeEvals } from './write-evals.ts';
