// Secrets in URLs, which must not be stored or shown.

/** Parameters that select content and never identify the caller. */
const harmless: ReadonlySet<string> = new Set([
  'archive',
  'arch',
  'branch',
  'dl',
  'download',
  'file',
  'format',
  'lang',
  'limit',
  'name',
  'os',
  'page',
  'path',
  'per_page',
  'plain',
  'platform',
  'q',
  'query',
  'raw',
  'ref',
  'ref_type',
  'size',
  'sort',
  'tag',
  'text',
  'v',
  'version',
]);

/** Tokens with a recognisable form. */
const token =
  /gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|npm_[A-Za-z0-9]{30,}|skwr_[\w-]{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/;

/** The possible secret in a URL: `a password`, `the parameter 'token'`; undefined if there is none. */
export function secretIn(url: URL): string | undefined {
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  if (url.password !== '') return 'a password';
  if (isWeb && url.username !== '') return 'a user name';
  const odd = [...url.searchParams].find(([name, value]) => !isHarmless(name, value));
  if (odd !== undefined) return `the parameter '${odd[0]}'`;
  if (/=/.test(url.hash) || token.test(url.hash)) return 'the part after the #';
  return token.test(url.pathname) ? 'a token in its path' : undefined;
}

function isHarmless(name: string, value: string): boolean {
  return harmless.has(name.toLowerCase()) && value.length <= 128 && !token.test(value) && !isRandom(value);
}

/** A long mix of capitals, small letters and digits: a key, not a name. */
function isRandom(value: string): boolean {
  const words = value.split(/[^A-Za-z0-9+=]+/);
  return words.some(
    (word) => word.length >= 20 && /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word),
  );
}

/** A text, such as a message or a log line, with every secret of the addresses in it replaced by `***`. */
export function hideSecrets(text: string): string {
  if (!text.includes('://')) return text;
  return text.replace(/[a-z][a-z0-9+.-]*:\/\/[^\s'"<>`]+/gi, hideInAddress);
}

function hideInAddress(address: string): string {
  const [, scheme = '', rest = ''] = /^([^:]+:\/\/)(.*)$/s.exec(address) ?? [];
  const isWeb = /^(?:[a-z]+\+)?https?:/i.test(scheme);
  const shown = rest
    .replace(/^[^/?#]*@/, (user) => (isWeb ? '***@' : user.replace(/:.*@$/, ':***@')))
    .replace(/([?&;#])([^=&;#?]+)=([^&;#]*)/g, (whole, mark: string, name: string, value: string) =>
      mark !== '#' && isHarmless(decode(name), decode(value)) ? whole : `${mark}${name}=***`,
    );
  return scheme + (isWeb || rest.includes('@') ? shown : rest).replace(new RegExp(token, 'g'), '***');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // An unreadable URL may contain a secret.
    return `${text}\0`.repeat(2);
  }
}

/** Hides them in every text in a value of JSON. */
export function hideSecretsIn<Value>(value: Value): Value {
  if (typeof value === 'string') return hideSecrets(value) as Value;
  if (Array.isArray(value)) return value.map(hideSecretsIn) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, hideSecretsIn(inner)]),
  ) as Value;
}
