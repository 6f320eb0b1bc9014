import { describe, expect, test } from 'vitest';
import { type Code, type CodeDefinition, codes } from './codes.ts';
import { formatMessage, makeVisible } from './format-message.ts';
import { renderDiagnostic } from './render-text.ts';

/** Programs and people rely on these. A change here is a change of the product. */
const pinned = {
  E001: "skill '<skill>' not found",
  E002: "search index unusable; run 'skc build <skill>' to rebuild",
  E003: 'index hash collision; delete .skillc/search-<hash16>.db and rebuild',
  E004: 'empty query',
  E005: "ambiguous skill '<skill>'",
  E010: "not a valid skill: '<path>' (missing SKILL.md)",
  E011: "missing frontmatter field '<field>' in SKILL.md",
  E012: "path escapes skill root: '<path>'",
  E013: "refusing to overwrite '<path>'",
  E014: "unreadable frontmatter in '<path>': <why>",
  E015: "cannot read '<path>': <why>",
  E016: "cannot write '<path>': <why>",
  E017: "refusing to follow the link '<path>'",
  E018: "'<input>' is for the user to decide: <why>",
  E019: "cannot deploy to '<path>': <why>",
  E020: "section not found: '<section>'",
  E021: "file not found: '<file>'",
  E022: "directory not found: '<directory>'",
  E023: "source of '<skill>' not found: '<source>'",
  E030: "invalid query type: '<query>'",
  E031: "invalid filter: '<why>'",
  E040: 'no local logs found',
  E041: "sync destination not writable: '<path>'",
  E042: "sync source not readable: '<path>'",
  E050: "skill '<skill>' already exists",
  E060: "denied by permission rule: '<skill>'",
  E061: "confirmation required: '<skill>'",
  E062: "quiz gate not passed: '<skill>'",
  E063: 'saved session damaged: <why>',
  E064: 'not a saved session of this version: <why>',
  E065: 'not a recording, or a damaged one: <why>',
  E070: "script not found: '<script>'",
  E071: "script timed out: '<script>'",
  E072: "script wrote too much output: '<script>'",
  E073: "script failed: '<script>'",
  E074: 'sandbox unavailable: <why>',
  E075: 'arguments refused: <why>',
  E076: 'program not started: <why>',
  E077: "the skill at '<dir>' runs nothing: its name is not valid",
  E080: "toolset refused or failed to load: '<toolset>'",
  E090: "time limit reached: '<what>' took longer than <seconds> s",
  E091: "interrupted: '<what>'",
  E092: "no active tool: '<tool>'",
  E095: 'too many subscriptions: a connection may have <limit>',
  E096: 'the studio refused the request: <why>',
  E100: '<why>',
  E101: "no skill matches '<query>'",
  E110: 'invalid configuration: <where>: <why>',
  E200: "no usable answer from '<url>'",
  E201: "not found: '<what>'",
  E202: "unauthorised: '<url>'",
  E203: "version exists: '<what>'",
  E204: "integrity mismatch: '<what>'",
  E205: "unsafe archive: '<why>'",
  E206: "address refused: '<url>'",
  E207: "too large: '<what>'",
  E208: "refused by scan: '<what>'",
  E209: "rate limited: '<url>'",
  E210: "cannot understand source '<source>': <why>",
  E211: "lock file unusable: '<path>': <why>",
  E212: "local edits in the way: '<skill>'",
  E213: "risk not accepted: '<skill>'",
  E214: "'<command>' failed: <why>",
  E215: "unexpected response: '<url>': <why>",
  E216: "busy: another skc is changing '<path>'",
  E217: "needs the network: '<what>'",
  E218: "refused by the registry: '<what>': <why>",
  E219: "accepted by somebody else: '<skill>'",
  E220: "registry not confirmed: '<url>'",
  E221: "moved: '<what>'",
  E222: "target not confirmed: '<path>'",
  E223: "scan baseline unusable: '<path>' (<why>)",
  E224: "edits missing on this machine: '<skill>'",
  E225: "both sides of a merge changed '<skills>' in '<path>'",
  E226: "skill '<skill>' needs skc <needed> or newer; this is <version>",
  E230: "log note not signed by the pinned key: '<origin>'",
  E231: "the log shows a different past: '<origin>'",
  E232: "log proof does not match: '<what>'",
  E233: 'malformed log data: <why>',
  E236: "'<what>' was purged from its registry: <why>",
  E237: "'<what>' cannot be installed: <why>",
  E238: "'<what>' needs skc <range>; this is <version>",
  E239: "'<name>' does not say whose skill it is",
  E240: "'<skill>' is installed from <known>; <other> has the same name",
  E241: "the registry went back: the index of '<skill>': <why>",
  E242: "the log of '<registry>' started again as '<origin>': <why>",
  E243: "no proof for '<what>': <why>",
  E244: "too few witnesses have cosigned the log of '<registry>': <count> of <quorum>",
  E246: "credentials unusable: '<path>': <why>",
  E247: "not logged in to '<url>'",
  E248: "login at '<url>' failed: <why>",
  E249: 'no identity for trusted publishing: <why>',
  E251: "not allowed: '<what>': <why>",
  E252: "not possible now: '<what>': <why>",
  E260: 'no evals in <what>',
  E261: "report baseline unusable: '<path>' (<why>)",
  E262: "not a report: '<path>'",
  E265: "cannot use the model '<name>': <why>",
  E266: "no answer from the model '<name>': <why>",
  E267: "cannot use the results in '<path>': <why>",
  E300: '<rule-id> <rule-name>: <message>',
  E999: 'internal error: <why>',
  W001: 'multiple matches for "<heading>"; showing first',
  W002: 'logging disabled: <why>',
  W003: "stale local logs, run 'skc sync'",
  W004: "skill '<skill>' shadowed by another of the same name",
  W005: 'command of a skill not run: <command>',
  W006: "'<written>' is not a valid skill name; using the directory name '<name>'",
  W007: "not all of '<root>' was searched: <why>",
  W008: "'<link>' now points to '<runtime>', not to '<before>'",
  W009: "moved out of the way: '<path>': <why>; kept as '<kept>'",
  W010: "ignored: '<path>': <why>",
  W011: "name '<name>' <why>",
  W012: "the text of '<file>' is not indexed: <size> is over the limit of <limit>",
  W013: "only the first <limit> headings of '<file>' are listed",
  W014: "the stub of '<skill>' loses <lost>",
  W015: "'<skill>' is deployed as a stub: <why>",
  W016: 'frontmatter of <where>: <what>',
  W017: "left out of skill '<skill>': <what>",
  W018: "rule for an unknown tool: <where>: '<tool>'",
  W019: "unknown hook event '<event>'",
  W020: "<skills> of '<project>' hidden: the user has not trusted this project",
  W060: "hook without an answer: '<hook>': <why>",
  W061: 'not kept: <what>: <why>',
  W065: 'not replayed: <what>: <why>',
  W070: 'not granted to the skill: <grants>',
  W071: 'placeholder <placeholder> not filled in: <command>',
  W080: "hook without effect: '<hook>': <why>",
  W110: 'unknown configuration key: <where>: <key>',
  W111: 'skills are switched off: <where>',
  W112: '<name> and <old> are both set: <name> counts',
  W215: "left out of '<where>': <why>",
  W216: "'--accept' matches no finding: <finding>",
  W217: "the lock does not say which registry '<skill>' came from; asking yours: '<url>'",
  W218: "'network.allow_private = true' is replaced by a list of hosts",
  W222: "'<skill>' is no longer in the lock, but has local edits; kept at '<path>'",
  W223: 'not fetched: <what>',
  W224: "'<what>' is <kind>: <why>",
  W225: "merged both sides of '<path>': <what>",
  W226: "using the copy of '<skill>' in the project: <why>",
  W236: "the log of '<registry>' is not checked: it offers no key",
  W237: "'<registry>' shows an older state of its log: <size> of <known> entries",
  W238: "'<registry>' was not asked (<why>); <last>",
  W239: "the key of the log of '<registry>' is pinned from now on, as first seen: <key>",
  W246: "the keyring did not keep the token; it is stored in '<path>'",
  W247: 'SKC_TOKEN is set and is used instead of this login',
  W248: "the token is still valid at '<url>': <why>",
  W249: "the registry '<url>' offers another key for its log than the one you pinned: <offered>",
  W260: "cannot use a case in '<file>': <why>",
  W265: 'the run with the model stopped early: <why>',
  W300: '<rule-id> <rule-name>: <message>',
};

