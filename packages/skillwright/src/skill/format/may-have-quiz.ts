// The cheapest look at a SKILL.md there is: most skills have no quiz, and nothing more is loaded for them.

/** What must stand somewhere in a text that has a quiz; escapes may spell anything. */
const marks = /quiz|\\[xuU]/;

/** False when a text certainly has no `quiz` field. */
export function mayHaveQuiz(text: string): boolean {
  return marks.test(text);
}
