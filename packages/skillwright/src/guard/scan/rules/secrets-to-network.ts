// SCN301: what is secret is read, and something is sent, by the same script or command.

import { lineAround } from '../line-around.ts';
import type { Match } from '../match.ts';
import { defineProbe, type Probe } from '../probe.ts';
import { dropSites, networkSends, numericHosts, tellingHosts } from '../probes/network-sinks.ts';
import {
  credentialFiles,
  dotEnvFiles,
  foreignKeys,
  machineFacts,
  personalStores,
  surveillance,
  tokenCommands,
  wholeEnvironment,
} from '../probes/secret-sources.ts';
import type { ScanFile } from '../scan-file.ts';
import { defineScanRule, type RuleHit } from '../scan-rule.ts';
import type { ScanSubject } from '../scan-subject.ts';

const sources: readonly { probe: Probe; what: string; strength: number }[] = [
  { probe: personalStores, what: 'stores of browsers, key chains or wallets', strength: 3 },
  { probe: credentialFiles, what: 'credential files', strength: 3 },
  { probe: wholeEnvironment, what: 'the whole environment', strength: 2 },
  { probe: tokenCommands, what: 'tokens of other programs', strength: 2 },
  { probe: surveillance, what: 'keys, screen or clipboard', strength: 2 },
  { probe: dotEnvFiles, what: 'files of secrets', strength: 1 },
  { probe: machineFacts, what: 'facts about the machine', strength: 0 },
];

