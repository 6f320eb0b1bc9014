// Builds a report: resolves words to skills, and combines everything known about each.

import { join, resolve, sep } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  canonicalPath,
  compareBytes,
  displayPath,
  freeGarbage,
  isInside,
  isThere,
  realPath,
} from '../../base/files/index.ts';
import { toolVersion } from '../../base/version.ts';
import { listManagedSkills } from '../../make/compile/index.ts';
import { type LintFinding, lintPaths } from '../../make/lint/index.ts';
import { type Access, countMeant, findMeant } from '../../read/access/index.ts';
import { readAgentsInSight, whoSees } from '../../ship/doctor/index.ts';
import {
  acceptedInLock,
  acceptingUser,
  openVerdicts,
  readInstallFacts,
  readStoreLocks,
} from '../../ship/install/index.ts';
import { hasSkillFile } from '../../skill/skill/index.ts';
import { hearInterrupt } from '../streams/index.ts';
import { type ReportedSkill, type SkillReport, undeclaredOf } from './report.ts';
import {
  type AcceptedFinding,
  type BaselineEntry,
  baselineOf,
  changesSince,
  NOT_SCANNED,
  readReportBaseline,
  writeReportBaseline,
} from './report-baseline.ts';
import { reportSkill, type SkillPart } from './report-skill.ts';

/** Options of a report. */
export interface ReportRequest {
  /** Skills by path or name, or directories of skills. */
  readonly words: readonly string[];
  readonly failOn: SkillReport['fail_on'];
  /** Absolute path of the baseline. */
  readonly baseline: string | undefined;
  readonly writeBaseline: boolean;
  /** Accepts every finding of the report for this reason. */
  readonly why: string | undefined;
  readonly trustLock: boolean;
  readonly author: boolean;
}

/** Surroundings of a run. */
interface ReportContext {
  readonly access: Access;
  readonly signal?: AbortSignal | undefined;
  now(): Date;
  progress?(text: string): void;
}

const SKILLS_PER_CLEANUP = 500;

/** Builds the report. E001 or E010 when a word names no skill; one bad skill never hides another. */
export async function buildReport(request: ReportRequest, context: ReportContext): Promise<SkillReport> {
  const { access } = context;
  const { workspace } = access;
  const root = workspace.project?.dir ?? workspace.cwd;
  const place = (path: string) => displayPath(root, path).split(sep).join('/');
  const known =
    request.baseline === undefined
      ? undefined
      : readReportBaseline(request.baseline, { isNew: request.writeBaseline });
  const locks = readStoreLocks(workspace);
  const { licences } = (await workspace.config()).report;
  const factsOf = readInstallFacts(workspace, locks);
  const managed = new Map(
    listManagedSkills(workspace, { checkObsolete: false }).map((skill) => [
      realPath(skill.source_path),
      skill,
    ]),
  );
  const sights = whoSees(readAgentsInSight(access, locks));
  const verdicts = openVerdicts(workspace);
  const inLock = acceptedInLock(workspace, locks);
  const runtimes = workspace.stores.map(({ runtime }) => realPath(runtime));
  const parts = new Map<string, SkillPart & { readonly dir: string }>();
  const problems: SkillReport['problems'] = [];
  const total = countMeant(request.words, access);
  const notSearched: string[] = [];
  const question = { operation: 'inspect', author: request.author } as const;
  const isFound = (dir: string) => request.words.every((word) => resolve(workspace.cwd, word) !== dir);
  for await (const meant of findMeant(request.words, access, question)) {
    await hearInterrupt(context.signal, 'report');
    if (meant.kind === 'skipped') {
      notSearched.push(`${place(meant.path)} (${meant.why})`);
      continue;
    }
    if (meant.kind !== 'skill') {
      const path = meant.kind === 'problem' ? meant.problem.path : meant.dir;
      problems.push(unreadableAt(meant.error, place(path)));
      continue;
    }
    const dir = canonicalPath(meant.dir);
    if (parts.has(dir) || (isFound(meant.dir) && isCompiled(dir, runtimes))) continue;
    const own = managed.get(dir);
    const path = place(dir);
    try {
      const part = await reportSkill({
        opened: meant.skill,
        dir,
        path,
        access,
        accepted: known?.get(path)?.accepted ?? [],
        inLock,
        trustLock: request.trustLock,
        licences,
        managed: own,
        installed: own && factsOf(own.scope, own.source_path, own.name),
        seenBy: sights.agents(dir),
      });
      parts.set(dir, { ...part, dir });
      verdicts.note(dir, part.verdict_of_all);
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      problems.push(unreadableAt(error, path));
    }
    context.progress?.(`looking at ${parts.size} of ${total} skills`);
    if (parts.size % SKILLS_PER_CLEANUP === 0) freeGarbage();
  }
  verdicts.save();
  const skills = await withLint([...parts.values()], { request, context, place });
  skills.sort((a, b) => compareBytes(a.path, b.path));
  const compared = skills.map((skill) => withChanges(skill, known));
  if (!request.writeBaseline || request.baseline === undefined || known === undefined)
    return reportOf(compared, { request, context, known, problems, notSearched });
  const by = request.why === undefined ? '' : await acceptingUser(workspace);
  const at = context.now().toISOString();
  const entries = compared.map((skill) => {
    const before = known.get(skill.path)?.accepted ?? [];
    const made = request.why === undefined ? [] : acceptAll(skill, { by, why: request.why, at });
    return baselineOf(skill, [...heldIn(before, skill), ...made]);
  });
  const fresh = new Set(entries.map(({ path }) => path));
  const others = [...known.values()].filter(({ path }) => !fresh.has(path) && isStillThere(root, path));
  writeReportBaseline(request.baseline, [...entries, ...others]);
  // Read again, so that the report says what the next one will start from.
  const isSame = compared.every(({ verdict }) => verdict === 'clean');
  if (request.why === undefined || isSame)
    return reportOf(compared, { request, context, known, problems, notSearched });
  const again = await buildReport({ ...request, writeBaseline: false, why: undefined }, context);
  const { new: added, changed, gone } = sinceOf(compared, { known, root });
  return { ...again, baseline: { path: place(request.baseline), written: true, new: added, changed, gone } };
}

