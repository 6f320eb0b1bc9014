// A report as a document: what it says, in which order and in which words. Every format writes this document.

import { formatCount, formatPlace } from '../../base/diagnostics/index.ts';
import { formatBytes } from '../../base/files/index.ts';
import { verdictSentence } from '../../guard/scan/index.ts';
import { formatCount as formatNumber, type Tone } from '../pages/index.ts';
import { isBeyond, type ReportedSkill, type SkillReport, undeclaredOf } from './report.ts';

/** A piece of a line: our own words as a string, and everything that a format writes in its own way. */
export type Piece =
  | string
  /** Words from outside, inside our own sentence. */
  | { readonly words: string }
  /** Text from outside that is quoted, cut after so many characters where space is short. */
  | { readonly quote: string; readonly most?: number }
  /** A path, an address or a digest. */
  | { readonly place: string }
  | { readonly strong: Line }
  | { readonly mark: string; readonly tone: Tone; readonly title?: string }
  | { readonly day: string }
  | { readonly skill: ReportedSkill }
  | { readonly verdict: ReportedSkill }
  | { readonly abilities: readonly FoundKind[] }
  | { readonly trust: ReportedSkill['trust'] };

export type Line = readonly Piece[];

/** A kind of ability that was found, and whether all of it was declared. */
interface FoundKind {
  readonly word: string;
  readonly isDeclared: boolean;
}

/** A table of a report. */
interface ReportTable {
  readonly columns: readonly { readonly title: string; readonly kind?: 'number' }[];
  readonly rows: readonly (readonly Line[])[];
  readonly empty: string;
}

/** A part of a report under a heading: a table or a list. */
export interface ReportSection {
  readonly title: string;
  readonly content: ReportTable | { readonly items: readonly Line[] };
  /** Explains a mark where it is used. */
  readonly note?: Line;
  /** True for the list of all skills, which only whole reports have. */
  readonly isWhole?: true;
}

/** A fact about a skill, with points below it. */
interface ReportFact {
  readonly title: string;
  readonly line: Line;
  readonly points?: readonly Line[];
}

/** Everything about one skill. Findings and abilities are those of the skill. */
export interface ReportEntry {
  readonly skill: ReportedSkill;
  readonly facts: readonly ReportFact[];
}

/** The whole document. */
export interface ReportDocument
  extends Pick<SkillReport, 'project' | 'tool' | 'generated_at' | 'failing' | 'failed'> {
  readonly title: string;
  /** Path of the baseline it is compared with. */
  readonly comparedWith: string | null;
  /** The path, archive or skill that was checked. */
  readonly checked: string;
  /** Numbers for the first look; those with words are said wherever there is room for one line only. */
  readonly figures: readonly { readonly title: string; readonly value: number; readonly words?: string }[];
  /** Result of `--fail-on`. */
  readonly gate: string | null;
  readonly sections: readonly ReportSection[];
  /** Worst first. */
  readonly entries: readonly ReportEntry[];
  readonly undecided: readonly ReportedSkill[];
}

/** The document of a report. */
export function reportDocument(report: SkillReport): ReportDocument {
  const { project, tool, generated_at, failing, failed, fail_on: failOn, baseline } = report;
  const skills = worstFirst(report.skills);
  const undecided = skills.filter(({ decision }) => decision.state === 'needed');
  return {
    title: report.summary,
    project,
    tool,
    generated_at,
    failing,
    failed,
    comparedWith: baseline?.path ?? null,
    checked: checkedWords(report),
    figures: figuresOf(report),
    gate: failOn === null ? null : `${failed ? 'Fails' : 'Passes'} --fail-on ${failOn}`,
    sections: [
      ...(undecided.length === 0 ? [] : [decisionSection(undecided)]),
      ...changeSections(report),
      ...problemSections(report),
      ...notSearchedSections(report),
      allSection(skills),
    ],
    entries: skills.map((skill) => ({ skill, facts: entryFacts(skill) })),
    undecided,
  };
}