const single = defineProbe(
  /(?:environ(?:\.get\(|\[)|getenv\(|process\.env[.[])["']?[A-Z0-9_]{0,30}_(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)/g,
);

/** A use of a key file that reads nothing out of it. */
const plainUse =
  /(?<![.\w/"'])(?:ssh|scp|sftp|rsync|ssh-add|ssh-keygen|ssh-copy-id|ssh-keyscan|chmod|chown|mkdir|touch|ls)\s|\b(?:GIT_SSH_COMMAND|IdentityFile|KUBECONFIG|AWS_SHARED_\w{1,30})\b|--kubeconfig|known_hosts|\b(?:print|echo|console\.log|logger\.\w{4,8}|description|help)\b\s{0,2}[("'=:]/i;

/** Reports scripts that can send secrets away, and commands that do. */
export const secretsToNetwork = defineScanRule({
  id: 'SCN301',
  name: 'secrets-to-network',
  category: 'exfiltration',
  severity: 'critical',
  summary: 'The same script or command reads secrets of the user and sends something over the network.',
  reason: 'Keys, cookies and wallets that leave the machine are lost, and so is everything they open.',
  help: 'Do not run it. If it ran, change the keys and passwords that it could read.',
  probes: [
    ...sources.map(({ probe }) => probe),
    single,
    foreignKeys,
    networkSends,
    dropSites,
    numericHosts,
    tellingHosts,
  ],
  *check(subject) {
    for (const file of subject.files) {
      const sends = subject.matchesIn(file, networkSends);
      if (sends.length === 0) continue;
      const places = [dropSites, numericHosts, tellingHosts].flatMap((probe) =>
        subject.matchesIn(file, probe),
      );
      if (file.kind === 'script' || file.kind === 'config')
        yield* judgeScript(subject, { file, sends, places });
      else yield* judgeInstructions(subject, { file, sends, places });
    }
  },
});

interface Parts {
  readonly file: ScanFile;
  readonly sends: readonly Match[];
  readonly places: readonly Match[];
}

const lineOf = ({ layer, index }: Match): string =>
  lineAround(layer.text, index, { before: 300, after: 300 });

const isDone = (match: Match): boolean => match.zone !== 'comment' && !plainUse.test(lineOf(match));

function* judgeScript(subject: ScanSubject, { file, sends, places }: Parts): Generator<RuleHit> {
  const sending = sends.filter((match) => match.zone !== 'comment');
  const doubtful = places.filter((match) => match.zone !== 'comment');
  if (sending.length === 0) return;
  for (const { probe, what, strength } of sources) {
    const reads = subject
      .matchesIn(file, probe)
      .filter((match) => (strength === 3 ? isDone(match) : match.zone !== 'comment'));
    const [read] = reads;
    if (read === undefined) continue;
    const weight = Math.min(
      Math.max(...reads.map((match) => subject.weigh(match))),
      Math.max(...sending.map((match) => subject.weigh(match))),
    );
    const message = `reads ${what}, and sends something`;
    if (doubtful.length > 0 && strength > 0) {
      yield {
        message: `reads ${what}, and sends something to a doubtful address`,
        match: read,
        confidence: weight,
      };
      return;
    }
    if (strength === 3) yield { message, match: read, severity: 'high', confidence: weight };
    else if (strength === 2)
      yield {
        message,
        match: read,
        severity: 'high',
        confidence: near(reads, sending) ? weight * 0.95 : weight * 0.5,
      };
    else if (doubtful.length > 0)
      yield {
        message: `reads ${what}, and sends something to a doubtful address`,
        match: read,
        severity: 'high',
        confidence: weight,
      };
    else if (strength === 1 && near(reads, sending))
      yield { message, match: read, severity: 'medium', confidence: weight };
    else continue;
    return;
  }
  const keys = new Set(
    subject
      .matchesIn(file, foreignKeys)
      .filter((match) => match.zone !== 'comment')
      .map(({ text }) => text),
  );
  const [first] = subject.matchesIn(file, foreignKeys);
  if (first !== undefined && keys.size >= 3 && doubtful.length === 0)
    yield {
      message: `reads keys of ${keys.size} services, and sends something`,
      match: first,
      severity: 'medium',
      confidence: subject.weigh(first),
    };
  const facts = subject.matchesIn(file, machineFacts).filter((match) => match.zone !== 'comment');
  if (new Set(facts.map(({ text }) => text)).size >= 2 && near(facts, sending))
    yield {
      message: 'gathers facts about the machine, and sends something',
      match: facts[0]!,
      severity: 'medium',
      confidence: subject.weigh(facts[0]!) * 0.6,
    };
  const [key] = subject.matchesIn(file, single).filter((match) => match.zone !== 'comment');
  const service = /discord|telegram|slack|ngrok/i.exec(doubtful[0]?.text ?? '')?.[0];
  const own = service !== undefined && new RegExp(service, 'i').test(`${key?.text} ${subject.topic}`);
  if (key !== undefined && doubtful.length > 0 && !own)
    yield {
      message: 'reads a key, and sends something to a doubtful address',
      match: key,
      severity: 'high',
      confidence: subject.weigh(key),
    };
}

/** Whether something is read and sent within a few lines. */
const near = (reads: readonly Match[], sends: readonly Match[]): boolean =>
  reads.some((read) => sends.some((send) => Math.abs(send.line - read.line) <= 15));

const textBetween = (a: Match, b: Match): string =>
  a.layer.text.slice(Math.min(a.index, b.index), Math.max(a.index, b.index));

/** In instructions only one command, or the few lines of one step, tell that what is read is what is sent. */
function* judgeInstructions(subject: ScanSubject, { file, sends }: Parts): Generator<RuleHit> {
  for (const { probe, what, strength } of sources) {
    for (const read of subject.matchesIn(file, probe)) {
      const send = sends.find(
        (match) =>
          match.layer === read.layer &&
          Math.abs(match.line - read.line) <= (match.line === read.line ? 0 : 3),
      );
      if (send === undefined) continue;
      const sameLine = send.line === read.line;
      // Two pieces of code in one sentence are two things, not one command.
      if (sameLine && read.zone === 'inline' && textBetween(read, send).includes('`')) continue;
      if (strength < 1 && (!sameLine || !/\$\(|`\w/.test(lineOf(read)))) continue;
      if (!sameLine && (plainUse.test(lineOf(read)) || read.zone === 'prose' || send.zone !== read.zone))
        continue;
      const weight = Math.min(subject.weigh(read), subject.weigh(send));
      yield {
        message: `reads and sends ${what}`,
        match: read,
        severity: strength < 1 ? 'medium' : sameLine && strength > 1 ? 'critical' : 'high',
        confidence: sameLine ? weight : weight * 0.6,
      };
      return;
    }
  }
}
