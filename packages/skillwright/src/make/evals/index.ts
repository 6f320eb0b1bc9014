// Evals of skills: the cases in a skill's `evals/`, and the offline judges.

export type { EvalTask, Located, SectionQuestion, SkillEvals, TaskCheck, TriggerQuery } from './eval-case.ts';
export { pairedDifference, wilsonInterval } from './intervals.ts';
export { acceptVisible, type JudgedQuery, judgeQueries, loadRivals, type Rivals } from './judge-queries.ts';
export { beginningOf, judgeQuestion, type QuestionWorld } from './judge-questions.ts';
export { proposeCases } from './propose-cases.ts';
export { EVAL_FILES, readEvals } from './read-evals.ts';
export { writeEvals } from './write-evals.ts';