/** A stub is reported as its source. */
const isCompiled = (dir: string, runtimes: readonly string[]): boolean =>
  runtimes.some((runtime) => isInside(runtime, dir)) || isThere(join(dir, '.skillc', 'manifest.json'));

const isStillThere = (root: string, path: string): boolean => hasSkillFile(resolve(root, path));

function unreadableAt(
  { code, message, help }: SkillwrightError,
  path: string,
): SkillReport['problems'][number] {
  return { path, code, message: [message, ...(help === undefined ? [] : [help])].join('; ') };
}

/** Acceptances of findings that still exist. */
function heldIn(
  accepted: readonly AcceptedFinding[],
  { findings, digest, complete }: ReportedSkill,
): AcceptedFinding[] {
  return accepted.filter(({ id, rule, file, digest: held }) =>
    rule === NOT_SCANNED
      ? !complete && held === digest
      : findings.some(
          (one) => one.id === id && one.rule === rule && one.file === file && one.digest === held,
        ),
  );
}

/** Acceptances of everything that nobody has accepted yet. */
function acceptAll(
  skill: ReportedSkill,
  signature: Pick<AcceptedFinding, 'by' | 'why' | 'at'>,
): AcceptedFinding[] {
  if (skill.verdict === 'clean') return [];
  const open = skill.findings.filter(
    ({ accepted, is_sum }) => accepted?.where !== 'baseline' && is_sum !== true,
  );
  const rest =
    !skill.complete && skill.digest !== null
      ? [{ id: NOT_SCANNED, rule: NOT_SCANNED, file: '.', digest: skill.digest, ...signature }]
      : [];
  const unique = new Map(
    open.map(({ id, rule, file, digest }) => [
      [id, rule, file].join('\0'),
      { id, rule, file, digest, ...signature },
    ]),
  );
  return [...unique.values(), ...rest];
}

function withChanges(
  skill: Omit<ReportedSkill, 'change' | 'changes'>,
  known: ReadonlyMap<string, BaselineEntry> | undefined,
): ReportedSkill {
  const whole = { ...skill, change: null, changes: [] };
  if (known === undefined) return whole;
  const changes = changesSince(whole, known.get(skill.path));
  return {
    ...whole,
    change: changes === undefined ? 'new' : changes.length > 0 ? 'changed' : 'same',
    changes: changes ?? [],
  };
}

/** Adds the lint findings of each skill; all skills are linted together, because some rules compare them. */
async function withLint(
  parts: readonly (SkillPart & { readonly dir: string })[],
  {
    request,
    context,
    place,
  }: { request: ReportRequest; context: ReportContext; place: (path: string) => string },
): Promise<Omit<ReportedSkill, 'change' | 'changes'>[]> {
  const { access } = context;
  const { cwd } = access.workspace;
  const { lint: settings } = await access.workspace.config();
  const { findings } = await lintPaths(
    {
      paths: parts.map(({ dir }) => dir),
      profile: settings.profile,
      settings: settings.rules,
      fix: false,
      force: false,
      maxWarnings: undefined,
      author: request.author,
    },
    access,
  );
  const dirs = new Set(parts.map(({ dir }) => dir));
  const byDir = Map.groupBy(findings, ({ path }) => {
    let dir = resolve(cwd, path);
    while (!dirs.has(dir) && dir !== resolve(dir, '..')) dir = resolve(dir, '..');
    return dir;
  });
  return parts.map(({ dir, ...part }) => ({
    ...part,
    lint: lintOf(byDir.get(dir) ?? [], (path) => place(resolve(cwd, path))),
  }));
}