/** `25 skills: 8 of the project, 17 yours`. */
function checkedWords({ counts, checked: { project, user } }: SkillReport): string {
  const parts = [
    ...(project === 0 ? [] : [`${project} of the project`]),
    ...(user === 0 ? [] : [`${user} yours`]),
  ];
  return `${formatCount(counts.skills, 'skill')}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}

/** Undecided skills first, the worst of them first, then the others by path. */
function worstFirst(skills: readonly ReportedSkill[]): ReportedSkill[] {
  const rank = ({ decision, verdict }: ReportedSkill) =>
    decision.state !== 'needed' ? 2 : verdict === 'danger' ? 0 : 1;
  return skills.toSorted((a, b) => rank(a) - rank(b));
}

function figuresOf({ counts, baseline }: SkillReport): ReportDocument['figures'] {
  const unless = (value: number, title: string, words?: string) =>
    value === 0 ? [] : [{ title, value, ...(words === undefined ? {} : { words }) }];
  return [
    { title: 'Skills', value: counts.skills, words: formatCount(counts.skills, 'skill') },
    { title: 'Can be used', value: counts.usable, words: `${counts.usable} can be used` },
    { title: 'Need a decision', value: counts.undecided },
    { title: 'Danger', value: counts.danger, words: `${counts.danger} danger` },
    { title: 'Caution', value: counts.caution, words: `${counts.caution} caution` },
    { title: 'Clean', value: counts.clean, words: `${counts.clean} clean` },
    ...unless(counts.accepted, 'Accepted', `${counts.accepted} accepted`),
    ...unless(counts.broken, 'Cannot be loaded'),
    ...unless(counts.locked, 'Locked by a quiz', `${counts.locked} locked`),
    ...unless(counts.denied, 'Denied', `${counts.denied} denied`),
    ...unless(counts.off, 'Switched off', `${counts.off} switched off`),
    ...unless(counts.unavailable, 'Requirement missing'),
    ...unless(counts.user_only, 'Only you can call'),
    ...unless(counts.unlicensed, 'Without a licence', `${counts.unlicensed} without a licence`),
    ...unless(counts.refused, 'Licence refused', `${counts.refused} with a refused licence`),
    {
      title: 'Undeclared abilities',
      value: counts.undeclared,
      words: `${counts.undeclared} with undeclared abilities`,
    },
    ...(baseline === null
      ? []
      : [
          { title: 'New', value: baseline.new.length },
          { title: 'Changed', value: baseline.changed.length },
        ]),
  ];
}

const decisionSection = (skills: readonly ReportedSkill[]): ReportSection => ({
  title: 'Needs a decision',
  content: {
    columns: columnsOf('Skill', 'Verdict', 'Why', 'Can do', 'Source'),
    rows: skills.map((skill) => [
      [{ skill }],
      [{ verdict: skill }],
      [{ quote: mainReason(skill), most: 160 }],
      [{ abilities: abilitiesIn(skill) }],
      [{ quote: sourceWords(skill), most: 80 }],
    ]),
    empty: '',
  },
});

/** New, changed and gone skills. */
function changeSections({ baseline, skills }: SkillReport): ReportSection[] {
  if (baseline === null) return [];
  const by = new Map(skills.map((skill) => [skill.path, skill]));
  const since = (change: 'new' | 'changed', tone: Tone, what: (skill: ReportedSkill) => Line) =>
    baseline[change].map((path): Line[] => {
      const skill = by.get(path)!;
      return [[{ skill }], [{ mark: change, tone }], [{ verdict: skill }], what(skill)];
    });
  return [
    {
      title: 'Since the baseline',
      content: {
        columns: columnsOf('Skill', 'Change', 'Verdict', 'What'),
        rows: [
          ...since('new', 'accent', (skill) => [{ abilities: abilitiesIn(skill) }]),
          ...since('changed', 'warn', ({ changes }) => withCommas(changes.map((quote) => ({ quote })))),
          ...baseline.gone.map((path): Line[] => [
            [{ quote: path }],
            [{ mark: 'gone', tone: 'neutral' }],
            [],
            [],
          ]),
        ],
        empty: 'Nothing changed since the baseline',
      },
    },
  ];
}

function problemSections({ problems }: SkillReport): ReportSection[] {
  if (problems.length === 0) return [];
  const items = problems.map(
    ({ path, code, message }): Line => [
      { mark: code, tone: 'bad' },
      ' ',
      { quote: path },
      ': ',
      { quote: message },
    ],
  );
  return [{ title: 'Could not be read', content: { items } }];
}

function notSearchedSections({ not_searched: places }: SkillReport): ReportSection[] {
  if (places.length === 0) return [];
  return [{ title: 'Not searched', content: { items: places.map((place): Line => [{ quote: place }]) } }];
}

function allSection(skills: readonly ReportedSkill[]): ReportSection {
  const isMarked = skills.some((skill) => abilitiesIn(skill).some(({ isDeclared }) => !isDeclared));
  return {
    title: 'All skills',
    isWhole: true,
    ...(isMarked
      ? {
          note: [
            { abilities: [{ word: 'network', isDeclared: false }] },
            ' looks like this if it was found in the files, and is not declared in the frontmatter.',
          ],
        }
      : {}),
    content: {
      columns: [
        ...columnsOf('Skill', 'Verdict', 'Decision', 'Can do', 'Licence', 'Source'),
        { title: 'Trust', kind: 'number' },
        { title: 'Lint', kind: 'number' },
      ],
      rows: skills.map((skill) => [
        [{ skill }],
        [{ verdict: skill }],
        [{ words: decisionOf(skill) }],
        [{ abilities: abilitiesIn(skill) }],
        [
          { quote: licenceOf(skill), most: 40 },
          ...(skill.licence.refused !== null
            ? [' ', { mark: 'refused', tone: 'bad', title: skill.licence.refused } as const]
            : skill.licence.problem === null || skill.licence.declared === null
              ? []
              : [' ', { mark: '!', tone: 'warn', title: skill.licence.problem } as const]),
        ],
        [{ quote: sourceWords(skill), most: 80 }],
        [String(skill.trust.score)],
        [
          skill.lint.errors === 0
            ? formatCount(skill.lint.warnings, 'warning')
            : formatCount(skill.lint.errors, 'error'),
        ],
      ]),
      empty: 'There are no skills',
    },
  };
}

const columnsOf = (...titles: readonly string[]) => titles.map((title) => ({ title }));

const withCommas = (pieces: readonly Piece[]): Line =>
  pieces.flatMap((piece, at) => (at === 0 ? [piece] : [', ', piece]));

function entryFacts(skill: ReportedSkill): ReportFact[] {
  const { licence, decision, trust, lint, digest, changes, skipped } = skill;
  const undeclared = undeclaredOf(skill);
  const told = lint.findings.filter(({ severity }) => severity !== 'info');
  const sentence = verdictSentence(skill);
  return [
    {
      title: 'Verdict',
      line: [{ verdict: skill }, skill.complete ? '' : ', not fully scanned'],
      points: sentence === undefined ? [] : [[{ words: sentence }]],
    },
    {
      title: 'Decision',
      line: [{ words: decisionOf(skill) }],
      points: decision.accepted.map(({ by, why, at, where, counts }) => [
        { words: by },
        ', ',
        { day: at },
        `, in the ${where}: `,
        { quote: why },
        counts ? '' : ' (does not count without --trust-lock)',
      ]),
    },
    {
      title: 'Agents',
      line: [
        agentWords[decision.agents],
        decision.seen_by.length === 0
          ? '; no agent used here has it'
          : `; ${decision.seen_by.join(', ')} ${decision.seen_by.length === 1 ? 'lists' : 'list'} it`,
        ...(decision.granted.length === 0
          ? []
          : ['; you granted ', ...withCommas(decision.granted.map((quote) => ({ quote })))]),
      ],
    },
    ...(undeclared.length === 0
      ? []
      : [{ title: 'Not declared', line: [], points: undeclared.map((quote) => [{ quote, most: 60 }]) }]),
    {
      title: 'Licence',
      line: [
        { quote: licenceOf(skill), most: 80 },
        ...(licence.file === null ? [] : [' (', { quote: licence.file }, ')']),
        ...(licence.problem === null ? [] : [': ', { strong: [{ words: licence.problem }] }]),
        ...(licence.refused === null ? [] : ['; ', { strong: [{ words: licence.refused }] }]),
      ],
    },
    { title: 'Source', line: [{ quote: sourceWords(skill) }], points: sourcePoints(skill) },
    { title: 'Trust', line: [{ trust }] },
    ...(skipped.length === 0
      ? []
      : [
          {
            ...{ title: 'Not scanned', line: [] },
            points: skipped.map(({ file, why }): Line => [{ place: file }, ': ', { quote: why }]),
          },
        ]),
    { title: 'Size', line: [sizeWords(skill)] },
    { title: 'Digest', line: [digest === null ? 'a file cannot be read' : { place: digest }] },
    ...(changes.length === 0
      ? []
      : [{ title: 'Changes', line: withCommas(changes.map((quote) => ({ quote }))) }]),
    {
      title: 'Lint',
      line: [`${formatCount(lint.errors, 'error')}, ${formatCount(lint.warnings, 'warning')}`],
      points: told.map(({ rule, severity, message, path, line }) => [
        { mark: severity, tone: severity === 'error' ? 'bad' : 'warn' },
        ` ${rule} `,
        { place: formatPlace(path, line) },
        ': ',
        { quote: message },
      ]),
    },
  ];
}

function sourcePoints({ source }: ReportedSkill): Line[] {
  if (source === null) return [];
  const differences = [...source.changes, ...source.edits.map((file) => `edited ${file}`)];
  return [
    [{ place: source.source }, ...(source.path === '' ? [] : [' in ', { place: source.path }])],
    ...(source.commit === null ? [] : [['commit ', { place: source.commit }]]),
    ['installed on ', { day: source.installed_at }, source.pinned ? ', pinned' : ''],
    ...(differences.length === 0
      ? []
      : [[{ strong: ['differs from the lock: ', ...withCommas(differences.map((words) => ({ words })))] }]]),
    ...(source.update === null ? [] : [['newer version: ', { quote: source.update }]]),
    ...source.notices.map(({ kind, text }): Line => [{ mark: kind, tone: 'warn' }, ' ', { quote: text }]),
  ];
}

/** Kinds of abilities a skill has, and whether each was declared. */
export function abilitiesIn({ abilities }: ReportedSkill): FoundKind[] {
  return abilities.flatMap((ability) =>
    ability.found.length === 0 ? [] : [{ word: ability.kind, isDeclared: !isBeyond(ability, abilities) }],
  );
}

/** Where the skill comes from, in a few words. */
function sourceWords({ source }: ReportedSkill): string {
  if (source === null) return 'not installed';
  const version = source.version ?? source.commit?.slice(0, 12) ?? source.digest.slice(7, 19);
  return `${source.name ?? source.source} ${version}${source.pinned ? ', pinned' : ''}`;
}

/** Decision and who made it, in a few words. */
export function decisionOf({ decision }: ReportedSkill): string {
  const { state, accepted, agents } = decision;
  if (state === 'not-needed') return agents === 'broken' ? 'not needed; it cannot be loaded' : 'not needed';
  const people = [...new Set(accepted.filter(({ counts }) => counts).map(({ by }) => by))];
  if (state === 'accepted') return `accepted by ${people.join(', ')}`;
  return people.length === 0 ? 'not decided' : `not decided; some findings accepted by ${people.join(', ')}`;
}

/** Whether agents may use it. */
const agentWords = {
  free: 'may use it',
  asked: 'must ask before they use it',
  off: 'skc does not offer it: it is switched off',
  denied: 'skc does not offer it: a rule denies it',
  'user-only': 'skc does not offer it: only you can call it',
  unavailable: 'skc does not offer it: a required command is missing',
  locked: 'skc offers only its name: a quiz locks it',
  broken: 'skc does not offer it: its SKILL.md cannot be loaded',
} as const;

/** The licence in a few words. */
function licenceOf({ licence: { declared, detected, file } }: ReportedSkill): string {
  return declared ?? detected ?? (file === null ? 'none' : `see ${file}`);
}

/** Files, bytes and tokens. */
function sizeWords({ size }: ReportedSkill): string {
  const stub = size.stub_tokens === null ? '' : `, ${formatNumber(size.stub_tokens)} in its stub`;
  return `${formatCount(size.files, 'file')}, ${formatBytes(size.bytes)}, ${formatNumber(size.tokens)} tokens in SKILL.md${stub}, ${formatNumber(size.all_tokens)} in all`;
}

/** The finding that says best why a decision is needed. */
export function mainReason(skill: ReportedSkill): string {
  const open = skill.findings.find(
    ({ accepted, is_sum }) => (accepted === null || !accepted.counts) && is_sum !== true,
  );
  if (open !== undefined) return `${open.message} (${formatPlace(open.file, open.line)})`;
  const [skipped] = skill.skipped;
  return skill.complete || skipped === undefined ? '' : `not fully scanned: ${skipped.file} (${skipped.why})`;
}
