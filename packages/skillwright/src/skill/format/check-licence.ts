// Checks `license`: an SPDX expression, or text that names the file with the terms.

import type { FormatIssue } from './format-issue.ts';
import { exceptions, licences } from './spdx-licences.ts';

const MAX_LENGTH = 1000;

/** A warning when a licence is not an SPDX expression, names no file and does not reserve all rights. */
export function checkLicence(value: unknown): FormatIssue[] {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '' || text.length > MAX_LENGTH || namesTerms(text) || isExpression(text)) return [];
  const near = nearest(text);
  const help =
    near === undefined
      ? 'write one such as MIT or Apache-2.0, LicenseRef-<name> for your own, or name the file with the terms'
      : `did you mean ${near}?`;
  const message = `license '${text.length > 60 ? `${text.slice(0, 59)}…` : text}' is not an SPDX expression`;
  return [{ kind: 'value', field: 'license', path: ['license'], message, help, severity: 'warning' }];
}

function namesTerms(text: string): boolean {
  return /\b(?:licen[cs]e|copying|notice|terms)(?:[.-][\w.-]*)?\.(?:txt|md|html|pdf)\b|\bin (?:the )?licen[cs]e\b|proprietary|unlicensed|all rights reserved/i.test(
    text,
  );
}

const known = new Set(licences.map((id) => id.toLowerCase()));
const knownExceptions = new Set(exceptions.map((id) => id.toLowerCase()));

/** Whether a text is an expression: licences, with `+` or an exception, joined by AND and OR, with or without brackets. */
function isExpression(text: string): boolean {
  const tokens = text.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const take = (token: string) => {
    if (tokens[at] !== token && tokens[at] !== token.toLowerCase()) return false;
    at += 1;
    return true;
  };
  const joined = (): boolean => {
    for (;;) {
      if (!single()) return false;
      if (!take('AND') && !take('OR')) return true;
    }
  };
  const single = (): boolean => {
    if (take('(')) return joined() && take(')');
    if (!isLicence(tokens[at++] ?? '')) return false;
    return take('WITH') ? isException(tokens[at++] ?? '') : true;
  };
  return joined() && at === tokens.length;
}

const OWN = /^(?:DocumentRef-[A-Za-z0-9.-]+:)?LicenseRef-[A-Za-z0-9.-]+$/;

const isLicence = (id: string) => OWN.test(id) || known.has(id.toLowerCase().replace(/\+$/, ''));

const isException = (id: string) =>
  knownExceptions.has(id.toLowerCase()) || /^AdditionRef-[A-Za-z0-9.-]+$/.test(id);

/** The identifier a common spelling stands for: `Apache 2.0`, `MIT License`, `GPLv3`, `BSD 3-Clause`. */
function nearest(text: string): string | undefined {
  const plain = fold(text.replace(/\b(?:the|licen[cs]e|version|public|gnu|new|v(?=\d))\b/gi, ' '));
  const short = plain.replace(/([a-z])v(\d)/, '$1$2');
  for (const ending of ['', '0', 'only', '0only', 'clause', '10'])
    for (const word of [plain, short]) {
      const found = licences.find((id) => fold(id) === word + ending);
      if (found !== undefined && word !== '') return found;
    }
  return undefined;
}

const fold = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
