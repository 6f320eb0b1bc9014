// A form that could not be carried out: its page shows it again, with what was typed and the reasons beside the fields.

/** The typed values, and their mistakes. */
export interface SentForm {
  /** Which form of the page it was. */
  readonly form: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** By name of the field. */
  readonly errors: Readonly<Record<string, string>>;
}

/** Values and mistakes of the fields of a form. */
interface FilledIn {
  /** True when this form was sent and refused. */
  readonly isSent: boolean;
  /** Value and error of a field with text; `usual` is its value before anything is typed. */
  text(
    name: string,
    usual?: string,
  ): { readonly value: string | undefined; readonly error: string | undefined };
  /** The choices made, and the error. */
  choices(
    name: string,
    usual: readonly string[],
  ): { readonly chosen: readonly string[]; readonly error: string | undefined };
}

/** The fields of one form of a page. */
export function filledIn(sent: SentForm | undefined, form: string): FilledIn {
  const isSent = sent?.form === form;
  const values = isSent ? sent.values : {};
  const errors = isSent ? sent.errors : {};
  return {
    isSent,
    text: (name, usual) => ({ value: isSent ? values[name]?.[0] : usual, error: errors[name] }),
    choices: (name, usual) => ({ chosen: isSent ? (values[name] ?? []) : usual, error: errors[name] }),
  };
}