describe('the table of codes', () => {
  test('has exactly these codes and messages', () => {
    const table: Record<string, CodeDefinition> = codes;
    expect(Object.fromEntries(Object.entries(table).map(([code, { message }]) => [code, message]))).toEqual(
      pinned,
    );
  });

  test('has its codes in order', () => {
    expect(Object.keys(codes)).toEqual(Object.keys(codes).toSorted());
  });

  test.each(Object.entries<CodeDefinition>(codes))(
    '%s says when it appears and what to do',
    (code, definition) => {
      expect(code).toMatch(/^[EW]\d{3}$/);
      expect(definition.when).toMatch(/^[A-Z].*\.$/);
      expect(definition.fix).toMatch(/^[A-Z].*\.$/);
      expect(definition.message).not.toMatch(/\.$/);
    },
  );

  test('prints only W001 without its code', () => {
    const bare = (Object.keys(codes) as Code[]).filter((code) => {
      const printed = renderDiagnostic({ code, severity: 'warning', message: 'text' });
      return printed !== `warning[${code}]: text\n`;
    });
    expect(bare).toEqual(['W001']);
    expect(renderDiagnostic({ code: 'W001', severity: 'warning', message: 'text' })).toBe('warning: text\n');
  });
});

describe('formatMessage', () => {
  test('fills in every placeholder', () => {
    expect(formatMessage('E014', { path: 'a/SKILL.md', why: 'line 3: no' })).toBe(
      "unreadable frontmatter in 'a/SKILL.md': line 3: no",
    );
    expect(
      formatMessage('E300', { 'rule-id': 'SKL101', 'rule-name': 'name-required', message: 'no name' }),
    ).toBe('SKL101 name-required: no name');
  });

  test('leaves placeholders and patterns inside a value alone', () => {
    expect(formatMessage('E014', { path: '<why>', why: '$& $1 <path>' })).toBe(
      "unreadable frontmatter in '<why>': $& $1 <path>",
    );
  });

  test('keeps a message on one line whatever the value is', () => {
    expect(formatMessage('E001', { skill: 'x\nerror[E999]: forged\u001b[2J' })).toBe(
      "skill 'x\\nerror[E999]: forged\\u001b[2J' not found",
    );
  });

  test('refuses wrong values when compiled', () => {
    // @ts-expect-error E001 names a skill
    formatMessage('E001', { path: 'x' });
    // @ts-expect-error both values are needed
    formatMessage('E015', { path: 'x' });
    // @ts-expect-error there is no such code
    expect(() => formatMessage('E998', {})).toThrow(TypeError);
  });
});

