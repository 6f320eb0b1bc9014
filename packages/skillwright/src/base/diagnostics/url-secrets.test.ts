import { expect, test } from 'vitest';
import { hideSecrets, hideSecretsIn, secretIn } from './url-secrets.ts';

const random = 'aB3dE5gH7jK9mN1pQ3sT5';

test.each([
  ['https://example.com/x.tgz', undefined],
  ['https://example.com/x.tgz?ref=main&download=1', undefined],
  ['https://example.com/x.tgz?ref=0123456789abcdef0123456789abcdef01234567', undefined],
  ['https://me@example.com/', 'a user name'],
  ['https://me:x@example.com/', 'a password'],
  ['ssh://git@example.com/x.git', undefined],
  ['ssh://git:x@example.com/x.git', 'a password'],
  ['https://example.com/x?token=abc', "the parameter 'token'"],
  ['https://example.com/x?ToKeN=abc', "the parameter 'ToKeN'"],
  ['https://example.com/x?%74oken=abc', "the parameter 'token'"],
  ['https://example.com/x?version=1&X-Amz-Signature=abc', "the parameter 'X-Amz-Signature'"],
  ['https://example.com/x?X-Goog-Credential=abc', "the parameter 'X-Goog-Credential'"],
  ['https://example.com/x?sv=2020&se=2021&sp=r&sig=abc', "the parameter 'sv'"],
  ['https://example.com/x?whatever=1', "the parameter 'whatever'"],
  ['https://example.com/x?abc', "the parameter 'abc'"],
  [`https://example.com/x?ref=${random}`, "the parameter 'ref'"],
  [`https://example.com/x?ref=ghp_${'a'.repeat(36)}`, "the parameter 'ref'"],
  ['https://example.com/x#access_token=abc', 'the part after the #'],
  [`https://example.com/glpat-${'a'.repeat(20)}/x.tgz`, 'a token in its path'],
])('%s: %s', (url, secret) => {
  expect(secretIn(new URL(url))).toBe(secret);
});

test.each([
  ['no address here: a@b?token=1', 'no address here: a@b?token=1'],
  ['see https://example.com/x?ref=main now', 'see https://example.com/x?ref=main now'],
  ['https://me:x@example.com/', 'https://***@example.com/'],
  ['https://me@example.com/', 'https://***@example.com/'],
  ['ssh://git:pw@example.com/x', 'ssh://git:***@example.com/x'],
  ['ssh://git@example.com/x', 'ssh://git@example.com/x'],
  [
    'E201 https://e.com/x?version=1&X-Amz-Signature=abc&token=d#sig=e gone',
    'E201 https://e.com/x?version=1&X-Amz-Signature=***&token=***#sig=*** gone',
  ],
  ['git+https://e.com/x.git?token=abc', 'git+https://e.com/x.git?token=***'],
  [`https://e.com/ghp_${'a'.repeat(36)}/x`, 'https://e.com/***/x'],
  [`https://e.com/skwr_${'a'.repeat(43)}/x`, 'https://e.com/***/x'],
  ['https://e.com/?a=%E0%A4%A', 'https://e.com/?a=***'],
])('%s is shown as %s', (text, shown) => {
  expect(hideSecrets(text)).toBe(shown);
});

test('texts anywhere in a value', () => {
  expect(hideSecretsIn({ a: ['https://e.com/?token=1', 2], b: { c: null } })).toEqual({
    a: ['https://e.com/?token=***', 2],
    b: { c: null },
  });
});
