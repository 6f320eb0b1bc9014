import { expect, test } from 'vitest';
import { choiceField, field, selectField } from './index.ts';

const choices = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B', hint: 'the other one' },
];

const controls = {
  input: (explained: object) => field({ name: 'n', label: 'Name', isRequired: true, ...explained }),
  textarea: (explained: object) =>
    field({ name: 'n', label: 'Name', isRequired: true, rows: 3, ...explained }),
  select: (explained: object) => selectField({ name: 'n', label: 'Name', choices, value: 'b', ...explained }),
  fieldset: (explained: object) =>
    choiceField({ name: 'n', label: 'Name', kind: 'radio', choices, chosen: ['b'], ...explained }),
};

/** The control, with the attributes that explain it, and the explanations around it. */
const drawn: Readonly<
  Record<keyof typeof controls, (attributes: string, hint: string, error: string) => string>
> = {
  input: (attributes, hint, error) =>
    `<div class="field"><label for="field-n">Name</label>${hint}<input type="text" id="field-n" name="n"${attributes} required value="" dir="auto">${error}</div>`,
  textarea: (attributes, hint, error) =>
    `<div class="field"><label for="field-n">Name</label>${hint}<textarea rows="3" id="field-n" name="n"${attributes} required dir="auto"></textarea>${error}</div>`,
  select: (attributes, hint, error) =>
    `<div class="field"><label for="field-n">Name</label>${hint}<select id="field-n" name="n"${attributes}><option value="a">A</option><option value="b" selected>B</option></select>${error}</div>`,
  fieldset: (attributes, hint, error) =>
    `<fieldset class="field"${attributes}><legend>Name</legend>${hint}<div class="choice"><input type="radio" id="field-n-0" name="n" value="a"><label for="field-n-0">A</label></div><div class="choice"><input type="radio" id="field-n-1" name="n" value="b" checked><label for="field-n-1">B <span class="muted">the other one</span></label></div>${error}</fieldset>`,
};

const hint = '<p class="hint" id="field-n-hint">as on paper</p>';
const error = '<p class="field-error" id="field-n-error">is missing</p>';

test.each<[string, object, [attributes: string, hint: string, error: string]]>([
  ['nothing to explain', {}, ['', '', '']],
  ['a hint', { hint: 'as on paper' }, [' aria-describedby="field-n-hint"', hint, '']],
  ['an error', { error: 'is missing' }, [' aria-describedby="field-n-error" aria-invalid="true"', '', error]],
  [
    'a hint and an error',
    { hint: 'as on paper', error: 'is missing' },
    [' aria-describedby="field-n-hint field-n-error" aria-invalid="true"', hint, error],
  ],
])('%s: a screen reader hears it with every kind of field', (_, explained, parts) => {
  for (const kind of ['input', 'textarea', 'select', 'fieldset'] as const)
    expect(controls[kind](explained).toString(), kind).toBe(drawn[kind](...parts));
});
