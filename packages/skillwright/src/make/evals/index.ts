// Evals of skills: the cases in a skill's `evals/`, and the offline judges.

export { type ConfusedQuery, Confusion, confusionOf, holdOut } from './confusion.ts';
export type { EvalTask, Located, SectionQuestion, SkillEvals, TaskCheck, TriggerQuery } from './eval-case.ts';
export { type EvalRun, hashRequest, keepRun, readLastRun } from './eval-history.ts';
export { DescriptionProposal, improveDescription, type OwnRequests } from './improve-description.ts';
export { pairedDifference, wilsonInterval } from './intervals.ts';
export {
  acceptVisible,
  createQueryJudge,
  JudgedQuery,
  loadRivals,
  type QueryJudge,
  type Rivals,
} from './judge-queries.ts';
export { beginningOf, JudgedQuestion, judgeQuestion, type QuestionWorld } from './judge-questions.ts';
export { proposeCases } from './propose-cases.ts';
export { type FoundEvals, readEvals } from './read-evals.ts';
export { writeEvals } from './write-evals.ts';
