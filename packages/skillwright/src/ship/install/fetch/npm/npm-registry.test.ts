import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../../../test/make-directory.ts';
import { readNpmRegistry } from './fetch-npm.ts';

const read = (
  npmrc: string,
  { name = 'pdf', env = {} }: { name?: string; env?: Record<string, string> } = {},
) => readNpmRegistry(name, { home: makeDirectory({ '.npmrc': npmrc }), env });

describe('the registry', () => {
  test.each([
    ['nothing is configured', '', {}, 'https://registry.npmjs.org/'],
    ['configured', 'registry = https://npm.example.com', {}, 'https://npm.example.com/'],
    [
      'quoted, with a byte order mark and CRLF',
      '\ufeff; x\r\nregistry="https://npm.example.com/a/"\r\n',
      {},
      'https://npm.example.com/a/',
    ],
    [
      'from the environment',
      'registry=https://npm.example.com',
      { env: { npm_config_registry: 'https://env.example.com' } },
      'https://env.example.com/',
    ],
    [
      'for a scope',
      '@s:registry=https://s.example.com\nregistry=https://npm.example.com',
      { name: '@s/pdf' },
      'https://s.example.com/',
    ],
    [
      'for another scope',
      '@s:registry=https://s.example.com',
      { name: '@t/pdf' },
      'https://registry.npmjs.org/',
    ],
    [
      'with a variable',
      `registry=https://\${HOST}/`,
      { env: { HOST: 'v.example.com' } },
      'https://v.example.com/',
    ],
  ])('%s', (_, npmrc, options, url) => {
    expect(read(npmrc, options).url).toBe(url);
  });

  test.each(['nonsense', 'file:///etc', 'ftp://example.com', 'https://', ''])('%j is refused', (registry) => {
    expect(() => read('', { env: { npm_config_registry: registry } })).toThrow(
      `npm's registry '${registry}' is not a URL`,
    );
  });

  test('a file named in the environment', () => {
    const dir = makeDirectory({ mine: 'registry=https://npm.example.com' });
    const env = { NPM_CONFIG_USERCONFIG: join(dir, 'mine') };
    expect(readNpmRegistry('pdf', { home: dir, env }).url).toBe('https://npm.example.com/');
  });
});

describe('credentials go only to their own address', () => {
  const npmrc = [
    '//npm.example.com/:_authToken=t1',
    '//npm.example.com/team/:_authToken=t2',
    '//basic.example.com/:_auth=dTpw',
    '//user.example.com/:username=u',
    `//user.example.com/:_password=${Buffer.from('p').toString('base64')}`,
  ].join('\n');
  test.each([
    ['https://npm.example.com/pdf', 'Bearer t1'],
    ['https://npm.example.com/team/pdf', 'Bearer t2'],
    ['https://npm.example.com/teams/pdf', 'Bearer t1'],
    ['https://basic.example.com/pdf', 'Basic dTpw'],
    ['https://user.example.com/pdf', 'Basic dTpw'],
    ['https://npm.example.com:8443/pdf', undefined],
    ['https://npm.example.com.evil.example/pdf', undefined],
    ['https://cdn.example.com/pdf.tgz', undefined],
    ['nonsense', undefined],
  ])('%s', (url, authorization) => {
    expect(read(npmrc).headersFor(url)).toEqual(authorization === undefined ? {} : { authorization });
  });
});
