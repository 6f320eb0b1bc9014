// The results of a model as lines of text, Markdown and cases of other formats.

import { formatCount, oneLine } from '../../base/diagnostics/index.ts';
import { type Line, linesOf, type View } from './define-command.ts';
import type { ModelCase, ModelReport } from './model-report.ts';

type Rated = Pick<ModelCase['conditions'][number], 'rate' | 'low' | 'high' | 'runs' | 'passed'>;

/** A case of the model for a list of cases. */
interface RenderedModelCase {
  readonly title: string;
  readonly place: string;
  readonly skill: string;
  readonly path: string;
  readonly passed: boolean;
  /** Neither passed nor failed. */
  readonly unclear: boolean;
  readonly proposed: boolean;
  readonly why: string;
  readonly note: string;
}

const percent = (share: number) => `${Math.round(share * 100)} %`;

const rateText = ({ passed, runs, low, high }: Rated) =>
  runs === 0 ? 'not judged' : `${passed} of ${runs} (${Math.round(low * 100)}–${percent(high)})`;

/** The cases with a verdict, as one line each. */
export function modelCases({ cases, threshold }: ModelReport): RenderedModelCase[] {
  return cases.map(({ skill, path, title, source, position, proposed, failed, conditions }) => {
    const decisive = conditions.find(({ condition }) => condition === 'catalog' || condition === 'stub');
    const errors = conditions.reduce((sum, condition) => sum + condition.errors, 0);
    // Without the skill, nothing has to succeed.
    const reasons = conditions.flatMap(({ condition, why, errors: missing }) =>
      why === '' || (condition === 'without' && missing === 0) ? [] : [`${condition}: ${why}`],
    );
    const rates = conditions.map(
      (result) =>
        `${result.condition} ${rateText(result)}${result.unclear ? ' unclear' : ''}${result.judged_by.includes('model') ? ' judged by a model' : ''}`,
    );
    return {
      title,
      place: `${source}#${position}`,
      skill,
      path,
      proposed,
      passed: !failed && errors === 0,
      unclear: !failed && errors === 0 && decisive?.unclear === true,
      why: linesOf([
        failed && `below ${percent(threshold)}`,
        errors > 0 && `${formatCount(errors, 'run')} without an answer`,
        reasons.slice(0, 1),
      ]).join('; '),
      note: rates.join(', '),
    };
  });
}

function usedText({
  input_tokens: sent,
  output_tokens: received,
  seconds,
  cost,
}: ModelReport['conditions'][number]): string {
  return linesOf([
    sent !== null && received !== null && `${sent} + ${received} tokens`,
    `${seconds} s`,
    cost !== null && `cost ${cost}`,
  ]).join(', ');
}

const signed = (share: number) => `${share > 0 ? '+' : ''}${Math.round(share * 100)}`;

function differenceText({
  from,
  to,
  difference,
  low,
  high,
  is_clear: isClear,
}: ModelReport['differences'][number]) {
  const range = `${signed(low)} to ${signed(high)}`;
  return `${to} against ${from}: ${signed(difference)} points (${range})${isClear ? '' : ', too few runs to tell'}`;
}

/** Facts about the whole run, one per line. */
export function modelLines(model: ModelReport): string[] {
  const { planned, done, resumed, calls, runs, stopped, notes, problems, output } = model;
  // Of a dry run.
  const isPlanOnly = done === 0 && stopped === null && planned > 0;
  return linesOf([
    model.conditions.map((result) => `${result.condition}: ${rateText(result)}, ${usedText(result)}`),
    model.differences.map(differenceText),
    isPlanOnly
      ? `${formatCount(planned, 'run')} to do, ${formatCount(runs, 'run')} per case`
      : `${done} of ${formatCount(planned, 'run')} done${resumed === 0 ? '' : `, ${resumed} of them before`}, ${formatCount(runs, 'run')} per case, ${formatCount(calls, 'call')}`,
    stopped !== null && `stopped: ${oneLine(stopped)}`,
    problems.map((problem) => `problem: ${oneLine(problem)}`),
    notes.map((note) => `note: ${oneLine(note)}`),
    output !== null && `answers: ${oneLine(output)}`,
  ]);
}

/** The block of the text output. */
export function renderModel(model: ModelReport, { paint }: Pick<View, 'paint'>): Line {
  const named = `${model.name} (${model.model}${model.judge === null ? '' : `, judged by ${model.judge}`})`;
  const all = modelCases(model);
  const isOne = new Set(all.map(({ skill }) => skill)).size === 1;
  const cases = all.map(({ skill, title, place, passed, unclear, proposed, why, note }) => [
    `  ${unclear ? paint.faint('unclear') : passed ? 'passed' : proposed ? paint.faint('would fail') : paint.error('failed')}  ${isOne ? '' : `${oneLine(skill)}: `}${oneLine(title)}  ${paint.faint(place)}`,
    `          ${oneLine(note)}`,
    why !== '' && `          ${oneLine(why)}`,
  ]);
  return ['', paint.strong(oneLine(`with ${named}`)), cases, modelLines(model).map((line) => `  ${line}`)];
}
