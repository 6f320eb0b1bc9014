import { expect, test } from 'vitest';
import { isGatedText } from './frontmatter.ts';
import { hasQuizGate } from './quiz-gate.ts';

test.each<[unknown, boolean]>([
  [undefined, false],
  [null, false],
  ['gate: true', false],
  [[], false],
  [{ gate: true }, true],
  [{ gate: false }, false],
  [{ gate: null }, false],
  [{ gate: 'off' }, false],
  [{ gate: 'No' }, false],
  [{ gate: 0 }, false],
  [{ gate: 'yes' }, true],
  // A mistake must not open a gate.
  [{ gate: 'maybe' }, true],
  [{ gate: [] }, true],
  [[{ gate: false }, { gate: 'on' }], true],
  [[{ gate: false }, 'x', null, {}], false],
])('%j', (quiz, gated) => {
  expect(hasQuizGate({ quiz })).toBe(gated);
});

const yaml = 'name: x\nquiz:\n  gate: true\n';

test.each<[string, string, boolean]>([
  ['plain', `---\n${yaml}---\n`, true],
  ['with a byte order mark', `\ufeff---\n${yaml}---\n`, true],
  ['CRLF', `---\n${yaml}---\n`.replaceAll('\n', '\r\n'), true],
  ['quoted keys', '---\n"quiz":\n  "gate": yes\n---\n', true],
  ['escaped keys', '---\n"q\\u0075iz":\n  gate: true\n---\n', true],
  ['an alias', '---\nx: &a { gate: true }\nquiz: *a\n---\n', true],
  ['a quiz in the body alone', '---\nname: x\n---\nquiz:\n  gate: true\n', false],
  ['a quiz of another field', '---\nmetadata:\n  quiz:\n    gate: true\n---\n', false],
  ['no gate', '---\nquiz:\n  title: gate\n---\n', false],
  ['no frontmatter', yaml, false],
  // Unreadable frontmatter that seems to have a gate counts as closed.
  ['never closed', `---\n${yaml}# Body\n`, true],
  ['no YAML', `---\n${yaml}  - [\n---\n`, true],
  ['with NUL', `---\n${yaml}\0---\n---\n`, true],
  ['no YAML and no quiz', '---\nname: [\n---\ngate\n', false],
])('%s', (_, text, gated) => {
  expect(isGatedText(text)).toBe(gated);
});
