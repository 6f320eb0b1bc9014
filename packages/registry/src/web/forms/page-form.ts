// A form of a page: its fields are drawn, read and checked by the schema of an operation's body.

import {
  type Choice,
  choiceField,
  field,
  form,
  type Html,
  html,
  selectField,
  submit,
} from 'skillwright/pages';
import {
  type OperationAnswer,
  type OperationId,
  registryOperations,
  wordsOfField,
} from 'skillwright/registry-protocol';
import * as z from 'zod';
import type { Frame, SentForm } from '../frame.ts';

/** A form that carries out an operation. */
export interface PageForm<Id extends OperationId = OperationId> {
  /** Tells the forms of a page apart. */
  readonly name: string;
  readonly operation: Id;
  /** The schemas of the fields, by the names they have in the form. */
  readonly fields: Readonly<Record<string, z.ZodType>>;
  /** Names of fields by the names of the body, where they differ. */
  readonly renamed: Readonly<Record<string, string>>;
}

/**
 * Declares a form. Its fields are those of the operation's body that have words; `fields` chooses some, gives them other names,
 * or adds a field with a schema of its own.
 */
export function pageForm<Id extends OperationId>(
  name: string,
  operation: Id,
  wanted?: Readonly<Record<string, string | z.ZodType>>,
): PageForm<Id> {
  const shape = shapeOf(operation);
  const all = Object.entries(shape).flatMap(([one, schema]) =>
    wordsOfField(schema) === undefined ? [] : [[one, one] as const],
  );
  const fields = Object.entries(wanted ?? Object.fromEntries(all));
  return {
    name,
    operation,
    fields: Object.fromEntries(
      fields.map(([one, of]) => [one, typeof of === 'string' ? shape[of]! : of] as const),
    ),
    renamed: Object.fromEntries(
      fields.flatMap(([one, of]) => (typeof of === 'string' && of !== one ? [[of, one] as const] : [])),
    ),
  };
}

/** The fields of an operation's body. */
export function shapeOf(operation: OperationId): Readonly<Record<string, z.ZodType>> {
  const { body } = registryOperations[operation] as { body?: unknown };
  return body instanceof z.ZodObject ? (body.shape as Record<string, z.ZodType>) : {};
}

interface Drawn {
  readonly frame: Frame;
  readonly action: string;
  /** Where a page has this form several times: what it is about. */
  readonly about?: string;
  /** Id of its first field, where the page has several of that name. */
  readonly id?: string;
  /** Values before anything is typed, where they are not the schema's own. */
  readonly usual?: Readonly<Record<string, string | readonly string[]>>;
  /** Values the viewer may choose from; by default all. */
  readonly offered?: Readonly<Record<string, readonly (string | Choice)[]>>;
  readonly label?: string;
  /** The button that sends it, or several. */
  readonly button: string | Html;
  /** Values that are sent along. */
  readonly hidden?: Readonly<Record<string, string>>;
}

/** The form with its fields and button. */
export function drawForm(which: PageForm, drawn: Drawn): Html {
  const { frame, action, label, button, hidden = {} } = drawn;
  return form({
    action,
    csrf: frame.csrf,
    ...(label === undefined ? {} : { label }),
    content: html`${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${Object.entries(
      which.fields,
    ).map(([name, schema], at) => drawField(name, schema, { which, drawn, isFirst: at === 0 }))}${
      typeof button === 'string' ? submit(button) : button
    }`,
  });
}

/** The same behind a summary; open when it was refused. */
export function drawClosedForm(summary: string | Html, which: PageForm, drawn: Drawn): Html {
  const isCard = typeof summary === 'string';
  return html`<details${isCard ? html` class="card"` : ''}${sentAs(which, drawn) === undefined ? '' : html` open`}><summary${isCard ? '' : html` class="small"`}>${summary}</summary>${drawForm(which, drawn)}</details>`;
}

/** A form of one button, by default one that takes something away. */
export function buttonForm(
  { csrf }: Frame,
  { button, ...rest }: { readonly action: string; readonly label?: string; readonly button: string | Html },
): Html {
  const content = typeof button === 'string' ? submit(button, { kind: 'danger' }) : button;
  return form({ ...rest, csrf, isInline: true, content });
}

