// Maps git's error messages to coded errors.

import { hideSecrets, SkillwrightError } from '../../../../base/diagnostics/index.ts';

const unknownRef =
  /couldn't find remote ref|not our ref|no such remote ref|unadvertised object|not a valid ref/i;
const unauthorised =
  /could not read (?:username|password)|authentication failed|permission denied \(|access denied|terminal prompts disabled|returned error: 40[13]|invalid credentials/i;
const missing =
  /repository not found|returned error: 404|does not appear to be a git repository|repository .* not found|project you were looking for/i;
const unreachable =
  /could not resolve host|connection (?:refused|timed out|reset)|failed to connect|network is unreachable|operation (?:timed out|too slow)|no route to host|unexpected disconnect|early eof|ssl|the remote end hung up|couldn't connect/i;

/** Whether a failure means that the remote has no such branch, tag or commit. */
export function isUnknownRef(error: unknown): boolean {
  return error instanceof SkillwrightError && error.data?.reason === 'unknown ref';
}

/** Whether a failure means that the repository uses another hash algorithm algorithm. */
export function isOtherHash(error: unknown): boolean {
  return error instanceof SkillwrightError && error.data?.reason === 'other hash';
}

/** The coded error for a failed git, from its output. */
export function explainGitFailure(
  said: string,
  { url, words }: { url: string; words: readonly string[] },
): SkillwrightError {
  const lines = hideSecrets(said)
    .split(/[\r\n]+/)
    .map((line) => line.trim());
  const told = lines.filter(
    (line) => /^(?:fatal|error|remote|ERROR|ssh|git@)/.test(line) || /denied|failed/i.test(line),
  );
  const text = told.join('\n');
  const detail = told
    .slice(-5)
    .map((line) => `  ${line.slice(0, 300)}`)
    .join('\n');
  const details = detail === '' ? {} : { detail };
  if (unknownRef.test(text))
    return SkillwrightError.of('E201', { what: url }, { ...details, data: { reason: 'unknown ref' } });
  if (/host key verification failed/i.test(text))
    return SkillwrightError.of(
      'E214',
      { command: 'git', why: 'the host key is not known' },
      { ...details, help: 'connect once with ssh to accept its key' },
    );
  if (unauthorised.test(text))
    return SkillwrightError.of(
      'E202',
      { url },
      { ...details, help: 'there is no such repository, or your git has no credentials for it' },
    );
  if (/returned error: 30\d/.test(text))
    return SkillwrightError.of(
      'E214',
      { command: 'git', why: 'the repository has moved to another address' },
      { ...details, help: 'find its new address and use that, so that the lock records it' },
    );
  if (missing.test(text)) return SkillwrightError.of('E201', { what: url }, details);
  if (/mismatched algorithms|object format/i.test(text))
    return SkillwrightError.of(
      'E214',
      { command: 'git', why: 'the repository uses another hash algorithm' },
      { ...details, data: { reason: 'other hash' } },
    );
  const broken = /^error: object [0-9a-f]+: ([^\n]+)/m.exec(text)?.[1];
  if (broken !== undefined && /fsck error/.test(text))
    return SkillwrightError.of('E205', { why: `git refuses the repository: ${broken}` }, details);
  if (unreachable.test(text)) return SkillwrightError.of('E200', { url }, details);
  const why = told.at(-1) ?? lines.findLast((line) => line !== '') ?? 'it did not say why';
  return SkillwrightError.of('E214', { command: `git ${words[0] ?? ''}`.trim(), why }, details);
}
