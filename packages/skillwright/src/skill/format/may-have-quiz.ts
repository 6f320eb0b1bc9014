// A cheap test for a quiz: most skills have none, and skip loading the quiz code.

/** Every text with a quiz contains one of these; an escape may spell the word. */
const marks = /quiz|\\[xuU]/;

/** False when a text certainly has no `quiz` field. */
export function mayHaveQuiz(text: string): boolean {
  return marks.test(text);
}
