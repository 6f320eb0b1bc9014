import { describe, expect, test } from 'vitest';
import { analyzeRun } from './analyze-text.ts';
import { createScanner } from './scan-runs.ts';

function termsOf(text: string, tokenizer: 'unicode' | 'porter' = 'porter'): string[] {
  const terms: string[] = [];
  createScanner(tokenizer)(text, (analysis) => {
    terms.push(...analysis.terms.split(' ').slice(0, -1));
  });
  return terms;
}

describe('terms', () => {
  test.each([
    ['Installing the packages', ['install', 'the', 'packag']],
    ['install package', ['install', 'packag']],
    ['queries query', ['query', 'query']],
    ['stopped stopping stops stop', ['stop', 'stop', 'stop', 'stop']],
    ['boxes class status analysis', ['box', 'class', 'status', 'analys']],
    ['extract extracting Extraction', ['extract', 'extract', 'extract']],
    ['migrate migration', ['migr', 'migr']],
    ['validate validation validator', ['valid', 'valid', 'valid']],
    ['authenticate authentication', ['authentic', 'authentic']],
    ['protect protection', ['protect', 'protect']],
    ['configure configuration', ['configur', 'configur']],
    ['install installation', ['install', 'install']],
    ['organize organization organ', ['organiz', 'organiz', 'organ']],
    ['general generate generation', ['general', 'gener', 'gener']],
    ['session question', ['session', 'question']],
    ['key keys use uses', ['key', 'key', 'use', 'use']],
    ['one notes', ['one', 'note']],
    ['AWS iOS DNS', ['aws', 'ios', 'dns']],
    ['thing red ring', ['thing', 'red', 'ring']],
    ['max_tokens foo.bar --dry-run', ['max', 'token', 'foo', 'bar', 'dry', 'run']],
    ['getUserName', ['getusernam', 'get', 'user', 'nam']],
    ['parseHTTPResponse', ['parsehttprespons', 'pars', 'http', 'respons']],
    ['iOS IPv6 OAuth APIs', ['ios', 'ipv6', 'oauth', 'api']],
    ['ÜBERSICHT Übersicht u\u0308bersicht', ['ubersicht', 'ubersicht', 'ubersicht']],
    ['Straße STRASSE', ['strass', 'strass']],
    ['ПРИВЕТ', ['привет']],
    ['ΟΔΟΣ οδός', ['οδοσ', 'οδόσ']],
    ['ＦＵＬＬ－ｗｉｄｔｈ', ['full', 'width']],
    ['“quoted”—words', ['quot', 'word']],
    ['"*NEAR(-x a:b\0', ['near', 'x', 'a', 'b']],
    ['😀 ✓', []],
  ])('%j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  test('without stemming', () => {
    expect(termsOf('Installing packages', 'unicode')).toEqual(['installing', 'packages']);
  });

  test('a script without spaces yields words, and always pairs of characters', () => {
    expect(analyzeRun('数据库', 'porter').grams).toEqual(['数据', '据库', '库']);
    expect(
      analyzeRun('数据库', 'porter')
        .words.map(({ term }) => term)
        .join(''),
    ).toBe('数据库');
    expect(analyzeRun('v2データ', 'porter').words[0]?.term).toBe('v2');
  });

  test('a word longer than 64 characters is compared by its beginning', () => {
    expect(termsOf('x'.repeat(5000))).toEqual(['x'.repeat(64)]);
  });
});

test('a scanner reports the positions of runs, also when its table overflows', () => {
  const scan = createScanner('unicode');
  const words = Array.from({ length: 70_000 }, (_, index) => `word${index}`);
  const seen: string[] = [];
  const text = words.join(', ');
  scan(text, ({ terms }, start, end) => {
    expect(`${text.slice(start, end)} `).toBe(terms);
    seen.push(terms.trim());
  });
  expect(seen).toEqual(words);
});