/** The form as it was sent, if this is the one that was refused. */
function sentAs({ name }: PageForm, { frame: { sent }, about }: Drawn): SentForm | undefined {
  return sent?.form === (about === undefined ? name : `${name} ${about}`) ? sent : undefined;
}

/** The answer to a form that just succeeded, for the page that shows it once. */
export function madeBy<Id extends OperationId>(
  { name }: PageForm<Id>,
  { made }: Frame,
): OperationAnswer<Id> | undefined {
  return made?.form === name ? (made.answer as OperationAnswer<Id>) : undefined;
}

function drawField(
  name: string,
  schema: z.ZodType,
  { which, drawn, isFirst }: { which: PageForm; drawn: Drawn; isFirst: boolean },
): Html {
  const { choices: said, isOpen, isRequired = needsValue(schema), ...words } = wordsOfField(schema)!;
  const sent = sentAs(which, drawn);
  const usual = drawn.usual?.[name] ?? usualOf(schema);
  const values = sent === undefined ? [usual].flat() : (sent.values[name] ?? []);
  const bare = bareOf(schema);
  const common = { name, ...words, error: sent?.errors[name] };
  const choices = choicesOf(bare, said, drawn.offered?.[name]);
  if (choices === undefined)
    return field({
      ...common,
      ...(isFirst && drawn.id !== undefined ? { id: drawn.id } : {}),
      ...(bare instanceof z.ZodURL ? { type: 'url' } : {}),
      ...(bare instanceof z.ZodNumber ? { type: 'number', inputMode: 'numeric' } : {}),
      ...(bare instanceof z.ZodString && bare.maxLength !== null ? { maxLength: bare.maxLength } : {}),
      isRequired,
      value: values[0],
    });
  if (bare instanceof z.ZodArray || bare instanceof z.ZodBoolean)
    return choiceField({ ...common, kind: 'checkbox', choices, chosen: values });
  if (isOpen) return choiceField({ ...common, kind: 'radio', choices, chosen: values });
  return selectField({ ...common, choices, value: values[0] });
}

type Choices = NonNullable<ReturnType<typeof wordsOfField>>['choices'];

function choicesOf(
  bare: z.ZodType,
  said: Choices,
  offered: readonly (string | Choice)[] | undefined,
): readonly Choice[] | undefined {
  const one = bare instanceof z.ZodArray ? bare.element : bare;
  const known = one instanceof z.ZodEnum ? one.options.map(String) : Object.keys(said ?? {});
  const values = offered ?? known;
  if (values.length === 0) return undefined;
  return values.map((value) => {
    if (typeof value !== 'string') return value;
    const [label = value, hint] = said?.[value] ?? [];
    return { value, label, ...(hint === undefined ? {} : { hint }) };
  });
}

function usualOf(schema: z.ZodType): string {
  const { success, data } = schema.safeParse(undefined);
  return success && (typeof data === 'string' || typeof data === 'number') ? String(data) : '';
}

/** Whether a message needs the field. */
function needsValue(schema: z.ZodType): boolean {
  return !schema.safeParse(undefined).success && !schema.safeParse(null).success;
}

/** The schema without defaults and the absence of a value. */
function bareOf(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? bareOf(schema.unwrap() as z.ZodType)
    : schema;
}

/** A typed value, as the body spells it. An empty field that may be empty is null, or left out where null is not valid. */
export function readTyped(schema: z.ZodType, typed: readonly string[] | undefined): unknown {
  const bare = bareOf(schema);
  if (bare instanceof z.ZodArray) return typed ?? [];
  if (bare instanceof z.ZodBoolean) return typed?.[0] === 'yes';
  const text = typed?.[0] ?? '';
  const isRequired = wordsOfField(schema)?.isRequired ?? needsValue(schema);
  if (text.trim() === '' && !isRequired) return schema.safeParse(null).success ? null : undefined;
  return bare instanceof z.ZodNumber ? (text === '' ? undefined : Number(text)) : text;
}
