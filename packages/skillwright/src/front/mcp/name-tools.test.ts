import { expect, test } from 'vitest';
import { loadTools } from './load-tools.ts';
import { nameTools } from './name-tools.ts';

test.each([
  ["run 'skc outline demo' for the headings", 'call skc_outline {"skill":"demo"} for the headings'],
  [
    "search index unusable; run 'skc build demo' to rebuild",
    'search index unusable; call skc_build {"skills":["demo"]} to rebuild',
  ],
  ["no skills yet; 'skc init <name>' creates one", 'no skills yet; skc_init {"name":"<name>"} creates one'],
  ['take it with: skc quiz demo', 'take it with: skc_quiz {"skill":"demo"}'],
  ['take it with `skc quiz demo`.', 'take it with skc_quiz {"skill":"demo"}.'],
  ["it is a file: skc open demo 'a b.md'", 'it is a file: skc_open {"skill":"demo","path":"a b.md"}'],
  ["'skc roots' says why", "'skc roots' says why"],
  ['remove what is left: skc clean demo', "remove what is left: ask the user to run 'skc clean demo'"],
  ["run 'skc sync'", "ask the user to run 'skc sync'"],
  // Commands with fields reserved for the user are left to the user.
  ["run 'skc tools demo --trust'", "ask the user to run 'skc tools demo --trust'"],
  ['nothing to do', 'nothing to do'],
])('%s', async (text, expected) => {
  expect(nameTools(text, await loadTools())).toBe(expected);
});
