import { describe, expect, test } from 'vitest';
import { type Content, html, join, raw, safeLink } from './html.ts';

test('a template escapes values in text and in attributes', () => {
  const hostile = `"><script>alert('1')</script>&`;
  expect(String(html`<p title="${hostile}">${hostile}</p>`)).toBe(
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</p>',
  );
});

test('nested templates and arrays pass, missing values write nothing, numbers are text', () => {
  expect(
    String(
      html`<ul>${['a<', 'b'].map((item) => html`<li>${item}</li>`)}${null}${undefined}${false}${0}</ul>`,
    ),
  ).toBe('<ul><li>a&lt;</li><li>b</li>0</ul>');
  expect(String(join(['a', html`<b>b</b>`, 'c'], ', '))).toBe('a, <b>b</b>, c');
});

test('an object that looks like finished HTML is not', () => {
  const fake = { toString: () => '<b>', text: '<b>' } as unknown as Content;
  expect(() => String(html`${fake}`)).toThrow(TypeError);
  expect(String(html`${raw('<b>')}`)).toBe('<b>');
});

test('an attribute without quotes is a mistake', () => {
  expect(() => html`<a href=${'x'}>`).toThrow('quote the attribute: <a href=');
});

describe('links', () => {
  test.each([
    ['https://example.com/?a=b:c', 'https://example.com/?a=b:c'],
    ['mailto:a@example.com', 'mailto:a@example.com'],
    ['/@owner/name?q=a:b', '/@owner/name?q=a:b'],
    ['#L1', '#L1'],
    ['./a:b', './a:b'],
    ['javascript:alert(1)', '#'],
    ['JaVaScRiPt:alert(1)', '#'],
    [' \tjava\nscript:alert(1)', '#'],
    ['data:text/html,<script>1</script>', '#'],
    ['vbscript:x', '#'],
    ['blob:https://example.com/1', '#'],
  ])('%j', (address, safe) => {
    expect(safeLink(address)).toBe(safe);
    expect(String(html`<a href="${address}">`)).toBe(`<a href="${safe}">`);
  });
});
