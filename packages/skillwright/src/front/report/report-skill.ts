// Collects everything a report says about one skill.

import { basename, join } from 'node:path';
import { attempt, orUndefined } from '../../base/diagnostics/index.ts';
import { copyText, readTextInside, realPath, statusAt, walkTree } from '../../base/files/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import { type Ability, compareAbilities } from '../../guard/abilities/index.ts';
import { readSkillGrants, spellGrant } from '../../guard/execute/index.ts';
import {
  applyBaseline,
  identifyFindings,
  type ReviewedFinding,
  type ScanFinding,
  scanAbilities,
  scanRules,
} from '../../guard/scan/index.ts';
import type { ManagedSkill } from '../../make/compile/index.ts';
import type { Access, OpenedSkill } from '../../read/access/index.ts';
import { measureSkill } from '../../read/usage/index.ts';
import { compareWithLock, type InstalledEntry } from '../../ship/install/index.ts';
import type { Reach } from '../../skill/judge/index.ts';
import { digestSkill } from '../../skill/quiz/index.ts';
import { SKILL_FILE, type Skill } from '../../skill/skill/index.ts';
import { type LicencePolicy, readLicence } from './read-licence.ts';
import type { Acceptance, ReportedFinding, ReportedSkill } from './report.ts';
import { type AcceptedFinding, NOT_SCANNED } from './report-baseline.ts';
import { skillTrust } from './skill-trust.ts';

/** A skill, and what is known about it from elsewhere. */
export interface SkillFacts {
  readonly opened: OpenedSkill;
  readonly dir: string;
  /** Relative to the project. */
  readonly path: string;
  readonly access: Access;
  /** Accepted in the baseline. */
  readonly accepted: readonly AcceptedFinding[];
  /** Accepted in the lock of the project, for all its skills. */
  readonly inLock: readonly ReviewedFinding[];
  readonly trustLock: boolean;
  readonly licences: LicencePolicy;
  readonly managed: ManagedSkill | undefined;
  readonly installed: InstalledEntry | undefined;
  /** The agents that list it. */
  readonly seenBy: readonly string[];
}

/** Everything but the lint findings and the comparison with the baseline. */
export type SkillPart = Omit<ReportedSkill, 'lint' | 'change' | 'changes'>;

/** Reports on one skill. E010, E012 or E015 when its SKILL.md cannot be read. */
export async function reportSkill(facts: SkillFacts): Promise<SkillPart> {
  const { opened, dir, path, access, managed, installed } = facts;
  const skill = await opened.read();
  const { result, abilities: found } = scanAbilities(dir, { everyFinding: true });
  const digest = orUndefined(() => `sha256:${digestSkill(dir)}`) ?? null;
  const reach = await opened.reach([
    ...result.findings.map(({ file }) => file),
    ...found.map(({ file }) => file),
  ]);
  const reviewed = review({ ...facts, result, digest });
  const findings = reviewed.findings.map((finding) => quoteFinding(finding, reach));
  const drift = installed && compareWithLock(dir, installed.entry);
  const verdict_of_all = result.verdict;
  const { verdict } = reviewed;
  return {
    name: copyText(skill.name),
    path,
    description: copyText(descriptionText(skill.frontmatter.description)),
    locked: reach.gate !== undefined,
    digest,
    verdict,
    verdict_of_all,
    complete: result.complete,
    skipped: result.skipped.filter(({ file }) => reach.allowsName(file)),
    findings,
    abilities: compareAbilities(skill.frontmatter, found).map((ability) => quotedAbility(ability, reach)),
    licence: readLicence(dir, skill.frontmatter.license, facts.licences),
    source: installed === undefined ? null : installSource(installed, drift),
    trust: skillTrust(skill, { scan: result, installed, drift }),
    size: skillSize(skill, managed),
    decision: {
      state: verdict !== 'clean' ? 'needed' : verdict_of_all === 'clean' ? 'not-needed' : 'accepted',
      accepted: acceptancesIn(reviewed),
      agents: await agentsMay(skill, access),
      seen_by: [...facts.seenBy],
      granted: (attempt(() => readSkillGrants(dir, access.workspace).granted) ?? []).map(spellGrant),
    },
  };
}

const descriptionText = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';

interface Reviewed {
  readonly verdict: ReportedSkill['verdict'];
  readonly findings: readonly ReportedFinding[];
  /** Acceptance of what could not be scanned. */
  readonly unscanned: Acceptance | undefined;
}

