import { expect, test } from 'vitest';
import { createAnchors, slugify } from './slugify.ts';

test.each([
  ['Getting Started', 'getting-started'],
  ['What is `skc`? (a tool)', 'what-is-skc-a-tool'],
  ['API v2.0: GET /users/{id}', 'api-v20-get-usersid'],
  ['snake_case and kebab-case', 'snake_case-and-kebab-case'],
  ['Build & deploy', 'build--deploy'],
  ['two  spaces', 'two--spaces'],
  ['a — b – c', 'a--b--c'],
  ['ÜBERSICHT: Größe', 'übersicht-größe'],
  ['Что нового?', 'что-нового'],
  ['安装与使用（快速）', '安装与使用快速'],
  ['はじめに・概要', 'はじめに概要'],
  ['हिन्दी पाठ', 'हिन्दी-पाठ'],
  ['Cafe\u0301', 'cafe\u0301'],
  ['🚀 Launch', '-launch'],
  ['⚙️ Settings', '\ufe0f-settings'],
  ['E = mc² and ½', 'e--mc-and-'],
  ['Arabic digits ٣', 'arabic-digits-٣'],
  ['line\nbreak\tand tab', 'linebreakand-tab'],
  ['no\u00a0break', 'nobreak'],
  ['---', '---'],
  ['!?', ''],
  ['', ''],
])('slug of %j', (text, slug) => {
  expect(slugify(text)).toBe(slug);
});

test.each([
  [
    ['Foo', 'Foo', 'foo!'],
    ['foo', 'foo-1', 'foo-2'],
  ],
  [
    ['foo', 'foo-1', 'foo', 'foo'],
    ['foo', 'foo-1', 'foo-2', 'foo-3'],
  ],
  [
    ['foo', 'foo', 'foo-1', 'foo-1'],
    ['foo', 'foo-1', 'foo-1-1', 'foo-1-2'],
  ],
  [
    ['🚀', '', 'constructor', '__proto__', '__proto__'],
    ['', '-1', 'constructor', '__proto__', '__proto__-1'],
  ],
])('anchors of %j', (texts, anchors) => {
  expect(texts.map(createAnchors())).toEqual(anchors);
});
