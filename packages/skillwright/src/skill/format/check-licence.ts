// Checks `license`: an SPDX expression, or text that names the file with the terms.

import { once } from '../../base/diagnostics/index.ts';
import type { FormatIssue } from './format-issue.ts';
import { shorten } from './text-length.ts';

/** Identifiers in the notation of a shell: `GPL-{2.0,3.0}` is two of them. */
function expandIds(list: string): string[] {
  const each = (pattern: string): string[] => {
    const [whole, words] = /\{([^}]*)\}/.exec(pattern) ?? [];
    if (whole === undefined) return [pattern];
    return words!.split(',').flatMap((word) => each(pattern.replace(whole, word)));
  };
  return list.trim().split(/\s+/).flatMap(each);
}

/** Licence identifiers. */
const licences = once(() =>
  expandIds(`
  Apache-{1.0,1.1,2.0} BSD-{1,2,3,4}-Clause
  BSD-2-Clause-Patent BSD-3-Clause-Clear BSD-3-Clause-LBNL BSD-4-Clause-UC BSD-Source-Code
  MIT MIT-0 MIT-CMU ISC 0BSD X11 Zlib Libpng NCSA curl ICU Intel NTP
  Unlicense WTFPL Beerware CC0-1.0 CC-PDDC blessing FSFAP HPND JSON OpenSSL
  PostgreSQL Ruby Vim TCL Sleepycat Unicode-3.0 Unicode-DFS-2016 W3C FTL IJG
  GPL-{1.0,2.0,3.0}{,-only,-or-later} LGPL-{2.0,2.1,3.0}{,-only,-or-later} AGPL-{1.0,3.0}{,-only,-or-later}
  GFDL-{1.1,1.2,1.3}{,-only,-or-later}
  CC-BY{,-NC,-ND,-SA,-NC-ND,-NC-SA}-{1.0,2.0,2.5,3.0,4.0}
  MPL-{1.0,1.1,2.0} MPL-2.0-no-copyleft-exception EPL-{1.0,2.0} EUPL-{1.0,1.1,1.2} CDDL-{1.0,1.1}
  Artistic-{1.0,2.0} AFL-{1.1,1.2,2.0,2.1,3.0} OSL-{1.0,1.1,2.0,2.1,3.0} OFL-{1.0,1.1} ECL-{1.0,2.0}
  PHP-{3.0,3.01} LPPL-{1.0,1.1,1.2,1.3a,1.3c} ZPL-{1.1,2.0,2.1} CECILL-{1.0,1.1,2.0,2.1,B,C}
  MulanPSL-{1.0,2.0} CERN-OHL-{1.1,1.2,P-2.0,S-2.0,W-2.0} CDLA-{Permissive-1.0,Permissive-2.0,Sharing-1.0}
  PolyForm-{Noncommercial-1.0.0,Small-Business-1.0.0} Parity-{6.0.0,7.0.0}
  BSL-1.0 BUSL-1.1 SSPL-1.0 Elastic-2.0 UPL-1.0 MS-PL MS-RL CPL-1.0 CPAL-1.0
  ODbL-1.0 ODC-By-1.0 PDDL-1.0 Python-2.0 PSF-2.0 QPL-1.0 RPL-1.5 IPL-1.0 NPL-1.1
  BlueOak-1.0.0 Hippocratic-2.1 etalab-2.0 OGL-UK-3.0 copyleft-next-0.3.1 EFL-2.0 W3C-20150513
`),
);

/** Identifiers of exceptions, written after WITH. */
const exceptions = once(() =>
  expandIds(`
  Classpath-exception-2.0 LLVM-exception GCC-exception-{2.0,3.1} Autoconf-exception-3.0 Bison-exception-2.2
  Font-exception-2.0 Linux-syscall-note OpenSSL-exception Swift-exception Universal-FOSS-exception-1.0
  Qt-LGPL-exception-1.1 WxWindows-exception-3.1 eCos-exception-2.0
`),
);

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
  const message = `license '${shorten(text, 60)}' is not an SPDX expression`;
  return [{ kind: 'value', field: 'license', path: ['license'], message, help, severity: 'warning' }];
}

function namesTerms(text: string): boolean {
  return /\b(?:licen[cs]e|copying|notice|terms)(?:[.-][\w.-]*)?\.(?:txt|md|html|pdf)\b|\bin (?:the )?licen[cs]e\b|proprietary|unlicensed|all rights reserved/i.test(
    text,
  );
}

const known = once(() => new Set(licences().map((id) => id.toLowerCase())));
const knownExceptions = once(() => new Set(exceptions().map((id) => id.toLowerCase())));

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

const isLicence = (id: string) => OWN.test(id) || known().has(id.toLowerCase().replace(/\+$/, ''));

const isException = (id: string) =>
  knownExceptions().has(id.toLowerCase()) || /^AdditionRef-[A-Za-z0-9.-]+$/.test(id);

/** The identifier a common spelling stands for: `Apache 2.0`, `MIT License`, `GPLv3`, `BSD 3-Clause`. */
function nearest(text: string): string | undefined {
  const plain = fold(text.replace(/\b(?:the|licen[cs]e|version|public|gnu|new|v(?=\d))\b/gi, ' '));
  const short = plain.replace(/([a-z])v(\d)/, '$1$2');
  for (const ending of ['', '0', 'only', '0only', 'clause', '10'])
    for (const word of [plain, short]) {
      const found = licences().find((id) => fold(id) === word + ending);
      if (found !== undefined && word !== '') return found;
    }
  return undefined;
}

const fold = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