/** Applies acceptances: those of the baseline, and those of the lock if it is trusted. */
function review(
  facts: Pick<SkillFacts, 'dir' | 'accepted' | 'inLock' | 'trustLock'> & {
    readonly result: Parameters<typeof applyBaseline>[0]['result'];
    readonly digest: string | null;
  },
): Reviewed {
  const { dir, result, digest, trustLock } = facts;
  const skill = basename(dir);
  const own = facts.accepted.map((accepted): ReviewedFinding => ({ ...accepted, skill }));
  const locked = facts.inLock.filter((accepted) => accepted.skill === skill);
  const partly = own.find(
    ({ rule, file, digest: held }) => rule === NOT_SCANNED && file === '.' && held === digest,
  );
  const seen = partly === undefined ? result : { ...result, complete: true };
  const { result: left } = applyBaseline({ dir, skill, result: seen }, trustLock ? [...own, ...locked] : own);
  const about = ({ id, rule, file, digest: held }: ReportedFinding | ReviewedFinding) =>
    [id, rule, file, held].join('\0');
  const by = (list: readonly ReviewedFinding[], where: Acceptance['where'], counts: boolean) =>
    new Map(list.map((one) => [about(one), acceptanceOf(one, { where, counts })]));
  const inBaseline = by(own, 'baseline', true);
  const inLock = by(locked, 'lock', trustLock);
  const findings = identifyFindings(dir, result.findings).map((finding) => {
    const key = about({ ...finding, accepted: null });
    return { ...finding, accepted: inBaseline.get(key) ?? inLock.get(key) ?? null };
  });
  return {
    verdict: left.verdict,
    findings,
    unscanned: partly && acceptanceOf(partly, { where: 'baseline', counts: true }),
  };
}

const acceptanceOf = (
  { by, why, at }: ReviewedFinding,
  rest: Pick<Acceptance, 'where' | 'counts'>,
): Acceptance => ({ by, why, at, ...rest });

/** People who accepted findings, each with each reason once. */
function acceptancesIn({ findings, unscanned }: Reviewed): Acceptance[] {
  const all = [
    ...findings.flatMap(({ accepted }) => accepted ?? []),
    ...(unscanned === undefined ? [] : [unscanned]),
  ];
  return [...new Map(all.map((one) => [JSON.stringify([one.by, one.why, one.at, one.where]), one])).values()];
}

/** A finding in a file that may not be read names its rule and place only. */
function quoteFinding<Finding extends ScanFinding>(finding: Finding, reach: Reach): Finding {
  if (reach.gate === undefined && reach.allowsFile(finding.file)) return finding;
  const summary = scanRules.find(({ id }) => id === finding.rule)?.summary ?? finding.name;
  return { ...finding, excerpt: null, message: `locked: ${summary}` };
}

/** An ability found in a file that may not be read: its variable or address would reveal the text. */
function quotedAbility({ kind, declared, found }: Ability, reach: Reach): Ability {
  const open: Ability['found'] = [];
  for (const one of found) {
    const file = one.file !== null && reach.allowsName(one.file) ? one.file : null;
    if (reach.gate === undefined && one.file !== null && reach.allowsFile(one.file)) open.push(one);
    else {
      const known = open.findIndex(
        ({ what, by, declared: is }) => what === 'locked' && by === one.by && is === one.declared,
      );
      const { count = 0 } = open[known] ?? {};
      const hidden = { ...one, what: 'locked', file, line: null, excerpt: null, count: count + one.count };
      if (known < 0) open.push(hidden);
      else open[known] = hidden;
    }
  }
  return { kind, declared, found: open };
}

function installSource(
  { facts }: InstalledEntry,
  drift: ReturnType<typeof compareWithLock> | undefined,
): ReportedSkill['source'] {
  const kinds = ['modified', 'missing', 'extra', 'behind'] as const;
  return {
    source: facts.source,
    registry: facts.origin?.registry ?? null,
    name: facts.origin?.name ?? null,
    path: facts.path,
    version: facts.version,
    commit: facts.commit,
    digest: facts.digest,
    pinned: facts.pinned,
    installed_at: facts.installed_at,
    edits: [...facts.edits],
    changes: drift === undefined ? [] : kinds.flatMap((kind) => drift[kind].map((file) => `${kind} ${file}`)),
    update: facts.update?.latest ?? facts.update?.wanted ?? null,
    notices: facts.notices.map(({ kind, text }) => ({ kind, text })),
  };
}

function skillSize({ dir, text }: Skill, managed: ManagedSkill | undefined): ReportedSkill['size'] {
  const files = walkTree(dir).entries.filter(({ kind }) => kind === 'file');
  const runtime = managed?.runtime_path ?? null;
  const stub = runtime === null ? undefined : attempt(() => readTextInside(realPath(runtime), SKILL_FILE));
  return {
    files: files.length,
    bytes: files.reduce((sum, { path }) => sum + (statusAt(join(dir, path))?.size ?? 0), 0),
    tokens: estimateTokens(text),
    all_tokens: measureSkill(dir),
    stub_tokens: stub === undefined ? null : estimateTokens(stub),
  };
}

const states = {
  disabled: 'off',
  denied: 'denied',
  'user-only': 'user-only',
  unavailable: 'unavailable',
  'model-only': 'free',
} as const;

/** Whether an agent may read the skill here. */
async function agentsMay(skill: Skill, { judge }: Access): Promise<ReportedSkill['decision']['agents']> {
  if (skill.problem !== undefined) return 'broken';
  const verdict = await judge.judge(skill, { operation: 'read', by: 'model' });
  if (verdict.verdict === 'allow') return 'free';
  if (verdict.verdict === 'closed') return 'locked';
  return verdict.verdict === 'ask' ? 'asked' : states[verdict.reason];
}