describe('makeVisible', () => {
  test.each([
    ['', ''],
    ['plain', 'plain'],
    ['Grüße 日本 👍🏽 a\u200db', 'Grüße 日本 👍🏽 a\u200db'],
    ['a\nb\tc\rd', 'a\\nb\\tc\\u000dd'],
    ['\u0000\u0007\u001b[31m\u007f\u0085\u009b', '\\u0000\\u0007\\u001b[31m\\u007f\\u0085\\u009b'],
    ['\u2028\u2029', '\\u2028\\u2029'],
    ['\u202a\u202b\u202c\u202d\u202e', '\\u202a\\u202b\\u202c\\u202d\\u202e'],
    ['\u2066\u2067\u2068\u2069', '\\u2066\\u2067\\u2068\\u2069'],
    ['\u200e\u200f\u061c', '\\u200e\\u200f\\u061c'],
  ])('%j becomes %j', (value, shown) => {
    expect(makeVisible(value)).toBe(shown);
  });

  test.each([
    ['x'.repeat(2000), 'x'.repeat(2000)],
    ['x'.repeat(2001), `${'x'.repeat(2000)}…`],
    [`${'x'.repeat(1999)}👍y`, `${'x'.repeat(1999)}…`],
    [`${'x'.repeat(1998)}👍y`, `${'x'.repeat(1998)}👍…`],
  ])('cuts very long text between characters (%#)', (value, shown) => {
    expect(makeVisible(value)).toBe(shown);
  });
});
