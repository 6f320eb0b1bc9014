import { describe, expect, test } from 'vitest';
import { diagnose, failureJson } from './diagnostic.ts';
import { plainPaint, renderDiagnostic, terminalPaint } from './render-text.ts';

describe('renderDiagnostic', () => {
  test.each([
    [diagnose('E020', { section: 'x' }), "error[E020]: section not found: 'x'\n"],
    [diagnose('W002', { why: 'full' }), 'warning[W002]: logging disabled: full\n'],
    [diagnose('W001', { heading: 'Steps' }), 'warning: multiple matches for "Steps"; showing first\n'],
    [
      diagnose('E005', { skill: 'a' }, { detail: '  /one\n  /two', help: 'use a path' }),
      "error[E005]: ambiguous skill 'a'\n  /one\n  /two\nhelp: use a path\n",
    ],
    [
      diagnose(
        'E005',
        { skill: 'a' },
        { detail: '/a\u001b[2J\n/b\u202e', help: 'did you mean \u001b]0;x\u0007\nrm?' },
      ),
      "error[E005]: ambiguous skill 'a'\n/a\\u001b[2J\n/b\\u202e\nhelp: did you mean \\u001b]0;x\\u0007\\nrm?\n",
    ],
  ])('%#', (diagnostic, text) => {
    expect(renderDiagnostic(diagnostic)).toBe(text);
  });

  test('paints on a terminal', () => {
    expect(renderDiagnostic(diagnose('E004', {}, { help: 'h' }), terminalPaint)).toBe(
      '\u001b[31merror[E004]\u001b[39m: empty query\n\u001b[1mhelp\u001b[22m: h\n',
    );
  });

  test('has the same styles with and without colour', () => {
    expect(Object.keys(plainPaint)).toEqual(Object.keys(terminalPaint));
    expect(Object.values(plainPaint).map((style) => style('x'))).toEqual(Array(6).fill('x'));
  });
});

describe('failureJson', () => {
  test('always has the four fields', () => {
    expect(failureJson(diagnose('E004', {}))).toEqual({
      error: { code: 'E004', message: 'empty query', help: null, data: null },
    });
    expect(failureJson(diagnose('E004', {}, { help: 'h', detail: 'd', data: { a: 1 } }))).toEqual({
      error: { code: 'E004', message: 'empty query', help: 'h', data: { a: 1 } },
    });
  });
});