function lintOf(findings: readonly LintFinding[], place: (path: string) => string): ReportedSkill['lint'] {
  const count = (severity: LintFinding['severity']) =>
    findings.filter((finding) => finding.severity === severity).length;
  return {
    errors: count('error'),
    warnings: count('warning'),
    findings: findings.map(({ rule, code, severity, message, path, line }) => ({
      rule: rule ?? code,
      severity,
      message,
      path: place(path),
      line,
    })),
  };
}

/** A skill of the baseline that this report does not cover is gone only if it is no longer on disk. */
function sinceOf(
  skills: readonly ReportedSkill[],
  { known, root }: { known: ReadonlyMap<string, BaselineEntry>; root: string },
) {
  const paths = (change: ReportedSkill['change']) =>
    skills.filter((skill) => skill.change === change).map(({ path }) => path);
  const here = new Set(skills.map(({ path }) => path));
  return {
    new: paths('new'),
    changed: paths('changed'),
    gone: [...known.keys()].filter((path) => !here.has(path) && !isStillThere(root, path)).sort(compareBytes),
  };
}

function reportOf(
  skills: ReportedSkill[],
  {
    request,
    context,
    known,
    problems,
    notSearched,
  }: {
    request: ReportRequest;
    context: ReportContext;
    known: ReadonlyMap<string, BaselineEntry> | undefined;
    problems: SkillReport['problems'];
    notSearched: string[];
  },
): SkillReport {
  const { workspace } = context.access;
  const root = workspace.project?.dir ?? workspace.cwd;
  const count = (holds: (skill: ReportedSkill) => boolean) => skills.filter(holds).length;
  const counts = {
    skills: skills.length,
    usable: count(
      ({ decision: { state, agents } }) => state !== 'needed' && (agents === 'free' || agents === 'asked'),
    ),
    undecided: count(({ decision }) => decision.state === 'needed'),
    broken: count(({ decision }) => decision.agents === 'broken'),
    clean: count(({ verdict }) => verdict === 'clean'),
    caution: count(({ verdict }) => verdict === 'caution'),
    danger: count(({ verdict }) => verdict === 'danger'),
    accepted: count(({ decision }) => decision.state === 'accepted'),
    locked: count(({ locked }) => locked),
    denied: count(({ decision }) => decision.agents === 'denied'),
    off: count(({ decision }) => decision.agents === 'off'),
    unavailable: count(({ decision }) => decision.agents === 'unavailable'),
    user_only: count(({ decision }) => decision.agents === 'user-only'),
    unlicensed: count(({ licence }) => licence.declared === null && licence.file === null),
    refused: count(({ licence }) => licence.refused !== null),
    undeclared: count((skill) => undeclaredOf(skill).length > 0),
  };
  const ofProject = count(({ path }) => isInside(root, resolve(root, path)));
  const failing =
    request.failOn === null
      ? []
      : [
          ...skills
            .filter(({ verdict, licence }) =>
              request.failOn === 'licence'
                ? licence.refused !== null
                : verdict === 'danger' || verdict === request.failOn,
            )
            .map(({ path }) => path),
          ...problems.map(({ path }) => path),
        ];
  return {
    kind: 'skc-report',
    version: 1,
    generated_at: context.now().toISOString(),
    tool: `skc ${toolVersion}`,
    project: root.split(sep).at(-1) ?? '',
    summary: sentenceFor(counts, problems.length),
    fail_on: request.failOn,
    checked: { project: ofProject, user: skills.length - ofProject },
    failed: failing.length > 0,
    failing,
    counts,
    baseline:
      known === undefined || request.baseline === undefined
        ? null
        : {
            path: displayPath(root, request.baseline).split(sep).join('/'),
            written: request.writeBaseline,
            ...sinceOf(skills, { known, root }),
          },
    skills,
    problems,
    not_searched: notSearched,
    output: null,
  };
}

/** The one sentence a reader takes away: what can be used, and why the rest cannot. */
function sentenceFor(counts: SkillReport['counts'], problems: number): string {
  const { skills, usable, undecided } = counts;
  const one = skills === 1;
  const reasons = [
    [undecided, one ? 'needs a decision' : `${undecided} need${undecided === 1 ? 's' : ''} a decision`],
    ...(
      [
        [counts.denied, 'denied'],
        [counts.off, 'switched off'],
        [counts.locked, 'locked by a quiz'],
        [counts.unavailable, 'without a required command'],
        [counts.user_only, 'for you only'],
      ] as const
    ).map(([value, words]) => [value, one ? `is ${words}` : `${value} ${words}`] as const),
    [counts.broken, one ? 'cannot be loaded' : `${counts.broken} cannot be loaded`],
  ] as const;
  const told = reasons.filter(([value]) => value > 0).map(([, words]) => words);
  const unread = problems === 0 ? '' : `; ${problems} could not be read`;
  if (skills === 0) return `There are no skills to report on${unread}`;
  if (usable === skills)
    return `${one ? 'The skill can be used' : `All ${skills} skills can be used`}${unread}`;
  if (one) return `The skill ${told.join(' and ')}${unread}`;
  return [`${usable} of ${skills} skills can be used`, ...told].join('; ') + unread;
}
