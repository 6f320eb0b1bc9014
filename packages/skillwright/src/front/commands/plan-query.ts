// A request with a model: it sees the list of skills and chooses one, or none.

import type { ModelToolCall } from '../../host/models/index.ts';
import type { Located, TriggerQuery } from '../../make/evals/index.ts';
import { asChoice, choicePrompt, choiceTool, readChoice } from './model-prompts.ts';
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
      const {
        text,
        calls,
        isTextCall = false,
        cost,
        ...counts
      } = await budget.ask(model, {
        system,
        turns,
        ...(model.hasTools ? { tools: [choiceTool] } : {}),
        place,
        signal,
      });
      const call = calls.find(
        ({ name: called }) => called === choiceTool.name || catalog.names.includes(called),
      );
      const said = readChoice(text, catalog.names);
      const called = call && nameInCall(call);
      const chosen = called === undefined && model.hasTools ? (said ?? null) : (called ?? said);
      const expected = isWanted ? name : wanted.skill;
      const isThere = typeof chosen !== 'string' || catalog.names.includes(chosen);
      const passed =
        chosen !== undefined && isThere && (expected === undefined ? chosen !== name : chosen === expected);
      return {
        passed,
        judged_by: 'choice',
        why: passed ? '' : whyNotChosen(chosen, { text, expected, name, names: catalog.names }),
        error: null,
        as_text: model.hasTools && (isTextCall || (call === undefined && typeof said === 'string')),
        answer: call === undefined ? text : (chosen ?? ''),
        system,
        turns: [...turns, { role: 'assistant', text, calls }],
        input_tokens: counts.inputTokens,
        output_tokens: counts.outputTokens,
        cost,
        seconds: secondsSince(started),
      };
    },
  };
}

/** The skill that a call loads, or that is called as if it were a tool; null for none. */
function nameInCall({ name, input }: ModelToolCall): string | null {
  if (name !== choiceTool.name) return name;
  const { name: given = input.skill ?? input.skill_name } = input;
  return asChoice(typeof given === 'string' ? given : '');
}

function whyNotChosen(
  chosen: string | null | undefined,
  {
    text,
    expected,
    name,
    names,
  }: { text: string; expected: string | undefined; name: string; names: readonly string[] },
): string {
  if (chosen === undefined) return `the answer names no skill: ${text.slice(0, 200)}`;
  if (typeof chosen === 'string' && !names.includes(chosen))
    return `it chose '${chosen.slice(0, 100)}', which is not in the list`;
  if (expected === name && !names.includes(name))
    return 'the list of skills in the prompt has no room for it';
  const what = chosen === null ? 'no skill' : `'${chosen}'`;
  return expected === undefined ? `it chose ${what}` : `it chose ${what}, not '${expected}'`;
}
