// Forms that were sent: the work of an operation, or the page again with the reasons beside the fields.

import type { Context } from 'hono';
import {
  type OperationAnswer,
  type OperationId,
  type PathPart,
  partsOf,
  pathParts,
  type RegistryErrorCode,
  registryOperations,
} from 'skillwright/registry-protocol';
import type * as z from 'zod';
import { notFound } from '../../access/index.ts';
import { handlers, type OperationCall } from '../../api/index.ts';
import { Failure } from '../../base/index.ts';
import type { App, Environment } from '../../http/index.ts';
import type { Frame } from '../frame.ts';
import { showPage } from '../frame-of.ts';
import { type PageForm, readTyped, type SentForm, shapeOf } from './page-form.ts';

/** The typed values of the fields, by name. */
export type Typed = Readonly<Record<string, readonly string[]>>;

type Page = Context<Environment>;

/** The work of a sent form, and the page afterwards. */
interface FormRoute<Id extends OperationId> {
  /** The form, or the one that its button means. A button without fields means an operation alone. */
  readonly form: PageForm<Id> | Id | ((typed: Typed) => PageForm<Id> | Id);
  /** Parts of the operation's path that are typed, by name of their field. */
  readonly typedParts?: Readonly<Partial<Record<PathPart, string>>>;
  /** The body that a button means; undefined for the one that the fields spell. */
  readonly body?: (typed: Typed) => unknown;
  /** Does something else than the operation's handler with the checked input. */
  readonly work?: (call: OperationCall<unknown, never>) => Promise<unknown>;
  /** Where a page has the form several times: what it is about. */
  readonly about?: PathPart;
  /** The page again, with a form that was refused. Left out: the failure has a page of its own. */
  readonly again?: (context: Page, frame: Frame, sent: SentForm) => Promise<string>;
  /** Failures after which the page still has the form, besides those of every form. */
  readonly also?: readonly RegistryErrorCode[];
  /** The field beside which a failure is shown that names none; by default the first one. */
  readonly main?: string;
  /** The page afterwards: its address, or one that shows the answer once. */
  readonly next:
    | ((parts: Readonly<Record<PathPart, string>>) => string)
    | { readonly show: (context: Page, frame: Frame, answer: OperationAnswer<Id>) => Promise<string> };
}

/** Failures that the person who filled in the form can do something about. */
const repairable: readonly RegistryErrorCode[] = [
  'bad_request',
  'conflict',
  'name_taken',
  'not_found',
  'rate_limited',
];

/** Adds the route of a form. */
export function formRoute<Id extends OperationId>(app: App, path: string, route: FormRoute<Id>): void {
  app.post(
    path,
    showPage(async (context, frame) => {
      const typed = await readForm(context);
      const meant = typeof route.form === 'function' ? route.form(typed) : route.form;
      const form = typeof meant === 'string' ? undefined : meant;
      try {
        return await runForm({ context, frame, typed, route, meant });
      } catch (error) {
        if (route.again === undefined || !(error instanceof Failure)) throw error;
        if (![...repairable, ...(route.also ?? [])].includes(error.code)) throw error;
        const main = route.main ?? Object.keys(form?.fields ?? {})[0] ?? '';
        const about = route.about === undefined ? '' : ` ${context.req.param(route.about)}`;
        context.status(error.status as 400);
        return route.again(context, frame, {
          form: `${form?.name ?? ''}${about}`,
          values: typed,
          errors: error instanceof FormFailure ? error.beside(main) : { [main]: sentenceOf(error) },
        });
      }
    }),
  );
}

async function runForm<Id extends OperationId>({
  context,
  frame,
  typed,
  route,
  meant,
}: {
  context: Page;
  frame: Frame;
  typed: Typed;
  route: FormRoute<Id>;
  meant: PageForm<Id> | Id;
}): Promise<string | Response> {
  const id = typeof meant === 'string' ? meant : meant.operation;
  const path = readParts(id, { context, typed, typedParts: route.typedParts ?? {} });
  const call = {
    registry: context.get('registry'),
    caller: context.get('caller'),
    path,
    query: {},
    body: readFields(id, typeof meant === 'string' ? undefined : meant, {
      typed,
      fixed: route.body?.(typed),
    }),
    context,
  } as OperationCall<unknown, never>;
  const answer = await (route.work ?? (handlers[id] as NonNullable<typeof route.work>))(call);
  if (typeof route.next === 'function')
    return context.redirect(route.next({ ...addressOf(context), ...path }), 303);
  context.header('cache-control', 'no-store');
  return route.next.show(context, frame, answer as OperationAnswer<Id>);
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
