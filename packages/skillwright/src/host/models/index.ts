// Models of the user's configuration: endpoints and commands, conversations with tools, and checks of answers.

export { absolutePath } from './ask-command.ts';
export { type CheckContext, checkAnswer } from './check-answer.ts';
export { add, converse, type RunnableTool } from './converse.ts';
export { gradeAnswer } from './grade-answer.ts';
export type { CommandPlace, Model, ModelRequest, ModelToolCall } from './model.ts';
export { BudgetSpent, type ModelBudget, openBudget } from './model-budget.ts';
export { hideKeysIn, modelKeys, openModel, withoutKeys } from './open-model.ts';
export { objectsIn } from './text-calls.ts';
