// Quizzes and answers as text, for models and people.

import { makeVisible, oneLine, quoteWord } from '../../base/diagnostics/index.ts';
import type { QuizView } from './quiz-view.ts';
import type { QuizAnswer } from './start-quiz.ts';

/** Renders the open questions and how to answer them. */
export function renderQuiz(view: QuizView): string {
  const lines = [headline(view)];
  for (const quiz of view.quizzes) {
    const { title, description, gate, passing_score, attempts, score, passed } = quiz;
    lines.push('', `Quiz ${quiz.quiz}${title === null ? '' : `: ${oneLine(title)}`}`);
    if (description !== null) lines.push(oneLine(description));
    const tried = attempts === 0 ? '' : ` Finished attempts: ${attempts}; last score: ${score} %.`;
    lines.push(
      passed
        ? `Passed.${tried}`
        : `${gate ? 'Gate. ' : ''}To pass, get ${passing_score} % of the answers right.${tried}`,
    );
    for (const { question, text, options, answered, explanation } of quiz.questions) {
      if (passed) {
        if (explanation !== null)
          lines.push('', `${question}. ${oneLine(text)}`, `   ${oneLine(explanation)}`);
        continue;
      }
      lines.push('', `${question}. ${oneLine(text)}${answered ? ' (answered)' : ''}`);
      if (!answered)
        lines.push(...options.map(({ option, text: label }) => `   ${option}) ${oneLine(label)}`));
    }
  }
  if (view.quizzes.some(({ passed }) => !passed)) lines.push('', ...howToAnswer(view.skill));
  return lines.join('\n');
}

/** Renders the results of answers. */
export function renderAnswers(answers: readonly QuizAnswer[]): string {
  return answers.map((answer) => renderAnswer(answer).join('\n')).join('\n\n');
}

function renderAnswer(answer: QuizAnswer): string[] {
  const { question, correct, explanation, message, section, reference, skill, problems, attempt } = answer;
  const lines = [`Question ${question}: ${correct ? 'right.' : 'wrong.'}`];
  const read = (what: string, text: string, truncated = false) =>
    lines.push('', `Read ${what} now:`, '', text + (truncated ? '\n[Truncated.]' : ''));
  for (const text of [explanation, message]) if (text !== null) lines.push(oneLine(text));
  if (section !== null) read('this section', section.content, section.truncated);
  if (reference !== null) read(makeVisible(reference.path), reference.content.trimEnd(), reference.truncated);
  if (skill?.content === null) lines.push(`Load the skill ${makeVisible(skill.name)} now.`);
  else if (skill !== null) read(`the skill ${makeVisible(skill.name)}`, skill.content.trimEnd());
  lines.push(...problems.map((problem) => `(${makeVisible(problem)})`));
  if (attempt === null) return lines;
  const { passed, score, attempts } = attempt;
  const result = passed
    ? `passed with ${score} %.`
    : `not passed: ${score} %. Attempt ${attempts + 1} starts now.`;
  return [...lines, '', `Quiz ${answer.quiz} ${result}`];
}

function headline({ skill, gate, quizzes }: QuizView): string {
  const name = makeVisible(skill);
  if (quizzes.length === 0) return `The skill ${name} has no quiz.`;
  if (gate === 'closed') return `The skill ${name} is locked. Pass this quiz to read it.`;
  return gate === 'open'
    ? `The skill ${name} is unlocked: its quiz is passed.`
    : `The skill ${name} has a quiz.`;
}

function howToAnswer(skill: string): string[] {
  return [
    'A question can have several right options: choose all of them and no others. An answer is final for the attempt.',
    'After a wrong answer, read the text it points you to, then continue. After a failed attempt, a new one starts.',
    `Answer with the tool skc_quiz or skill_quiz (answers such as "1=2" or "1=2,3": question, then options), or with`,
    `  skc quiz ${quoteWord(skill)} --answer 1=2`,
  ];
}
