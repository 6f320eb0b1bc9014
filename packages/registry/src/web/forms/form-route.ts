// Forms that were sent: the work of an operation, or the page again with the reasons beside the fields.

import type { Context } from 'hono';
import {
  type OperationId,
  type PathPart,
  partsOf,
  pathParts,
  type RegistryErrorCode,
  registryOperations,
} from 'skillwright/registry-protocol';
import type * as z from 'zod';
import { notFound } from '../../access/index.ts';
import { callOf, handlers } from '../../api/index.ts';
import { Failure } from '../../base/index.ts';
import type { App, Environment } from '../../http/index.ts';
import type { OperationCall } from '../../work/index.ts';
import { drawPage, showPage, type WebPage } from '../define-page.ts';
import type { Frame } from '../frame.ts';
import { type PageForm, readTyped, shapeOf } from './page-form.ts';

/** The typed values of the fields, by name. */
type Typed = Readonly<Record<string, readonly string[]>>;

type Page = Context<Environment>;

/** A form of a page: what it does, and where it leads. */
export interface FormRow {
  readonly path: string;
  /** The form, or the one that its button means. A button without fields means an operation alone, or only `work`. */
  readonly form?: PageForm | OperationId | ((typed: Typed) => PageForm | OperationId);
  /** Parts of the operation's path that are typed, by name of their field. */
  readonly typedParts?: Readonly<Partial<Record<PathPart, string>>>;
  /** The body that a button means; undefined for the one that the fields spell. */
  readonly body?: (typed: Typed) => unknown;
  /** Does something else than the operation's handler with the checked input. */
  readonly work?: (call: OperationCall<unknown, never>) => Promise<unknown>;
  /** Where a page has the form several times: what it is about. */
  readonly about?: PathPart;
  /** Failures after which the page still has the form, besides those of every form. */
  readonly also?: readonly RegistryErrorCode[];
  /** The field beside which a failure is shown that names none; by default the first one. */
  readonly main?: string;
  /** The address afterwards, by default that of the page; `made` shows the page at once, with what the form made. */
  readonly next?: 'made' | ((parts: Readonly<Record<PathPart, string>>) => string);
}

/** Failures that the person who filled in the form can do something about. */
const repairable: readonly RegistryErrorCode[] = [
  'bad_request',
  'conflict',
  'name_taken',
  'not_found',
  'rate_limited',
];

/** Adds a page, and the routes of its forms. */
export function mountPage<View>(app: App, page: WebPage<View>): void {
  for (const path of [page.path].flat())
    app.get(
      path,
      showPage((context, frame) => drawPage(page, context, frame)),
    );
  for (const row of page.forms ?? [])
    app.post(
      row.path,
      showPage((context, frame) => receiveForm(row, { page, context, frame })),
    );
}

/** A form without fields has nothing to show beside them: its failure has a page of its own. */
async function receiveForm<View>(
  row: FormRow,
  { page, context, frame }: { page: WebPage<View>; context: Page; frame: Frame },
): Promise<string | Response> {
  const typed = await readForm(context);
  const meant = typeof row.form === 'function' ? row.form(typed) : row.form;
  const form = typeof meant === 'object' ? meant : undefined;
  const id = typeof meant === 'object' ? meant.operation : meant;
  try {
    const { path, answer } = await runForm(row, { context, typed, form, id });
    if (typeof row.next === 'function') return context.redirect(row.next(path), 303);
    if (row.next === undefined) return context.redirect(addressFor(page, context), 303);
    context.header('cache-control', 'no-store');
    return await drawPage(page, context, { ...frame, made: { form: form?.name ?? '', answer } });
  } catch (error) {
    if (form === undefined || !(error instanceof Failure)) throw error;
    if (![...repairable, ...(row.also ?? [])].includes(error.code)) throw error;
    const main = row.main ?? Object.keys(form.fields)[0] ?? '';
    const about = row.about === undefined ? '' : ` ${context.req.param(row.about)}`;
    const errors = error instanceof FormFailure ? error.beside(main) : { [main]: sentenceOf(error) };
    context.status(error.status as 400);
    return drawPage(page, context, {
      ...frame,
      sent: { form: `${form.name}${about}`, values: typed, errors },
    });
  }
}

