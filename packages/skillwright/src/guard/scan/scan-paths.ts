// A whole scan: resolves the user's arguments to skills, and combines the results into one report.

import { basename } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { canonicalPath, displayPath, freeGarbage, type Tree } from '../../base/files/index.ts';
import { type Access, countMeant, findMeant, type OpenedSkill } from '../../read/access/index.ts';
import { type Reach, wholeReach } from '../../skill/judge/index.ts';
import type { Skill } from '../../skill/skill/index.ts';
import { ScanSeverity } from './finding.ts';
import { applyBaseline, type ReviewedFinding, readBaseline, writeBaseline } from './scan-baseline.ts';
import type { ScanReport, SkillScan } from './scan-report.ts';
import { type ScannedPlace, scanSkill } from './scan-skill.ts';
import { askOpinion, type OpinionSource, type SecondOpinion } from './second-opinion.ts';

/** Options of a scan run. */
interface ScanRequest {
  /** Skills by path or name, or directories with many. */
  readonly paths: readonly string[];
  /** Leaves out findings below this; the verdict stays the same. */
  readonly minSeverity: ScanSeverity;
  /** The scan fails from this verdict on. */
  readonly failOn: ScanReport['fail_on'];
  /** File of reviewed findings that the user named. A project's own file counts only when named. */
  readonly baseline?: string | undefined;
  /** More reviewed findings, treated like those of the baseline. */
  readonly reviewed?: readonly ReviewedFinding[] | undefined;
  /** Reviewer of every finding of this scan, and the reason: writes the baseline. */
  readonly review?: { readonly by: string; readonly why: string; readonly at: string } | undefined;
  /** The author scans their own skill. */
  readonly author: boolean;
  /** Directories of skills to leave out. */
  readonly skips?: ((dir: string) => boolean) | undefined;
  /** Called with the canonical directory of each skill, its verdict without reviews, and its files. */
  scanned?(dir: string, verdict: SkillScan['verdict'], tree?: Tree): void;
  /** A model for a second opinion, and how many skills to ask it about. */
  readonly opinion?: { readonly source: OpinionSource; readonly most: number } | undefined;
}

/** Receives the progress of a scan. */
interface ScanContext {
  readonly access: Access;
  readonly signal?: AbortSignal | undefined;
  progress?(text: string): void;
}

const SKILLS_PER_CLEANUP = 2000;

