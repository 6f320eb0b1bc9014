// Reads the evals of a skill: `eval_queries.json` and `evals/*.json`, in the formats other tools use and in ours.

import * as z from 'zod';
import { type Diagnostic, diagnose } from '../../base/diagnostics/index.ts';
import { decodeText, readInside } from '../../base/files/index.ts';
import { EvalTask, type Located, SectionQuestion, type SkillEvals, TriggerQuery } from './eval-case.ts';

/** Files with requests. The first is where other tools keep them. */
export const QUERY_FILES = ['eval_queries.json', 'evals/eval_queries.json'] as const;
export const QUESTION_FILE = 'evals/questions.json';
const TASK_FILE = 'evals/evals.json';

/** Every file with cases. */
export const EVAL_FILES = [...QUERY_FILES, QUESTION_FILE, TASK_FILE] as const;

/** Larger files are not read. */
export const MAX_BYTES = 4 * 1024 * 1024;
/** Each case is a search; more than this would take minutes. */
const MAX_CASES = 1000;
/** Problems shown for one file. */
const MAX_PROBLEMS = 5;

const EvalFile = z.looseObject({ evals: z.array(z.unknown()) });

/** The cases of a skill. A case that cannot be read is reported (W260) and left out; the others count. */
export function readEvals(dir: string): SkillEvals & { readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const read = <Case>(file: string, schema: z.ZodType<Case>, unwrap = (value: unknown) => value) =>
    readCases(dir, { file, schema, unwrap, diagnostics });
  const tasks = read(TASK_FILE, EvalTask, (value) => EvalFile.safeParse(value).data?.evals ?? value);
  return {
    queries: QUERY_FILES.flatMap((file) => read(file, TriggerQuery)),
    questions: read(QUESTION_FILE, SectionQuestion),
    tasks,
    diagnostics,
  };
}

function readCases<Case>(
  dir: string,
  {
    file,
    schema,
    unwrap,
    diagnostics,
  }: {
    readonly file: string;
    readonly schema: z.ZodType<Case>;
    readonly unwrap: (value: unknown) => unknown;
    readonly diagnostics: Diagnostic[];
  },
): Located<Case>[] {
  const wrong = (why: string) => diagnostics.push(diagnose('W260', { file, why }));
  let value: unknown;
  try {
    const bytes = readInside(dir, file, { maxBytes: MAX_BYTES });
    if (bytes === undefined) return [];
    value = unwrap(JSON.parse(decodeText(bytes).text));
  } catch (error) {
    wrong((error as Error).message.replace(/\s+/g, ' '));
    return [];
  }
  if (!Array.isArray(value)) {
    wrong('expected a list of cases');
    return [];
  }
  const cases: Located<Case>[] = [];
  let problems = 0;
  if (value.length > MAX_CASES) wrong(`only the first ${MAX_CASES} of ${value.length} cases are run`);
  for (const [index, item] of value.slice(0, MAX_CASES).entries()) {
    const parsed = schema.safeParse(item);
    if (parsed.success) cases.push({ ...parsed.data, source: file, position: index + 1 });
    else if (problems++ < MAX_PROBLEMS) wrong(`case ${index + 1}: ${describe(parsed.error)}`);
  }
  if (problems > MAX_PROBLEMS) wrong(`${problems - MAX_PROBLEMS} more cases cannot be read`);
  return cases;
}

function describe({ issues }: z.ZodError): string {
  const [{ path, message } = { path: [], message: 'not a case' }] = issues;
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}
