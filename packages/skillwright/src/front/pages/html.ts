// HTML that is safe by default: every value in a template is escaped, and links lead only to harmless schemes.

/** Finished HTML. Only this room makes it, so text from outside can never pass for it. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** Values a template accepts. Nothing is written for null, undefined and false. */
export type Content = Html | string | number | false | null | undefined | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text with the characters that mean something in HTML replaced, for elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}

const unquoted = /\s[\w-]+=\s*$/;
const linking = /\b(?:href|src|action|formaction)="$/;

/** HTML from a template. Nested templates and arrays pass as they are, everything else is escaped. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  let text = strings[0]!;
  for (const [at, value] of values.entries()) {
    const before = strings[at]!;
    if (unquoted.test(before)) throw new TypeError(`quote the attribute: ${before.slice(-40)}`);
    text += linking.test(before) ? escapeHtml(safeLink(String(value ?? ''))) : render(value);
    text += strings[at + 1]!;
  }
  return new Html(text);
}

function render(value: Content): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(render).join('');
  return escapeHtml(String(value));
}

/** HTML of our own, as it is. Never for text from outside. */
export function raw(text: string): Html {
  return new Html(text);
}

/** Pieces with a separator between them. */
export function join(pieces: readonly Content[], separator: Content): Html {
  return html`${pieces.map((piece, at) => (at === 0 ? piece : [separator, piece]))}`;
}

const schemes = new Set(['http:', 'https:', 'mailto:']);

/** The address if a link to it is harmless: http, https, mailto, or relative. Otherwise `#`. */
export function safeLink(address: string): string {
  // Browsers drop control characters and outer space before they look for a scheme.
  const read = address.replace(/[\x00-\x20\x7f]+/g, '');
  const scheme = /^([^/?#]*?):/.exec(read)?.[1];
  if (scheme === undefined) return address;
  return schemes.has(`${scheme.toLowerCase()}:`) ? address : '#';
}
