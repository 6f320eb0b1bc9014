// A request with a model: it sees the list of skills and chooses one, or none.

import type { Located, TriggerQuery } from '../../make/evals/index.ts';
import { choicePrompt, choiceTool, readChoice } from './model-prompts.ts';
import { caseOf, type Once, type PlanOptions, secondsSince, type TrialSubject } from './trial-plan.ts';

/** Plans one request. */
export function planQuery(
  { name, path, catalog }: TrialSubject,
  wanted: Located<TriggerQuery>,
  { model, budget, place, signal }: PlanOptions,
): Once {
  const { query, should_trigger: isWanted, source, position } = wanted;
  const system = choicePrompt(catalog.text, model);
  const of = caseOf('request', { name, path }, { title: query, source, position, proposed: wanted.proposed });
  return {
    of,
    condition: 'catalog',
    identity: { system, query, isWanted, skill: wanted.skill, name },
    async execute() {
      const started = performance.now();
      const turns = [{ role: 'user' as const, text: query }];
      const { text, calls, cost, ...counts } = await budget.ask(model, {
        system,
        turns,
        ...(model.hasTools ? { tools: [choiceTool] } : {}),
        place,
        signal,
      });
      const call = calls.find((candidate) => candidate.name === choiceTool.name);
      const said = readChoice(text, catalog.names);
      const chosen =
        call !== undefined ? String(call.input.name ?? '') : model.hasTools ? (said ?? null) : said;
      const expected = isWanted ? name : wanted.skill;
      const passed = chosen !== undefined && (expected === undefined ? chosen !== name : chosen === expected);
      return {
        passed,
        judged_by: 'choice',
        why: passed
          ? ''
          : whyNotChosen(chosen, { text, expected, name, isListed: catalog.names.includes(name) }),
        error: null,
        answer: call === undefined ? text : (chosen ?? ''),
        system,
        turns: [
          ...turns,
          { role: 'assistant', text, calls: calls.map((one) => ({ ...one, input: { ...one.input } })) },
        ],
        input_tokens: counts.inputTokens,
        output_tokens: counts.outputTokens,
        cost,
        seconds: secondsSince(started),
      };
    },
  };
}

function whyNotChosen(
  chosen: string | null | undefined,
  {
    text,
    expected,
    name,
    isListed,
  }: { text: string; expected: string | undefined; name: string; isListed: boolean },
): string {
  if (chosen === undefined) return `the answer names no skill: ${text.slice(0, 200)}`;
  if (expected === name && !isListed) return 'the list of skills in the prompt has no room for it';
  const what = chosen === null ? 'no skill' : `'${chosen}'`;
  return expected === undefined ? `it chose ${what}` : `it chose ${what}, not '${expected}'`;
}
