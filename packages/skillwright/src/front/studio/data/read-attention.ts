// Finds the skills and places that a person should look at first, each with its command.

import { formatCount, quoteWord } from '../../../base/diagnostics/index.ts';
import { readLastRun } from '../../../make/evals/index.ts';
import type { SkillRecord } from '../../../read/catalog/index.ts';
import { readListing } from '../../../ship/doctor/index.ts';
import type { StudioState } from './studio-state.ts';
import type { Look } from './take-look.ts';
import { type TimeRange, timeRange } from './usage-counts.ts';

/** One point of the list. */
export interface AttentionItem {
  readonly kind: 'danger' | 'evals' | 'listing' | 'searches' | 'outdated' | 'unread';
  readonly title: string;
  /** The skills it is about, the first ones. */
  readonly skills: readonly { readonly id: string; readonly name: string }[];
  readonly count: number;
  readonly command: string;
}

/** Skills named in one point. */
const MAX_NAMED = 5;

/** The list, the most urgent first. Only skills that are scanned can be dangerous. */
export function readAttention(
  { look, range }: { look: Look; range: TimeRange },
  { usage, verdicts, agents, agentsOf, front }: StudioState,
): AttentionItem[] {
  const { named, facts, addressOf } = look;
  const about = (
    kind: AttentionItem['kind'],
    skills: readonly SkillRecord[],
    told: { title: string; command: string },
  ): AttentionItem[] =>
    skills.length === 0
      ? []
      : [
          {
            ...{ kind, ...told, count: skills.length },
            skills: skills.slice(0, MAX_NAMED).map((skill) => ({ id: addressOf(skill), name: skill.name })),
          },
        ];
  const first = (skills: readonly SkillRecord[]) => quoteWord(skills[0]?.name ?? '');
  const isAccepted = (skill: SkillRecord) => (facts.installed(skill)?.entry.accepted.length ?? 0) > 0;
  const dangerous = named.filter((skill) => verdicts.of(skill) === 'danger' && !isAccepted(skill));
  const emptyOf = (skill: SkillRecord) => usage.of(skill.dir, range).zero_results;
  const searched = named.filter((skill) => emptyOf(skill) > 0).toSorted((a, b) => emptyOf(b) - emptyOf(a));
  const searches = searched.reduce((sum, skill) => sum + emptyOf(skill), 0);
  const outdated = named.filter((skill) => (facts.installed(skill)?.facts.update ?? null) !== null);
  const month = timeRange('30d', front.now());
  const unread =
    usage.totals().reads === 0
      ? []
      : named.filter(
          (skill) =>
            skill.enabled && agentsOf(skill.dir).length > 0 && usage.of(skill.dir, month).reads === 0,
        );
  return [
    ...about('danger', dangerous, {
      title: `${formatCount(dangerous.length, 'dangerous skill')} without a decision`,
      command: `skc scan ${first(dangerous)}`,
    }),
    ...failingEvals(look).flatMap(({ failed, requests, skills }) =>
      about('evals', skills, {
        title: `${failed} of ${formatCount(requests, 'eval request')} failed in the last run`,
        command: 'skc test --all',
      }),
    ),
    ...agents(look).flatMap((seen): AttentionItem[] => {
      const { over, lines } = readListing(seen);
      if (over === 0) return [];
      const title = `${formatCount(over, 'description')} of ${lines.length} do not fit into the list of ${seen.agent.id}`;
      return [{ kind: 'listing', title, skills: [], count: over, command: 'skc doctor' }];
    }),
    ...about('searches', searched, {
      title: `${searches} ${searches === 1 ? 'search' : 'searches'} found nothing`,
      command: `skc stats ${first(searched)} --group-by search`,
    }),
    ...about('outdated', outdated, {
      title: `${formatCount(outdated.length, 'skill')} with a newer version`,
      command: `skc update ${outdated
        .slice(0, MAX_NAMED)
        .map(({ name }) => quoteWord(name))
        .join(' ')}`,
    }),
    ...about('unread', unread, {
      title: `${formatCount(unread.length, 'skill')} not read in 30 days`,
      command: 'skc stats --since 30d',
    }),
  ];
}

/** The skills whose requests choose another one, or that are chosen in place of others. */
function failingEvals({ context, named }: Look): {
  readonly failed: number;
  readonly requests: number;
  readonly skills: readonly SkillRecord[];
}[] {
  const { confusion } = readLastRun(context.workspace) ?? {};
  if (confusion === undefined || confusion.passed === confusion.requests) return [];
  const wrong = new Set(
    confusion.skills.flatMap(({ skill, requests, chosen, wrongly_chosen: wrongly }) =>
      chosen < requests || wrongly > 0 ? [skill] : [],
    ),
  );
  const { passed, requests } = confusion;
  return [{ failed: requests - passed, requests, skills: named.filter(({ name }) => wrong.has(name)) }];
}
