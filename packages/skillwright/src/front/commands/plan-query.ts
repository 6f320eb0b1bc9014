// A request with a model: it sees the list of skills and chooses one, or none.

import { type ModelToolCall, objectsIn } from '../../host/models/index.ts';
import type { Located, TriggerQuery } from '../../make/evals/index.ts';
import { caseOf, type Once, type PlanOptions, secondsSince, type TrialSubject } from './trial.ts';

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
  if (chosen === undefined)
    return ['the answer names no skill', text.trim().slice(0, 200)].filter(Boolean).join(': ');
  if (typeof chosen === 'string' && !names.includes(chosen))
    return `it chose '${chosen.slice(0, 100)}', which is not in the list`;
  if (expected === name && !names.includes(name))
    return 'the list of skills in the prompt has no room for it';
  const what = chosen === null ? 'no skill' : `'${chosen}'`;
  return expected === undefined ? `it chose ${what}` : `it chose ${what}, not '${expected}'`;
}

/** The system prompt of a choice among skills. */
function choicePrompt(catalog: string, { hasTools }: { readonly hasTools: boolean }): string {
  const how = hasTools
    ? 'Decide whether one of these skills fits the request of the user. If so, call skill_load with its name. If none fits, call no tool and reply with the word none.'
    : 'Decide whether one of these skills fits the request of the user. Load nothing and do nothing else. Reply with one line of JSON: {"skill": "<name>"}, or {"skill": null} if none fits.';
  return `You are an agent that works for a user.\n\n${catalog}\n\n${how}`;
}

/** The tool of a choice. */
const choiceTool = {
  name: 'skill_load',
  description: 'Load a skill',
  parameters: {
    type: 'object',
    properties: { name: { type: 'string', description: 'Its name' } },
    required: ['name'],
  },
} as const;

/** A word as a choice: null for none. */
const asChoice = (word: string): string | null =>
  /^(?:none|null|no skill)?$/i.test(word.trim()) ? null : word.trim();

/** The chosen skill, null for none, or undefined when the text does not say. */
function readChoice(text: string, names: readonly string[]): string | null | undefined {
  for (const said of objectsIn(text).reverse()) {
    const { skill, skill_name: other = skill, name } = said as Record<string, unknown>;
    if (other === null) return null;
    if (typeof other === 'string') return asChoice(other);
    // Small models call a skill as if it were a tool.
    if (typeof name === 'string' && names.includes(name)) return name;
  }
  const plain = text.trim().replace(/^["'`]+|["'`.]+$/g, '');
  if (/^none$/i.test(plain)) return null;
  return names.includes(plain) ? plain : undefined;
}
