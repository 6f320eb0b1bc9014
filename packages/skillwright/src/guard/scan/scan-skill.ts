// Scans a whole skill with every rule: from its directory to a verdict.

import { basename } from 'node:path';
import { cutText } from '../../base/diagnostics/index.ts';
import { copyText, walkTree } from '../../base/files/index.ts';
import { readFrontmatter } from '../../skill/format/index.ts';
import type { Skill } from '../../skill/skill/index.ts';
import { findAbilities } from './abilities/find-abilities.ts';
import { addFindings, type FoundAbility } from './abilities/found-ability.ts';
import type { ScanConfidence, ScanFinding, ScanResult, ScanSeverity } from './finding.ts';
import { judgeFindings } from './judge-findings.ts';
import { readScannedFiles } from './read-scanned-files.ts';
import { scanRules } from './rules/index.ts';
import type { ScanFile } from './scan-file.ts';
import type { RuleHit, ScanRule } from './scan-rule.ts';
import { ScanSubject } from './scan-subject.ts';

/** Options of a scan. */
interface ScanOptions {
  /** Rules to apply; all by default. */
  readonly rules?: readonly ScanRule[] | undefined;
  /** Reports every finding of a rule, not only the worst ten: to accept findings, you must know them all. */
  readonly everyFinding?: boolean | undefined;
}

/** A skill to scan; a directory when its SKILL.md cannot be opened, because that hides nothing from an agent. */
export type ScannedPlace = Pick<Skill, 'dir' | 'everything' | 'frontmatter'> | string;

/** Maximum findings reported per rule: more of the same only hide the others. */
const MAX_PER_RULE = 10;
/** Findings less likely than this are not reported. */
const UNLIKELY = 0.2;
const EXCERPT = 160;

/** Scans a skill. Total: reports unreadable files, and they hide nothing else. */
export function scanSkill(place: ScannedPlace, options: ScanOptions = {}): ScanResult {
  return scanFiles(place, options).result;
}

/** The same, with what the skill can do. */
export function scanAbilities(
  place: ScannedPlace,
  options: ScanOptions = {},
): { readonly result: ScanResult; readonly abilities: readonly FoundAbility[] } {
  const { result, subject } = scanFiles(place, options);
  return { result, abilities: addFindings(findAbilities(subject), result.findings) };
}

function scanFiles(
  place: ScannedPlace,
  options: ScanOptions,
): { readonly result: ScanResult; readonly subject: ScanSubject } {
  const rules = options.rules ?? scanRules;
  const isOpen = typeof place !== 'string';
  const dir = isOpen ? place.dir : place;
  const tree = isOpen ? place.everything() : walkTree(dir, { ignores: () => false });
  const { files, odd, skipped, isPartial, bytes } = readScannedFiles(dir, tree);
  const data = isOpen ? place.frontmatter : fieldsIn(files);
  const subject = new ScanSubject({ directoryName: basename(dir), data, files, odd });
  const findings = rules.flatMap((rule) => collect(rule, subject, options)).sort(worstFirst);
  const complete = !isPartial && subject.crowded.length === 0;
  const result = {
    ...judgeFindings(findings, { isPartial: !complete }),
    complete,
    files: files.length,
    bytes,
    skipped: [
      ...skipped,
      ...subject.crowded.map((file) => ({ file, why: 'too many matches of one kind to check them all' })),
    ],
  };
  return { result, subject };
}

/** The frontmatter of a SKILL.md in any case: some agents accept it. */
function fieldsIn(files: readonly ScanFile[]): Readonly<Record<string, unknown>> {
  const manifest = files.find(({ path, archive }) => archive === undefined && /^skill\.md$/i.test(path));
  return (manifest && readFrontmatter(manifest.original).data) ?? {};
}

function collect(rule: ScanRule, subject: ScanSubject, { everyFinding }: ScanOptions): ScanFinding[] {
  const best = new Map<string, ScanFinding>();
  for (const hit of rule.check(subject)) {
    const weight = hit.confidence ?? (hit.match === undefined ? 1 : subject.weigh(hit.match));
    if (typeof weight === 'number' && weight < UNLIKELY) continue;
    const finding = findingOf(rule, hit, subject);
    const key = `${finding.file}\0${finding.line}\0${finding.message}`;
    const known = best.get(key);
    if (known === undefined || worstFirst(finding, known) < 0) best.set(key, finding);
  }
  return [...best.values()].sort(worstFirst).slice(0, everyFinding ? undefined : MAX_PER_RULE);
}

function findingOf(rule: ScanRule, hit: RuleHit, subject: ScanSubject): ScanFinding {
  const { match } = hit;
  const hidden = match?.layer.via;
  const via = hidden === undefined ? '' : ` (in decoded ${hidden})`;
  const within = match?.file.archive === undefined ? '' : ` (in ${match.file.path})`;
  const excerpt = hit.excerpt ?? match?.text;
  const confidence = confidenceOf(hit.confidence ?? (match === undefined ? 'high' : subject.weigh(match)));
  return {
    rule: rule.id,
    name: rule.name,
    category: rule.category,
    severity: severityOf(hit, { rule, confidence }),
    confidence,
    // Identify a finding inside an archive by the archive: a change to that file ends a review.
    file: match?.file.archive ?? match?.file.path ?? hit.file ?? 'SKILL.md',
    line: match?.file.archive === undefined ? (match?.line ?? hit.line ?? null) : null,
    message: copyText(`${hit.message}${via}${within}`),
    reason: rule.reason,
    help: rule.help,
    excerpt: excerpt === undefined ? null : copyText(shortenExcerpt(excerpt)),
    ...(hit.flow && {
      flow: [hit.flow.from, ...hit.flow.steps, hit.flow.to].map(({ file, line, text }) => ({
        file: file.archive ?? file.path,
        line,
        text: copyText(shortenExcerpt(text)),
      })),
    }),
  };
}

/** Lowers the severity of findings that are probably unintended, or are words without an act: those take more than one kind of evidence. */
function severityOf(
  { match, isAct, severity }: RuleHit,
  { rule, confidence }: { rule: ScanRule; confidence: ScanConfidence },
): ScanSeverity {
  const given = severity ?? rule.severity;
  const isProse =
    isAct === undefined
      ? match?.isProse === true || (rule.isAboutWords === true && match?.isUnseen === false)
      : !isAct;
  return (isProse || confidence === 'low') && given !== 'low' ? 'medium' : given;
}

function confidenceOf(given: ScanConfidence | number): ScanConfidence {
  if (typeof given !== 'number') return given;
  return given >= 0.6 ? 'high' : given >= 0.36 ? 'medium' : 'low';
}

const shortenExcerpt = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return cutText(line, EXCERPT);
};

const ranks = { critical: 0, high: 1, medium: 2, low: 3 };
const trust = { high: 0, medium: 1, low: 2 };

const worstFirst = (a: ScanFinding, b: ScanFinding): number =>
  ranks[a.severity] - ranks[b.severity] ||
  trust[a.confidence] - trust[b.confidence] ||
  (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0) ||
  (a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0));
