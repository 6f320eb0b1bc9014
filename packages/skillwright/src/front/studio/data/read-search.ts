// Search as an agent gets it, with the reasons for the order.

import type * as z from 'zod';
import { attempt, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { splitLines } from '../../../base/files/index.ts';
import { estimateTokens } from '../../../base/tokens/index.ts';
import { createHitLocator, explainMatch, type SkillRecord } from '../../../read/catalog/index.ts';
import { type GatewayOptions, searchSkill, withIndex } from '../../../read/gateway/index.ts';
import {
  answerCommand,
  type CommandContext,
  commandTable,
  type find,
  openContext,
  parseInput,
} from '../../commands/index.ts';
import type { StudioState } from './studio-state.ts';
import type { Look } from './take-look.ts';

/** One word of the request and how much it speaks for the skill. */
export interface ShownEvidence {
  readonly word: string;
  /** Share of all evidence the request could give, from 0 to 1. */
  readonly share: number;
  readonly field: 'name' | 'description' | 'tags' | 'heading' | 'body' | null;
}

type Found = z.output<typeof find.output>;
/** A skill of this machine; the others are for --remote. */
type FoundHere = Extract<Found['results'][number], { readonly path: string }>;

/** One skill that was found, and why. */
export type RankedHit = FoundHere & {
  readonly id: string;
  readonly words: readonly ShownEvidence[];
};

/** One section that was found in the first skill, or in the chosen one. */
export type FoundSection = Awaited<ReturnType<typeof searchSkill>>['results'][number] & {
  readonly tokens: number;
};

/** The page. */
export interface SearchView {
  readonly q: string;
  /** Words searched for instead, when no skill has those of the request. */
  readonly corrected: string | null;
  readonly skills: readonly RankedHit[];
  readonly searched: number;
  /** True when more skills match than are listed. */
  readonly hasMore: boolean;
  /** Skill whose sections are shown. */
  readonly inside: { readonly id: string; readonly name: string } | null;
  readonly sections: readonly FoundSection[];
  /** Exactly the text an agent gets from `skc find`, and its cost. */
  readonly answer: { readonly text: string; readonly tokens: number } | null;
}

/** Sections of one skill that are listed. */
const MAX_SECTIONS = 8;
/** Longest request. */
const MAX_QUERY = 1000;

/** The page, and what it leaves out. `inside` is the id of a skill whose sections are shown. */
export async function readSearch(
  { q, inside, look }: { q: string; inside: string | null; look: Look },
  state: StudioState,
): Promise<{ view: SearchView; notes: string[] }> {
  const query = q.trim().slice(0, MAX_QUERY);
  const notes =
    q.trim().length > MAX_QUERY ? [`Only the first ${MAX_QUERY} characters were searched for.`] : [];
  const nothing = {
    q: query,
    corrected: null,
    skills: [],
    inside: null,
    sections: [],
    answer: null,
    hasMore: false,
  };
  if (query === '') return { view: { ...nothing, searched: look.catalog.skills.length }, notes };
  // Asks as an agent would.
  const front = { ...state.front, by: 'model' as const, isBudgeted: true };
  const command = await commandTable.find.load();
  const input = parseInput(command.input, { query: [query] });
  const answer = await answerCommand('find', command, { input, context: front });
  const output = answer.output as Omit<Found, 'results'> & { readonly results: readonly FoundHere[] };
  const text = answer.text();
  const words = output.corrected ?? query;
  const skills = await Promise.all(output.results.map((result) => explainHit(result, words, look)));
  const chosen = look.byId.get(inside ?? skills[0]?.id ?? '');
  const found = chosen === undefined ? undefined : await searchInside(chosen, { words, front }, look);
  if (found?.why !== undefined) notes.push(found.why);
  return {
    view: {
      q: query,
      corrected: output.corrected ?? null,
      skills: skills.filter((skill) => skill !== undefined),
      searched: output.skills ?? 0,
      hasMore: output.truncated,
      inside: chosen === undefined ? null : { id: look.addressOf(chosen), name: chosen.name },
      sections: found?.sections ?? [],
      answer: { text, tokens: estimateTokens(text) },
    },
    notes,
  };
}

async function explainHit(result: FoundHere, words: string, look: Look): Promise<RankedHit | undefined> {
  const whole = await look.context.access.catalog();
  const skill = whole.skills.find(({ path }) => path === result.path);
  if (skill === undefined) return undefined;
  const evidence = explainMatch(whole, words, { skill, sealed: look.sealed });
  return {
    ...result,
    id: look.addressOf(skill),
    words: evidence.map(({ word, share }) => ({ word, share, field: fieldOf(word, skill, look) })),
  };
}

/** The most telling part of a skill that contains a word. */
function fieldOf(word: string, skill: SkillRecord, { sealed }: Look): ShownEvidence['field'] {
  return createHitLocator(word, sealed)(skill)?.field ?? null;
}

async function searchInside(
  skill: SkillRecord,
  { words, front }: { words: string; front: StudioState['front'] },
  look: Look,
): Promise<{ sections: FoundSection[]; why?: string }> {
  const { access } = await openContext(front);
  try {
    const opened = await access.openAt(skill.dir, { operation: 'read' }, { real: skill.dir });
    const gateway = await quietGateway(look.context);
    const sections = await withIndex(opened, gateway, (indexed) =>
      searchSkill(indexed, words, { limit: MAX_SECTIONS }).results.map((result) => {
        const { file, anchor, start_line } = result;
        // The cost of reading it: with the sections below it, as in an outline.
        const heading = indexed.index.headings({ file }).find((one) => one.anchor === anchor);
        const lines = attempt(() => splitLines(indexed.index.readText(file)));
        const text = lines?.slice(start_line - 1, heading?.end_line ?? result.end_line).join('\n');
        return { ...result, tokens: estimateTokens(text ?? result.snippet) };
      }),
    );
    return { sections };
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return {
      sections: [],
      why: `The sections of ${skill.name} cannot be searched: ${error.message}.`,
    };
  }
}

// Options of the gateway for pages: they never build anything.

/** Reads indexes as they are. E002 where a command would build one. */
async function quietGateway({ workspace, indexes }: CommandContext): Promise<GatewayOptions> {
  const { search } = await workspace.config();
  return {
    workspace,
    tokenizer: search.tokenizer,
    fresh: false,
    indexes,
    build: () => Promise.reject(new Error('a page never builds')),
  };
}
