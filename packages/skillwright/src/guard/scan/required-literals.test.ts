// Literals derived from an expression: every match contains them.

import { expect, test } from 'vitest';
import { requirementsOf } from './required-literals.ts';

/** The branches of an expression: sets joined by `&`, each with how far a match extends before and after. */
const required = (pattern: RegExp): string[] =>
  requirementsOf(pattern).branches.map((sets) =>
    sets.map(({ literals, before, after }) => `${literals.join('|')} -${before}+${after}`).join(' & '),
  );

test.each<[string, RegExp, string[]]>([
  ['plain text', /crontab/, ['crontab -7+7']],
  ['every branch by itself', /crontab|launchctl/, ['crontab -7+7', 'launchctl -9+9']],
  ['any case', /LD_Preload/, ['ld_preload -10+10']],
  ['groups', /id_(?:rsa|ecdsa)\b/, ['id_rsa|id_ecdsa -8+8']],
  ['groups in groups', /a(?:b(?:cde|fgh)|ijk)l/, ['aijkl|abcdel|abfghl -6+6']],
  ['named and numbered groups', /(?<name>abc)(def)/, ['abcdef -6+6']],
  ['short classes', /gh[pousr]_/, ['ghp_|gho_|ghu_|ghs_|ghr_ -4+4']],
  ['long classes, and ranges', /abc[^d]efg[h-i]jkl/, ['abc -3+11 & efg -7+7 & jkl -11+3']],
  ['punctuation and escapes', /\.ssh\/\x41\u0042[\]*]/, ['.ssh/ab]|.ssh/ab* -8+8']],
  ['an optional part', /https?:/, ['http:|https: -6+6']],
  ['an optional part at the end', /tokens?/, ['token -6+6']],
  ['an optional group', /abc(?:\wdef){0,3}ghi/, ['abc -3+18 & ghi -18+3']],
  ['a fixed repetition', /(?:abc){2}d/, ['abcabcd -7+7']],
  ['one or more repetitions', /nc {1,3}-e/, ['nc  -3+7 & -e -7+2']],
  ['gaps', /curl[^\n]{0,40}\|\s{0,3}sh\b/, ['curl -4+50']],
  ['the rarest first', /for\s[^\n]{1,9}\sin\sos\.environ/, ['os.environ -27+10 & for -3+27']],
  ['a choice between texts and gaps', /(?:abc\ddef|ghi)jkl/, ['abc|ghi -3+10 & jkl -10+3']],
  ['a choice without literals', /(?:abc|\w)def/, ['def -6+3']],
  ['look-around', /(?<!x)abc(?=def)(?!ghi)/, ['abc -3+3']],
  ['edges', /^\babc\B$/m, ['abc -3+3']],
  ['a back-reference', /(ab)cd\d\1/, ['abcd -4+7']],
  ['letters outside of ASCII', /don['’]t/, ['don -5+5']],
  ['unbounded repetition', /abc\d*def/, ['abc -3+Infinity & def -Infinity+3']],
  ['unbounded repetition within another', /(?:ab\d*cd){1,3}efg/, ['efg -Infinity+3']],
  ['nothing', /\w{3}|abc/, ['', 'abc -3+3']],
  ['single letters', /a\db/, ['']],
  ['flags that fold other letters to ASCII', /kiss/iu, ['']],
  ['unsupported syntax', /abc\cJ/, ['']],
])('%s', (_, pattern, expected) => {
  expect(required(pattern)).toEqual(expected);
});

test.each<[RegExp, number]>([
  [/abc/, 1],
  [/abc(?=d{2,5})/, 6],
  [/abc(?!de(?=fgh))|ijk(?=l)/, 6],
  [/(?<=abc)d/, 1],
])('%s looks %i characters ahead', (pattern, ahead) => {
  expect(requirementsOf(pattern).ahead).toBe(ahead);
});
