import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../../test/make-directory.ts';
import { sha256 } from '../../../base/files/hash.ts';
import { digestOf, type LockedSkill, parseLock, readLock, renderLock } from './lock.ts';

const hash = (text: string) => `sha256:${sha256(text)}`;

const files = { 'SKILL.md': hash('a'), 'scripts/run.sh': hash('b') };

const entry: LockedSkill = {
  source: 'https://example.com/skills.git#main',
  path: 'skills/demo',
  resolution: { commit: '0'.repeat(40) },
  pinned: true,
  digest: digestOf(files),
  files,
  executable: ['scripts/run.sh'],
  edits: { 'SKILL.md': hash('c'), 'notes.md': null },
  targets: [
    { agent: 'cursor', method: 'copy' },
    { agent: 'claude', method: 'link' },
    { agent: './agents/skills', method: 'link' },
  ],
  accepted: [
    {
      finding: '0123456789ab',
      rule: 'SCN201',
      file: 'scripts/run.sh',
      digest: hash('b'),
      by: 'Ada',
      reason: 'it downloads our own installer',
      at: '2026-01-02T03:04:05.000Z',
    },
  ],
  installed_at: '2026-01-02T03:04:05.000Z',
};

const plain = (change: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...JSON.parse(renderLock({ skills: { demo: entry } })).skills.demo,
  ...change,
});

const lockText = (skills: Record<string, unknown>, version: unknown = 1) =>
  JSON.stringify({ version, skills });

describe('the same lock is always the same text', () => {
  test('keys and targets are sorted, defaults are left out', () => {
    const { pinned: _, edits: __, executable: ___, accepted: ____, ...rest } = entry;
    const small = { ...rest, pinned: false, edits: {}, executable: [], accepted: [] };
    expect(renderLock({ skills: { zeta: small, alpha: entry } })).toMatchInlineSnapshot(`
      "{
        "version": 1,
        "skills": {
          "alpha": {
            "source": "https://example.com/skills.git#main",
            "path": "skills/demo",
            "resolution": {
              "commit": "0000000000000000000000000000000000000000"
            },
            "pinned": true,
            "installed_at": "2026-01-02T03:04:05.000Z",
            "targets": [
              {
                "agent": "./agents/skills",
                "method": "link"
              },
              {
                "agent": "claude",
                "method": "link"
              },
              {
                "agent": "cursor",
                "method": "copy"
              }
            ],
            "digest": "sha256:b1016d51ba608fec0edf4c0f1d3ab66a8d18073da389eac4bd5bf968974a6704",
            "files": {
              "SKILL.md": "sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
              "scripts/run.sh": "sha256:3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"
            },
            "executable": [
              "scripts/run.sh"
            ],
            "edits": {
              "SKILL.md": "sha256:2e7d2c03a9507ae265ecf5b5356885a53393a2029d241394997265a1a25aefc6",
              "notes.md": null
            },
            "accepted": [
              {
                "finding": "0123456789ab",
                "rule": "SCN201",
                "file": "scripts/run.sh",
                "digest": "sha256:3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d",
                "by": "Ada",
                "reason": "it downloads our own installer",
                "at": "2026-01-02T03:04:05.000Z"
              }
            ]
          },
          "zeta": {
            "source": "https://example.com/skills.git#main",
            "path": "skills/demo",
            "resolution": {
              "commit": "0000000000000000000000000000000000000000"
            },
            "installed_at": "2026-01-02T03:04:05.000Z",
            "targets": [
              {
                "agent": "./agents/skills",
                "method": "link"
              },
              {
                "agent": "claude",
                "method": "link"
              },
              {
                "agent": "cursor",
                "method": "copy"
              }
            ],
            "digest": "sha256:b1016d51ba608fec0edf4c0f1d3ab66a8d18073da389eac4bd5bf968974a6704",
            "files": {
              "SKILL.md": "sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
              "scripts/run.sh": "sha256:3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"
            }
          }
        }
      }
      "
    `);
  });

  test('a written lock reads back the same', () => {
    const text = renderLock({ skills: { demo: entry } });
    expect(renderLock(parseLock(text, 'lock.json'))).toBe(text);
  });

  test.each([
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['one line', (text: string) => JSON.stringify(JSON.parse(text))],
  ])('%s makes no difference', (_, change) => {
    const text = renderLock({ skills: { demo: entry } });
    expect(renderLock(parseLock(change(text), 'lock.json'))).toBe(text);
  });

  test('a missing lock is empty', () => {
    expect(readLock(join(makeDirectory(), 'lock.json'))).toEqual({ lock: { skills: {} }, text: null });
  });
});

