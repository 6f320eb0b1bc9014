// Checks the `quiz` field. The linter, which sees the files, checks the branch targets.

import { Flag, schemaIssues, unknownKeys } from './field-shapes.ts';
import { type FormatIssue, isMapping } from './format-issue.ts';
import { QUIZ_KEYS, Quiz, QuizList } from './quiz.ts';
import { writtenText } from './written-text.ts';

type Path = readonly (string | number)[];

/** The faults of a `quiz` value, with paths into the source. */
export function checkQuiz(value: unknown): FormatIssue[] {
  const path = ['quiz'];
  const asked = new Map<string, string>();
  if (isMapping(value))
    return [...schemaIssues(Quiz, { value, path }), ...checkBlock(value, { path, asked })];
  const blocks = Array.isArray(value) ? value : [];
  return [
    ...schemaIssues(QuizList, { value: value ?? null, path }),
    ...blocks.flatMap((block, index) => checkBlock(block, { path: [...path, index], asked })),
  ];
}

function checkBlock(
  block: unknown,
  { path, asked }: { path: Path; asked: Map<string, string> },
): FormatIssue[] {
  const issues = unknownKeys(block, { known: QUIZ_KEYS.quiz, path });
  entriesOf(block, 'questions').forEach((question, index) => {
    const at = [...path, 'questions', index];
    issues.push(...unknownKeys(question, { known: QUIZ_KEYS.question, path: at }));
    if (!isMapping(question)) return;
    issues.push(...checkOptions(question, at));
    for (const branch of ['on-correct', 'on-incorrect']) {
      issues.push(...unknownKeys(question[branch], { known: QUIZ_KEYS.branch, path: [...at, branch] }));
      if (isMapping(question[branch]) && Object.keys(question[branch]).length === 0) {
        issues.push(fault([...at, branch], { kind: 'empty', message: `${branch} has no action` }));
      }
    }
    const text = writtenText(question, 'question')?.trim();
    if (text === undefined || text === '') return;
    const key = text.toLowerCase();
    const first = asked.get(key);
    if (first === undefined) asked.set(key, spellPosition(at));
    else
      issues.push(
        fault([...at, 'question'], { kind: 'value', message: `the same question is asked in ${first}` }),
      );
  });
  return issues;
}

function checkOptions(question: Record<string, unknown>, path: Path): FormatIssue[] {
  const options = entriesOf(question, 'options');
  const issues: FormatIssue[] = [];
  const labels = new Set<string>();
  options.forEach((option, index) => {
    const at = [...path, 'options', index];
    issues.push(...unknownKeys(option, { known: QUIZ_KEYS.option, path: at }));
    const label = isMapping(option) ? writtenText(option, 'label')?.trim() : undefined;
    if (label === undefined || label === '') return;
    if (labels.has(label)) {
      issues.push(fault([...at, 'label'], { kind: 'value', message: `the option '${label}' appears twice` }));
    }
    labels.add(label);
  });
  if (options.length > 1 && options.every(isCorrect)) {
    issues.push(
      fault([...path, 'options'], {
        kind: 'value',
        message: 'all options are correct, so the question tests nothing',
      }),
    );
  }
  return issues;
}

function isCorrect(option: unknown): boolean {
  return isMapping(option) && Flag.safeParse(option.correct).data === true;
}

function entriesOf(value: unknown, key: string): readonly unknown[] {
  const entries = isMapping(value) ? value[key] : undefined;
  return Array.isArray(entries) ? entries : [];
}

function spellPosition(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
}

function fault(path: Path, { kind, message }: Pick<FormatIssue, 'kind' | 'message'>): FormatIssue {
  return { kind, field: 'quiz', path, message, severity: 'error' };
}
