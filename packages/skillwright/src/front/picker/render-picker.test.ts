import { describe, expect, test } from 'vitest';
import { fakePicker, fakeSkill, typeKeys } from '../../../test/picker-fixture.ts';
import type { OutlineHeading } from '../../read/gateway/outline.ts';
import { widthOf } from '../commands/text-width.ts';
import { frameText } from './picker-frame.ts';
import { type PickerState, selectedSkill } from './picker-state.ts';
import { reducePicker } from './reduce-picker.ts';
import { renderPicker } from './render-picker.ts';

const skills = [
  fakeSkill('release-notes', {
    description: 'Drafts release notes from commits. Use when somebody asks for a changelog of a version.',
  }),
  fakeSkill('a-skill-with-a-name-that-is-longer-than-its-column'),
  fakeSkill('日本語の文書を要約する技能です', { description: '日本語の文書を要約します。'.repeat(8) }),
  fakeSkill('needy', { scope: 'user', available: false, reason: 'it needs xyz' }),
  fakeSkill('off', { scope: 'user', enabled: false }),
  fakeSkill('evil\u001b[2J\u202e\n', { scope: 'bundled', description: 'a\u001b]0;x\u0007\u2066b' }),
];

const heading = (level: number, text: string, file = 'SKILL.md'): OutlineHeading => ({
  level,
  text,
  file,
  anchor: '',
  start_line: 1,
  end_line: 1,
});

const outlined = (state: PickerState, headings: readonly OutlineHeading[]) =>
  reducePicker(state, { kind: 'outlined', outline: { path: selectedSkill(state)!.path, headings } }).state;

const screen = (state: PickerState) => frameText(renderPicker(state)).join('\n');

test('80×24', () => {
  const state = outlined(fakePicker(skills), [
    heading(1, 'Release notes'),
    heading(2, 'Collect'),
    heading(3, 'From\u001b[31m tags'),
    heading(1, 'Kinds', 'references/kinds.md'),
  ]);
  expect(screen(state)).toMatchInlineSnapshot(`
    " 6 skills                                         [all] project  user  bundled
     / type to search

     > [x] release-notes        project │ release-notes
       [x] a-skill-with-a-name… project │ Drafts release notes from commits. Use
       [x] 日本語の文書を要約…  project │ when somebody asks for a changelog of a
       [!] needy                user    │ version.
       [ ] off                  user    │
       [x] evil\\u001b[2J\\u202e… bundled │ ~/project/release-notes
                                        │
                                        │ SKILL.md
                                        │   Release notes
                                        │     Collect
                                        │       From\\u001b[31m tags
                                        │ references/kinds.md
                                        │   Kinds
                                        │
                                        │
                                        │
                                        │
                                        │
                                        │
                                        │
     Enter $name   Space on/off   Esc leave   ? help   Tab scope   ^O path"
  `);
});

test('40×10, with a query', () => {
  const state = typeKeys(fakePicker(skills, { size: { columns: 40, rows: 10 } }), 'e').state;
  expect(screen(state)).toMatchInlineSnapshot(`
    " 4/6      [all] project  user  bundled
     / e
     > [x] release-notes            project
       [x] a-skill-with-a-name-tha… project
       [!] needy                    user
       [x] evil\\u001b[2J\\u202e\\n    bundled
    ────────────────────────────────────────
     Drafts release notes from commits. Us…
     ~/project/release-notes
     Enter $name   ^T on/off   Esc leave"
  `);
  expect(renderPicker(state).cursor).toEqual({ row: 1, column: 4 });
});

test('one scope, and the problems of a skill', () => {
  const state = typeKeys(fakePicker(skills, { scope: 'user', size: { columns: 80, rows: 12 } }), '').state;
  expect(screen(state)).toMatchInlineSnapshot(`
    " 2 of 6 skills                                     all  project [user] bundled
     / type to search

     > [!] needy                        │ About needy.
       [ ] off                          │ unavailable: it needs xyz
                                        │ ~/user/needy
                                        │
                                        │
                                        │
                                        │
                                        │
     Enter $name   Space on/off   Esc leave   ? help   Tab scope   ^O path"
  `);
  expect(screen(typeKeys(state, '\u001b[B').state)).toContain('off in this project: agents do not see');
});

