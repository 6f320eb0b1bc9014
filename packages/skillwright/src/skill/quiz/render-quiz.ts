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
  return answers
    .map((answer) => {
      const { question, correct, explanation, message, section, reference, skill, problems, attempt } =
        answer;
      const more = (truncated: boolean) => (truncated ? '\n[Truncated.]' : '');
      return [
        `Question ${question}: ${correct ? 'right.' : 'wrong.'}`,
        ...(explanation === null ? [] : [oneLine(explanation)]),
        ...(message === null ? [] : [oneLine(message)]),
        ...(section === null
          ? []
          : ['', `Read this section now:`, '', section.content + more(section.truncated)]),
        ...(reference === null
          ? []
          : [
              '',
              `Read ${makeVisible(reference.path)} now:`,
              '',
              reference.content.trimEnd() + more(reference.truncated),
            ]),
        ...(skill === null
          ? []
          : skill.content === null
            ? [`Load the skill ${makeVisible(skill.name)} now.`]
            : ['', `Read the skill ${makeVisible(skill.name)} now:`, '', skill.content.trimEnd()]),
        ...problems.map((problem) => `(${makeVisible(problem)})`),
        ...(attempt === null
          ? []
          : [
              '',
              attempt.passed
                ? `Quiz ${answer.quiz} passed with ${attempt.score} %.`
                : `Quiz ${answer.quiz} not passed: ${attempt.score} %. Attempt ${attempt.attempts + 1} starts now.`,
            ]),
      ].join('\n');
    })
    .join('\n\n');
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
