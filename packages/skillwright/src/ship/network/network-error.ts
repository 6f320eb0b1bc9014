// Coded errors for network failures.

import { formatCount, hideSecrets, SkillwrightError } from '../../base/diagnostics/index.ts';
import { describeSystemError, formatBytes, systemErrorCode } from '../../base/files/index.ts';
import type { ServerWords } from './server-words.ts';

/** A URL for display: without secrets, 300 characters at most. */
export function showUrl(url: string | URL): string {
  const text = hideSecrets(URL.canParse(String(url)) ? new URL(url).href : String(url));
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** E200: no usable response. */
export function unreachable(url: string | URL, why: string, cause?: unknown): SkillwrightError {
  const shown = showUrl(url);
  return SkillwrightError.of(
    'E200',
    { url: shown },
    { detail: `  ${why}`, data: { url: shown, why }, cause },
  );
}

/** E206: a refused address or URL. */
export function refused(url: string | URL, why: string, help?: string): SkillwrightError {
  const shown = showUrl(url);
  return SkillwrightError.of('E206', { url: shown }, { detail: `  ${why}`, data: { url: shown, why }, help });
}

/** E207: a response over the size limit. */
export function oversized(url: string | URL, maxBytes: number): SkillwrightError {
  const shown = showUrl(url);
  return SkillwrightError.of(
    'E207',
    { what: shown },
    {
      detail: `  the response is larger than ${formatBytes(maxBytes)}`,
      data: { url: shown, max_bytes: maxBytes },
    },
  );
}

/** E204 when content is not what was promised; without a promise, anything goes. */
export function checkDigest(
  what: string,
  { url, promised, received }: { url: string | URL; promised: string | undefined; received: string },
): void {
  if (promised === undefined || received === promised) return;
  throw SkillwrightError.of(
    'E204',
    { what: `${what} from ${showUrl(url)}` },
    { detail: `  promised ${promised}\n  received ${received}`, data: { promised, received } },
  );
}

/** E215: a response of unexpected form. */
export function misunderstood(url: string | URL, why: string): SkillwrightError {
  return SkillwrightError.of('E215', { url: showUrl(url), why }, { data: { url: showUrl(url), why } });
}

/** The error for a status of 400 and above. */
export function statusError(
  url: string | URL,
  answer: {
    status: number;
    headers: Readonly<Record<string, string>>;
    /** The server's message. */
    said?: ServerWords | undefined;
  },
): SkillwrightError {
  const { status, headers, said } = answer;
  const shown = showUrl(url);
  const data = {
    url: shown,
    status,
    ...(said === undefined ? {} : { said: said.message }),
    ...(said?.code === undefined ? {} : { error: said.code }),
  };
  const words = said === undefined ? {} : { detail: said.detail };
  const limited =
    status === 429 ||
    // GitHub answers 403 when the quota is used up.
    (status === 403 && (headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined));
  if (limited) {
    const wait = secondsToWait(headers);
    const help = wait === undefined ? undefined : `try again in ${formatCount(wait, 'second')}`;
    return SkillwrightError.of(
      'E209',
      { url: shown },
      { ...words, data: { ...data, retry_after: wait ?? null }, help },
    );
  }
  if (status === 401 || status === 403)
    return SkillwrightError.of('E202', { url: shown }, { ...words, data });
  if (status === 404 || status === 410)
    return SkillwrightError.of('E201', { what: shown }, { ...words, data });
  return SkillwrightError.of(
    'E200',
    { url: shown },
    {
      detail: [
        `  the server answered with status ${status}`,
        ...(said === undefined ? [] : [said.detail]),
      ].join('\n'),
      data: { ...data, why: `status ${status}` },
    },
  );
}

const DAY = 24 * 60 * 60;

/** Seconds the server asks to wait, at most a day; undefined when it names none. */
export function secondsToWait(headers: Readonly<Record<string, string>>): number | undefined {
  const after = headers['retry-after'];
  const reset = headers['x-ratelimit-reset'];
  const seconds =
    after === undefined
      ? Number(reset ?? Number.NaN) - Date.now() / 1000
      : /^\d+$/.test(after.trim())
        ? Number(after)
        : (Date.parse(after) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(DAY, Math.max(0, Math.ceil(seconds))) : undefined;
}

const words: Readonly<Record<string, string>> = {
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed early',
  EPIPE: 'the connection was closed early',
  ETIMEDOUT: 'timed out',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
};

/** Describes a connection failure. */
export function describeFailure(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (typeof code === 'string') {
    if (words[code] !== undefined) return words[code];
    if (code === 'HPE_HEADER_OVERFLOW') return 'the response headers are too large';
    if (code.startsWith('HPE_')) return 'the response is not HTTP';
    if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO/.test(code)) {
      const [message] = (error as Error).message.split(/[;\n]/);
      return `no secure connection: ${message}`;
    }
  }
  // Several addresses were tried: report the last failure.
  if (error instanceof AggregateError && error.errors.length > 0) return describeFailure(error.errors.at(-1));
  return systemErrorCode(error) === undefined && error instanceof Error
    ? error.message || 'the connection failed'
    : describeSystemError(error);
}