/** Scans every skill the request names. E001 or E010 when an argument names none; one bad skill never hides another. */
export async function scanPaths(request: ScanRequest, context: ScanContext): Promise<ScanReport> {
  const skills: SkillScan[] = [];
  const problems: ScanReport['problems'] = [];
  const notSearched: string[] = [];
  const seen = new Set<string>();
  const lowest = ScanSeverity.options.indexOf(request.minSeverity);
  const { access } = context;
  const written =
    request.baseline === undefined
      ? []
      : readBaseline(request.baseline, { isNew: request.review !== undefined });
  const reviews = [...written, ...(request.reviewed ?? [])];
  const kept: ReviewedFinding[] = [];
  const total = countMeant(request.paths, access);
  const display = (path: string) => displayPath(access.workspace.cwd, path);

  const scanOne = (dir: string, place: ScannedPlace): SkillScan => {
    context.signal?.throwIfAborted();
    context.progress?.(`scanning ${seen.size} of ${total}`);
    if (seen.size % SKILLS_PER_CLEANUP === 0) freeGarbage();
    const isReviewed = request.baseline !== undefined || reviews.length > 0;
    const skill = basename(dir);
    const all = scanSkill(place, { everyFinding: isReviewed });
    request.scanned?.(
      canonicalPath(dir),
      all.verdict,
      typeof place === 'string' ? undefined : place.everything(),
    );
    const under = applyBaseline({ dir, skill, result: all }, reviews);
    const made =
      request.review === undefined
        ? []
        : under.open.map(({ id, rule, file, digest }) => ({
            id,
            rule,
            skill,
            file,
            digest,
            ...request.review!,
          }));
    kept.push(...under.reviewed, ...made);
    const { result, reviewed, expired } =
      made.length === 0 ? under : applyBaseline({ dir, skill, result: all }, [...reviews, ...made]);
    const findings = result.findings.filter(
      ({ severity }) => ScanSeverity.options.indexOf(severity) >= lowest,
    );
    return {
      name: skill,
      path: display(dir),
      ...result,
      findings,
      reviewed: [...reviewed],
      expired: [...expired],
      verdict_of_all: all.verdict,
    };
  };

  const most = request.opinion?.most ?? 0;
  let asked = 0;
  const ask = async (dir: string, result: SkillScan): Promise<SecondOpinion | undefined> => {
    const opinion = await askOpinion({ dir, result }, request.opinion!.source);
    if (opinion !== undefined) asked++;
    return opinion;
  };

  const addProblem = (path: string, { code, message, help }: SkillwrightError, lead = ''): void => {
    const told = help === undefined ? message : `${message}; ${help}`;
    problems.push({ path: display(path), code, message: lead + told });
  };

  // A compiled stub stands for its source elsewhere; a path means the files at that path.
  const question = { operation: 'inspect', author: request.author, asGiven: true } as const;
  for await (const meant of findMeant(request.paths, access, question)) {
    if (meant.kind === 'skipped') {
      notSearched.push(`${display(meant.path)} (${meant.why})`);
      continue;
    }
    const dir = meant.kind === 'problem' ? meant.problem.path : meant.dir;
    if (seen.has(dir) || request.skips?.(dir) === true) continue;
    if (meant.kind === 'skill') {
      seen.add(dir);
      const opened = await openedSkill(meant.skill);
      const scanned = scanOne(dir, opened === undefined ? dir : { ...opened, dir });
      if (opened?.problem !== undefined && opened.parts.data === undefined) {
        addProblem(dir, opened.problem, `not a skill: ${display(dir)}: `);
        if (scanned.verdict === 'clean') continue;
      }
      const isQuoted = scanned.findings.some(({ excerpt }) => excerpt !== null);
      const reach = isQuoted ? await meant.skill.reach(scanned.findings.map(({ file }) => file)) : wholeReach;
      // A model sees no more of a skill than the caller may.
      const opinion = reach.isWhole && asked < most ? await ask(dir, scanned) : undefined;
      const own = opinion === undefined ? scanned : { ...scanned, opinion };
      skills.push(reach.isWhole ? own : withoutExcerpts(own, reach));
    } else if (meant.kind === 'problem') {
      addProblem(meant.problem.path, meant.error);
      // Some agents accept SKILL.md in any case, so its content counts.
      if (meant.problem.kind !== 'misspelled') continue;
      seen.add(dir);
      skills.push(scanOne(dir, dir));
    }
  }
  const count = (verdict: string) => skills.filter((skill) => skill.verdict === verdict).length;
  if (request.review !== undefined && request.baseline !== undefined) {
    const scanned = new Set(skills.map(({ name }) => name));
    writeBaseline(request.baseline, [...kept, ...written.filter(({ skill }) => !scanned.has(skill))]);
  }
  return {
    clean: count('clean'),
    caution: count('caution'),
    danger: count('danger'),
    fail_on: request.failOn,
    skills,
    problems,
    not_searched: notSearched,
  };
}

/** The skill; undefined when its SKILL.md cannot be opened. */
async function openedSkill(opened: OpenedSkill): Promise<Skill | undefined> {
  try {
    return await opened.read();
  } catch (error) {
    if (error instanceof SkillwrightError) return undefined;
    throw error;
  }
}

/** Does not quote a skill locked behind a quiz: rule, file and line say where to look. */
function withoutExcerpts(skill: SkillScan, reach: Reach): SkillScan {
  return {
    ...skill,
    findings: skill.findings.map((finding) =>
      reach.gate === undefined && reach.allowsFile(finding.file) ? finding : { ...finding, excerpt: null },
    ),
  };
}
