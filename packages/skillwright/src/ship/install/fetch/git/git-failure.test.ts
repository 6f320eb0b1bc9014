import { expect, test } from 'vitest';
import { explainGitFailure } from './run-git.ts';

const url = 'https://example.com/x.git';

test.each([
  ["fatal: couldn't find remote ref main", 'E201'],
  ['fatal: remote error: upload-pack: not our ref 0123', 'E201'],
  ["remote: Repository not found.\nfatal: repository 'https://example.com/x.git/' not found", 'E201'],
  ['fatal: unable to access: The requested URL returned error: 404', 'E201'],
  ["fatal: could not read Username for 'https://github.com': terminal prompts disabled", 'E202'],
  [
    "remote: HTTP Basic: Access denied\nfatal: Authentication failed for 'https://example.com/x.git/'",
    'E202',
  ],
  ['git@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.', 'E202'],
  ['fatal: unable to access: The requested URL returned error: 403', 'E202'],
  ['fatal: unable to access: Could not resolve host: example.com', 'E200'],
  [
    'ssh: connect to host example.com port 22: Connection refused\nfatal: Could not read from remote repository.',
    'E200',
  ],
  ['fatal: unable to access: SSL certificate problem: self-signed certificate', 'E200'],
  ['fatal: unable to access: Operation too slow. Less than 1 bytes/sec', 'E200'],
  ['error: RPC failed; curl 18\nfatal: early EOF', 'E200'],
  ['Host key verification failed.\nfatal: Could not read from remote repository.', 'E214'],
  ['fatal: mismatched algorithms: client sha1; server sha256', 'E214'],
  ["fatal: transport 'ext' not allowed", 'E214'],
  ['', 'E214'],
])('%j is %s', (said, code) => {
  expect(explainGitFailure(said, { url, words: ['fetch'] }).code).toBe(code);
});

test("git's own message is shown, shortened", () => {
  const said = `${'remote: counting\n'.repeat(20)}fatal: bad object \u001b[31mx\n`;
  const error = explainGitFailure(said, { url, words: ['fetch', '--', 'origin'] });
  expect(error.message).toBe("'git fetch' failed: fatal: bad object \\u001b[31mx");
  expect(error.detail?.split('\n')).toHaveLength(5);
});
