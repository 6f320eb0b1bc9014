import { expect, test } from 'vitest';
import { foldText } from './fold-text.ts';

test.each([
  ['Getting Started', 'getting started'],
  ['  two \t\n spaces ', 'two spaces'],
  ['ÜBERSICHT', 'übersicht'],
  ['U\u0308bersicht', 'übersicht'],
  ['Straße', 'strasse'],
  ['STRAẞE', 'strasse'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['οδος', 'οδοσ'],
  ['İstanbul', 'istanbul'],
  ['I\u0307stanbul', 'istanbul'],
  ['ısı', 'isi'],
  ['ﬁle Ⅳ', 'file iv'],
  ['ＡＰＩ\u3000ガイド', 'api ガイド'],
  ['ｶﾞｲﾄﾞ', 'ガイド'],
  ['ΐ', 'ΐ'],
  ['安装', '安装'],
  ['', ''],
])('%j folds to %j', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test('folding ignores case and composition for every character, and folding twice changes nothing', () => {
  const unstable: string[] = [];
  for (let code = 0; code <= 0x1ffff; code++) {
    const text = `a${String.fromCodePoint(code)}b`;
    const folded = foldText(text);
    const variants = [folded, text.toUpperCase(), text.toLowerCase(), text.normalize('NFD')];
    if (variants.some((variant) => foldText(variant) !== folded)) unstable.push(code.toString(16));
  }
  expect(unstable).toEqual([]);
});