async function runForm(
  { typedParts = {}, body, work }: FormRow,
  {
    context,
    typed,
    form,
    id,
  }: { context: Page; typed: Typed; form: PageForm | undefined; id: OperationId | undefined },
): Promise<{ path: Record<PathPart, string>; answer: unknown }> {
  const path = {
    ...addressOf(context),
    ...(id === undefined ? {} : readParts(id, { context, typed, typedParts })),
  } as Record<PathPart, string>;
  const checked = id && readFields(id, form, { typed, fixed: body?.(typed) });
  const call = callOf({ ...context.var, context }, { path, body: checked as never });
  return { path, answer: await (work ?? (handlers[id!] as NonNullable<typeof work>))(call) };
}

/** The address of a page whose parts are in the address of its form. */
function addressFor<View>({ path }: WebPage<View>, context: Page): string {
  const [pattern = ''] = [path].flat();
  return pattern.replace(/:(\w+)(?:\{[^}]*\})?/g, (_, name: string) => context.req.param(name)!);
}

/** The parts of the page's own address. */
function addressOf(context: Page): Record<string, string> {
  const { owner, ...rest } = context.req.param() as Record<string, string>;
  return owner === undefined ? rest : { ...rest, owner: owner.replace(/^@/, '') };
}

/** The parts of the operation's path, from the address of the page and from fields. */
function readParts(
  id: OperationId,
  {
    context,
    typed,
    typedParts,
  }: { context: Page; typed: Typed; typedParts: Readonly<Partial<Record<PathPart, string>>> },
): Record<PathPart, string> {
  const address = addressOf(context);
  const parts: Partial<Record<PathPart, string>> = {};
  for (const part of partsOf(registryOperations[id])) {
    const name = typedParts[part];
    const given = name === undefined ? address[part] : typed[name]?.[0];
    const parsed = pathParts[part].safeParse(part === 'owner' ? given?.replace(/^@/, '') : given);
    if (parsed.success) parts[part] = parsed.data;
    else if (name === undefined) throw notFound();
    else throw new FormFailure({ [name]: parsed.error.issues[0]!.message });
  }
  return parts as Record<PathPart, string>;
}

/** The body of the operation, checked with its own schema. */
function readFields(
  id: OperationId,
  form: PageForm | undefined,
  { typed, fixed }: { typed: Typed; fixed: unknown },
): unknown {
  const { body } = registryOperations[id] as { body?: z.ZodType };
  if (body === undefined) return undefined;
  const spelled = Object.entries(shapeOf(id)).flatMap(([field, schema]) => {
    const name = form?.renamed[field] ?? field;
    const isAsked = form?.fields[name] === schema || typed[name] !== undefined;
    const value = isAsked ? readTyped(schema, typed[name]) : undefined;
    return value === undefined ? [] : [[field, value] as const];
  });
  const checked = body.safeParse(fixed ?? Object.fromEntries(spelled));
  if (checked.success) return checked.data;
  // A problem belongs to the last name of its path.
  const errors = checked.error.issues.map(({ path, message }) => {
    const last = String(path.findLast((one) => typeof one === 'string') ?? '');
    return [form?.renamed[last] ?? last, message] as const;
  });
  throw new FormFailure(Object.fromEntries(errors));
}

/** Fields of a form, without its token. */
async function readForm(context: Page): Promise<Typed> {
  const entries = Object.entries(await context.req.parseBody({ all: true }));
  return Object.fromEntries(
    entries
      .filter(([name]) => name !== 'csrf')
      .map(([name, value]) => [name, [value].flat().filter((one) => typeof one === 'string')]),
  );
}

const sentenceOf = ({ message, details }: Failure) => [message, ...details].join('; ');

/** Fields of a form that are not valid. */
class FormFailure extends Failure {
  readonly #fields: Readonly<Record<string, string>>;

  constructor(fields: Readonly<Record<string, string>>) {
    super('bad_request', 'the form is not valid', {
      details: Object.entries(fields).map(([name, message]) => `${name}: ${message}`),
    });
    this.#fields = fields;
  }

  /** The reasons by field; those of the whole form are shown beside one of them. */
  beside(main: string): Record<string, string> {
    return Object.fromEntries(Object.entries(this.#fields).map(([name, message]) => [name || main, message]));
  }
}
