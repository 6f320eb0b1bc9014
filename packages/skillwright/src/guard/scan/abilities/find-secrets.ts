// Finds secrets of the user that a skill reads or asks for.

import type { Match } from '../match.ts';
import type { Probe } from '../probe.ts';
import {
  credentialFiles,
  dotEnvFiles,
  personalStores,
  secretVariables,
  surveillance,
  tokenCommands,
  wholeEnvironment,
} from '../probes/secret-sources.ts';
import type { ScanSubject } from '../scan-subject.ts';
import type { ActingText } from './acting-texts.ts';
import { type Add, LIKELY } from './found-ability.ts';

const secretProbes: readonly (readonly [Probe, string])[] = [
  [personalStores, 'browser data, keychains or wallets'],
  [credentialFiles, 'credential files'],
  [tokenCommands, 'tokens of other programs'],
  [wholeEnvironment, 'the whole environment'],
  [dotEnvFiles, '.env and key files'],
  [surveillance, 'keystrokes, screen or clipboard'],
];

/** Variables called keys that are not secret. */
const publicName =
  /^(?:NEXT_PUBLIC|VITE|EXPO_PUBLIC|REACT_APP)_|(?:PUBLIC|PRIMARY|FOREIGN|SORT|CACHE|PARTITION|HASH|RANGE)_KEY$/;

/** Adds variables, files and stores with secrets. */
export function addSecrets(
  texts: readonly ActingText[],
  { subject, add }: { subject: ScanSubject; add: Add },
): void {
  const within = (match: Match): ActingText | undefined =>
    match.layer.via === undefined
      ? texts.find(
          ({ file, offset, text }) =>
            file === match.file && offset <= match.index && match.index < offset + text.length,
        )
      : undefined;
  const lineOf = ({ file, line }: Match) => file.lines[line - 1] ?? '';
  for (const match of subject.matches(secretVariables)) {
    const acting = within(match);
    const name = match.groups[0] ?? '';
    if (
      acting === undefined ||
      publicName.test(name) ||
      match.zone === 'comment' ||
      subject.weigh(match) < LIKELY
    )
      continue;
    // `${KEY}` is a variable of the environment in a shell only.
    if (/^[$%](?!env:)/.test(match.text) && acting.dialect === 'code') continue;
    add({
      kind: 'secrets',
      what: name,
      by: acting.by,
      file: match.file,
      line: match.line,
      text: lineOf(match),
      program: undefined,
    });
  }
  for (const [probe, what] of secretProbes)
    for (const match of subject.matches(probe)) {
      const acting = within(match);
      if (acting === undefined || match.zone === 'comment' || subject.weigh(match) < LIKELY) continue;
      // Passing the environment on to a program is not reading it.
      if (probe === dotEnvFiles && /\.env\.(?:example|sample|template|dist)\b/.test(lineOf(match))) continue;
      if (probe === wholeEnvironment && /\benv\s?\|\s?(?:grep|sort)/.test(lineOf(match))) continue;
      if (probe === wholeEnvironment && /\.copy\(|\*\*os\.environ/.test(match.text)) continue;
      add({
        kind: 'secrets',
        what,
        by: acting.by,
        file: match.file,
        line: match.line,
        text: lineOf(match),
        program: undefined,
      });
    }
  for (const { file, by, dialect, text, line } of texts)
    for (const [at, each] of text.split('\n').entries()) {
      const name =
        dialect === 'code'
          ? undefined
          : /^\s*(?:\$ )?export\s+([A-Z][A-Z0-9_]{0,40}(?:_KEY|_TOKEN|_SECRET|_PASSWORD|_PAT))=/.exec(
              each,
            )?.[1];
      if (name !== undefined && !publicName.test(name))
        add({ kind: 'secrets', what: name, by, file, line: line + at, text: each, program: undefined });
      if (
        dialect === 'code' &&
        /\bload_dotenv\(|\bdotenv\.config\(|["']dotenv\/config["']/.test(each) &&
        !/^\s*(?:#|\/\/)/.test(each)
      )
        add({
          kind: 'secrets',
          what: '.env and key files',
          by,
          file,
          line: line + at,
          text: each,
          program: undefined,
        });
    }
}
