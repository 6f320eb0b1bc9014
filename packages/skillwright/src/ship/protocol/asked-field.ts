// Words of the form in which a person fills in a body. Messages do not have them, so they are not in the OpenAPI document.

import * as z from 'zod';

/** Label and help of a field. The kind of field, its limits and its default come from the schema. */
export interface FieldWords {
  readonly label: string;
  readonly hint?: string;
  /** Label and hint of the values to choose from, in this order. */
  readonly choices?: Readonly<Record<string, readonly [label: string, hint?: string]>>;
  /** Shows all choices of a single value at once. */
  readonly isOpen?: true;
  /** Where a form asks for more, or less, than the message needs. */
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  /** Lines of a field for longer texts. */
  readonly rows?: number;
  readonly autocomplete?: 'off';
}

const words = z.registry<FieldWords>();

/** The schema, with the words of its field. A copy: the same schema has other words elsewhere. */
export function asked<Schema extends z.ZodType>(schema: Schema, said: FieldWords): Schema {
  const own = z.clone(schema);
  words.add(own as z.ZodType, said);
  return own;
}

/** The words of a field; undefined for one that no form has. */
export function wordsOfField(schema: z.ZodType): FieldWords | undefined {
  return words.get(schema);
}
