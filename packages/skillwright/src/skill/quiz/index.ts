// Takes and grades quizzes, and guards the gates they keep closed.

export { type ClosedGate, closedGateOf, type FindMemory, findClosedGate } from './closed-gate.ts';
export { digestSkill } from './digest-skill.ts';
export { mayBeGated } from './may-be-gated.ts';
export { createQuizMemory, type QuizMemory, type SavableQuizMemory } from './quiz-memory.ts';
export { QuizProgress, QuizStanding } from './quiz-progress.ts';
export { openQuizStateFile } from './quiz-state-file.ts';
export { QuizView, type ServedAnswers, servedAnswers } from './quiz-view.ts';
export { isGatedSkill, readQuizzes } from './read-quizzes.ts';
export { renderAnswers, renderQuiz } from './render-quiz.ts';
export { findSection, type QuizSkills, ResolvedBranch } from './resolve-branch.ts';
export { QuizAnswer, type QuizChoice, type QuizRun, readChoices, startQuiz } from './start-quiz.ts';
