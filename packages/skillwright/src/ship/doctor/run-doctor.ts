// skc doctor: runs all checks, reports problems and, with `fix`, repairs them where possible.

import { diagnosticOf, SkillwrightError } from '../../base/diagnostics/index.ts';
import { readError, systemErrorCode, whenSettled } from '../../base/files/index.ts';
import type { RootReport } from '../../read/catalog/index.ts';
import type { StoreScope } from '../../skill/workspace/index.ts';
import type { DoctorReport } from '../results/index.ts';
import type { Check, Fault, Group, Repair } from './check.ts';
import { checks } from './checks/index.ts';
import { type DoctorContext, isAsSurveyed, lookAtMachine, type Survey, takeSurvey } from './survey.ts';

/** Options of the doctor. */
interface DoctorRequest {
  /** Both by default. */
  readonly scope?: StoreScope | undefined;
  readonly fix: boolean;
}

/** A repair can reveal another problem. */
const MAX_ROUNDS = 5;
/** Another process may change the files during a check. */
const MAX_LOOKS = 3;

/**
 * Runs every check. Repaired findings come first, then the remaining ones, each in the order of the checks. Without `fix`
 * nothing is written. E100 for the project's scope outside a project.
 */
export async function runDoctor(
  request: DoctorRequest,
  context: DoctorContext,
): Promise<DoctorReport & { readonly roots: readonly RootReport[] }> {
  const fixed: CheckedFault[] = [];
  const tried = new Set<string>();
  let { survey, faults } = await look(request, context);
  for (let round = 1; request.fix && round <= MAX_ROUNDS; round++) {
    const repairable = faults.filter((fault) => fault.repair !== undefined && !tried.has(faultKey(fault)));
    if (repairable.length === 0) break;
    for (const fault of repairable) tried.add(faultKey(fault));
    const repairs = new Map(repairable.map(({ repair }) => [repair!.key, repair!]));
    const done = await repairAll([...repairs.values()], context);
    ({ survey, faults } = await look(request, context));
    const remaining = new Set(faults.map(faultKey));
    fixed.push(
      ...repairable.filter((fault) => done.has(fault.repair!.key) && !remaining.has(faultKey(fault))),
    );
  }
  return {
    findings: [...fixed.map((fault) => findingOf(fault, true)), ...faults.map((fault) => findingOf(fault))],
    machine: await lookAtMachine(context),
    skills: survey.skills.filter(({ source, entry }) => source !== undefined || entry !== undefined).length,
    agents: survey.agents.map(({ agent }) => agent.id),
    forms: survey.skills.flatMap(({ name, runtime: { manifest } }) =>
      manifest === undefined ? [] : [{ skill: name, form: manifest.form ?? 'stub', why: manifest.why ?? '' }],
    ),
    roots: ((await survey.catalog())?.roots ?? []).filter(
      (root) => (request.scope ?? root.scope) === root.scope,
    ),
  };
}

async function look({ scope }: DoctorRequest, context: DoctorContext): Promise<LookedOver> {
  const seen = await whenSettled<LookedOver | SkillwrightError>(MAX_LOOKS, async () => {
    try {
      const survey = await takeSurvey(scope, quietly(context));
      const faults: CheckedFault[] = [];
      const isChanging = survey.busy.length > 0 || survey.places.some(({ isInterrupted }) => isInterrupted);
      for (const check of checks)
        if (check.always || !isChanging) faults.push(...(await runCheck(check, survey)));
      return { result: { survey, faults }, isSettled: isAsSurveyed(survey) };
    } catch (error) {
      const failure = readError(pathOf(error), error);
      // A file disappeared during the check.
      if (systemErrorCode(error) === undefined || !(failure instanceof SkillwrightError)) throw failure;
      return { result: failure, isSettled: false };
    }
  });
  if (seen instanceof SkillwrightError) throw seen;
  return seen;
}

interface LookedOver {
  readonly survey: Survey;
  readonly faults: CheckedFault[];
}

/** Problems of the configuration become findings, so they are not printed as warnings too. */
function quietly(context: DoctorContext): DoctorContext {
  return {
    ...context,
    report: (diagnostic) => {
      if (diagnostic.code !== 'W110') context.report(diagnostic);
    },
  };
}

/** A check that fails to read something reports it; the other checks still run. */
async function runCheck(check: Check, survey: Survey): Promise<CheckedFault[]> {
  const { id, group } = check;
  const faults: CheckedFault[] = [];
  try {
    for (const fault of await check.find(survey)) faults.push({ check: id, group, ...fault });
  } catch (thrown) {
    const error = readError(pathOf(thrown), thrown);
    if (!(error instanceof SkillwrightError)) throw error;
    faults.push({
      check: id,
      group,
      severity: 'warning',
      subject: id,
      message: error.message,
      why: `This check is incomplete: ${check.summary}`,
      fix: error.help ?? 'check its permissions and file type',
    });
  }
  return faults;
}

function pathOf(error: unknown): string {
  const path = error instanceof Error ? (error as NodeJS.ErrnoException).path : undefined;
  return path ?? 'a file';
}

/** The keys of the successful repairs. Each is independent; failures are reported. */
async function repairAll(repairs: readonly Repair[], context: DoctorContext): Promise<Set<string>> {
  const done = new Set<string>();
  const told = new Set<string>();
  for (const [index, { key, run }] of repairs.entries()) {
    context.progress(`repairing ${index + 1} of ${repairs.length}`);
    try {
      await run();
      done.add(key);
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      if (!told.has(error.message)) context.report(diagnosticOf(error));
      told.add(error.message);
    }
  }
  return done;
}

/** A fault, and the check that found it. */
interface CheckedFault extends Fault {
  /** Id of the check. */
  readonly check: string;
  readonly group: Group;
}

/** One problem, repaired or not. */
export type Finding = DoctorReport['findings'][number];

/** The finding for a fault. */
function findingOf({ repair, ...fault }: CheckedFault, fixed = false): Finding {
  const { check, group, severity, subject, message, why, fix } = fault;
  return { check, group, severity, subject, message, why, fix, fixable: repair !== undefined, fixed };
}

/** Identifies a fault across runs. */
function faultKey({ check, subject, message }: Pick<Finding, 'check' | 'subject' | 'message'>): string {
  return JSON.stringify([check, subject, message]);
}