test('long outlines are cut, wide ones too', () => {
  const headings = Array.from({ length: 40 }, (_, index) => heading(2, `Heading ${index} ${'x'.repeat(60)}`));
  const text = screen(outlined(fakePicker(skills), headings));
  expect(text).toContain('│ … 29 more');
  expect(text).toContain('│     Heading 0 xxxxxxxxxxxxxxxxxxxxxxxxxx…');
});

test.each([
  ['no skills', fakePicker([]), "no skills here; run 'skc list --paths' to see the search paths"],
  ['no matches', typeKeys(fakePicker(skills), 'xyz').state, 'no skill matches'],
  [
    'a notice',
    fakePicker(skills, { notice: { text: '3 could not\nbe read', isError: true } }),
    '3 could not\\nbe read',
  ],
  [
    'a shadowed skill',
    fakePicker(skills, { shadowed: new Set(['/project/release-notes/SKILL.md']) }),
    '│ shadowed by another skill of this name',
  ],
  ['the end of a long query', typeKeys(fakePicker(skills), `${'x'.repeat(150)}end`).state, 'xxend'],
])('%s', (_, state, text) => {
  expect(screen(state)).toContain(text);
});

describe('every size', () => {
  const sizes = [1, 2, 3, 4, 5, 6, 7, 9, 10, 16, 24, 60].flatMap((rows) =>
    [1, 2, 5, 10, 20, 30, 39, 40, 71, 72, 80, 200].map((columns) => ({ columns, rows })),
  );

  test.each(sizes)('$columns×$rows', (size) => {
    for (const typed of ['', '\u001b[B\u001b[B', '日本', 'xyz', '\t', '\u001bOP', 'e']) {
      let { state } = typeKeys(fakePicker(skills, { size }), typed);
      if (selectedSkill(state) !== undefined)
        state = outlined(state, [heading(1, '日本語'), heading(6, 'deep')]);
      const frame = renderPicker(state);
      const rows = frameText(frame);
      expect(rows.length).toBe(size.rows);
      expect(rows.filter((row) => widthOf(row) > size.columns)).toEqual([]);
      expect(rows.join('')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      expect(frame.cursor?.row ?? 0).toBeLessThan(size.rows);
      expect(frame.cursor?.column ?? 0).toBeLessThan(size.columns);
    }
  });
});

test('skills with the same name get labels', () => {
  const twins = [fakeSkill('notes'), fakeSkill('notes', { scope: 'user' })];
  const state = fakePicker(twins, {
    labelOf: ({ scope }) => (scope === 'user' ? '.claude' : '.agents\u001b[2J'),
  });
  expect(screen(state)).toContain(' > [x] notes .agents\\u00…   project │');
  expect(screen(state)).toContain('   [x] notes .claude        user    │');
});

test.each([
  ['at its end', 'xyz', 6],
  ['after wide characters', '日本', 7],
  ['at the end of a long query', 'x'.repeat(150), 79],
])('the cursor is %s', (_, typed, column) => {
  expect(renderPicker(typeKeys(fakePicker(skills), typed).state).cursor).toEqual({ row: 1, column });
});

test('help', () => {
  expect(
    screen(typeKeys(fakePicker(skills, { size: { columns: 60, rows: 5 } }), '?').state),
  ).toMatchInlineSnapshot(`
    " Enter               print $name, or the path if several s…
     ^O  Alt-Enter       print the path
     Space  ^T           turn on or off in the scope shown (^T…
     Tab  Shift-Tab      next or previous scope
     ↑ ↓  ^P ^N          move; PgUp and PgDn move by a page"
  `);
});
