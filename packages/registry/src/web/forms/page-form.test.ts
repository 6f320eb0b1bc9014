import {
  MirrorRequest,
  PublisherRequest,
  SkillChange,
  TokenRequest,
  WebhookRequest,
  YankRequest,
} from 'skillwright/registry-protocol';
import { expect, test } from 'vitest';
import type { Frame } from '../frame.ts';
import { drawForm, pageForm, readTyped } from './page-form.ts';

const token = TokenRequest.shape;

test.each([
  ['text', token.name, ['ci'], 'ci'],
  ['text that is needed and missing', token.name, undefined, ''],
  ['a choice of several', token.scopes, ['read', 'rate'], ['read', 'rate']],
  ['no choice of several', token.scopes, undefined, []],
  ['a number', token.days, ['7'], 7],
  ['no number, where that means something', token.days, [''], null],
  ['no number, where there is a default', MirrorRequest.shape.everyMinutes, [''], undefined],
  ['not a number', MirrorRequest.shape.everyMinutes, ['x'], Number.NaN],
  ['nothing, where null is valid', PublisherRequest.shape.workflow, [' '], null],
  ['nothing, which takes the setting back', SkillChange.shape.deprecated, [''], null],
  ['nothing, where the form needs a reason', YankRequest.shape.yanked, [''], ''],
  ['a box that is ticked', SkillChange.shape.requireProvenance, ['yes'], true],
  ['a box that is not', SkillChange.shape.requireProvenance, undefined, false],
  ['no choice of one', SkillChange.shape.visibility, undefined, undefined],
  ['an address', WebhookRequest.shape.url, ['https://a.b/'], 'https://a.b/'],
])('%s', (_, schema, typed, value) => {
  expect(readTyped(schema, typed)).toEqual(value);
});

const frame = { csrf: 'secret' } as Frame;

test('a field has the words, the limits and the default of its schema', () => {
  const drawn = drawForm(pageForm('mirror', 'addMirror'), {
    frame,
    action: '/there',
    button: 'Add',
  });
  expect(
    drawn
      .toString()
      .replaceAll(/(?=<(?:div|button))/g, '\n')
      .split('\n'),
  ).toEqual([
    '<form method="post" action="/there" class="form"><input type="hidden" name="csrf" value="secret">',
    '<div class="field"><label for="field-source">Source</label><p class="hint" id="field-source-hint">A Git address, or a site with .well-known/agent-skills</p><input type="text" id="field-source" name="source" aria-describedby="field-source-hint" required maxlength="1000" value="" dir="auto"></div>',
    '<div class="field"><label for="field-everyMinutes">Minutes between two runs</label><p class="hint" id="field-everyMinutes-hint">5 to 10,080</p><input type="number" id="field-everyMinutes" name="everyMinutes" aria-describedby="field-everyMinutes-hint" required value="60" inputmode="numeric" dir="auto"></div>',
    '<button type="submit" class="button primary">Add</button></form>',
  ]);
});

test('a refused form shows what was typed, and the reason beside the field', () => {
  const drawn = drawForm(pageForm('access', 'changeSkill', { reason: 'deprecated' }), {
    frame: {
      ...frame,
      sent: { form: 'access 1', values: { reason: ['typed'] }, errors: { reason: 'is too long' } },
    },
    action: '/there',
    about: '1',
    id: 'reason-1',
    button: 'Save',
  });
  expect(drawn.toString()).toMatch(
    /id="reason-1" name="reason" aria-describedby="reason-1-hint reason-1-error" aria-invalid="true" maxlength="500" value="typed" dir="auto"><p class="field-error" id="reason-1-error">is too long</,
  );
});