const broken: readonly [string, string, string][] = [
  ['an empty file', '', 'it is not JSON'],
  ['cut JSON', '{"version": 1,', 'it is not JSON'],
  ['a NUL', '\0', 'it is not JSON'],
  [
    'conflict markers',
    '{\n<<<<<<< HEAD\n"version": 1\n=======\n"version": 1\n>>>>>>> theirs\n}',
    'it has merge conflict markers',
  ],
  ['a list', '[]', 'the file must be a table'],
  ['no version', '{"skills":{}}', 'version must be one of 1'],
  ['a newer version', lockText({}, 2), 'version 2 of the format needs a newer skc'],
  ['a version as a word', lockText({}, 'one'), 'version must be one of 1'],
  ['an unknown key', '{"version":1,"skills":{},"more":1}', "the file has the unknown key 'more'"],
  ['a skill twice', '{"version":1,"skills":{"a":{},"a":{}}}', "the key 'a' appears twice"],
  [
    'a key twice, spelled differently',
    '{"version":1,"version":1,"skills":{}}',
    "the key 'version' appears twice",
  ],
  ['a name that escapes', lockText({ '../x': plain() }), 'skills › ../x is not a skill name'],
  ['a name in capitals', lockText({ Demo: plain() }), 'skills › Demo is not a skill name'],
  ['an entry that is a text', lockText({ demo: 'x' }), 'skills › demo must be a table'],
  [
    'a file that escapes',
    lockText({ demo: plain({ files: { ...files, '../../x': hash('x') } }) }),
    'skills › demo › files › ../../x is not a path that skc writes inside a skill',
  ],
  [
    'an absolute file',
    lockText({ demo: plain({ files: { ...files, '/etc/passwd': hash('x') } }) }),
    'skills › demo › files › /etc/passwd is not a path that skc writes inside a skill',
  ],
  [
    'a hidden file',
    lockText({ demo: plain({ files: { ...files, '.git/hooks/post-checkout': hash('x') } }) }),
    'skills › demo › files › .git/hooks/post-checkout is not a path that skc writes inside a skill',
  ],
  [
    'a file with a backslash',
    lockText({ demo: plain({ files: { ...files, '..\\x': hash('x') } }) }),
    'skills › demo › files › ..\\x is not a path that skc writes inside a skill',
  ],
  [
    'a changed file',
    lockText({ demo: plain({ files: { ...files, 'SKILL.md': hash('other') } }) }),
    'skills › demo › digest does not match the files',
  ],
  [
    'a skill without SKILL.md',
    lockText({ demo: plain({ files: {}, digest: digestOf({}), executable: [] }) }),
    'skills › demo › files does not list SKILL.md',
  ],
  [
    'a path in the source that escapes',
    lockText({ demo: plain({ path: '../other' }) }),
    'skills › demo › path points outside the source',
  ],
  [
    'a commit that is an option',
    lockText({ demo: plain({ resolution: { commit: '--upload-pack=x' } }) }),
    'skills › demo › resolution › commit is not a commit',
  ],
  ...[
    ['finding', 'x0123456789ab', 'is not a finding id'],
    ['finding', '0123456789abc', 'is not a finding id'],
    ['digest', `x${hash('b')}`, 'must be sha256: and 64 hexadecimal digits'],
    ['digest', `${hash('b')}0`, 'must be sha256: and 64 hexadecimal digits'],
  ].map(([key, value, why]): [string, string, string] => [
    `an acceptance with the ${key} ${value}`,
    lockText({ demo: plain({ accepted: [{ ...entry.accepted[0], [key!]: value }] }) }),
    `skills › demo › accepted › 0 › ${key} ${why}`,
  ]),
  [
    'a target that escapes',
    lockText({ demo: plain({ targets: [{ agent: '../../x', method: 'link' }] }) }),
    'skills › demo › targets › 0 › agent is neither an agent nor an allowed directory',
  ],
  [
    'an absolute target',
    lockText({ demo: plain({ targets: [{ agent: '/etc', method: 'link' }] }) }),
    'skills › demo › targets › 0 › agent is neither an agent nor an allowed directory',
  ],
];

test.each(broken)('%s is refused', (_, text, why) => {
  expect(() => parseLock(text, 'lock.json')).toThrow(
    expect.objectContaining({ code: 'E211', message: `lock file unusable: 'lock.json': ${why}` }),
  );
});

test('a directory is refused', () => {
  const dir = makeDirectory({ 'lock.json': { directory: true } });
  expect(() => readLock(join(dir, 'lock.json'))).toThrow(expect.objectContaining({ code: 'E211' }));
});

test('lock keys cannot pollute prototypes', () => {
  const text = `{"version":1,"skills":{"__proto__":${JSON.stringify(plain())}}}`;
  expect(() => parseLock(text, 'lock.json')).toThrow(expect.objectContaining({ code: 'E211' }));
  expect(({} as Record<string, unknown>).source).toBeUndefined();
});
