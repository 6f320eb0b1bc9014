// `skillwright-registry witness`: cosigns the checkpoints of a log.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  diagnosticOf,
  isMissing,
  readError,
  renderDiagnostic,
  SkillwrightError,
  writeFileAtomic,
} from 'skillwright/base';
import {
  generateLogKey,
  type LogSigner,
  parseSigner,
  parseVerifierKey,
  spellVerifierKey,
} from 'skillwright/transparency-log';
import { cosignCheckpoint } from './cosign-checkpoint.ts';
import { type LogClient, openLogClient } from './log-client.ts';

/** The process around the command. */
export interface WitnessProcess {
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => Date;
  readonly print: (text: string) => void;
  readonly warn: (text: string) => void;
  /** Waits; false when the process should end. */
  readonly wait: (milliseconds: number) => Promise<boolean>;
}

const WITNESS_USAGE = `usage: skillwright-registry witness --log <url> --log-key <key> --key <file> [options]

Check that a registry's log only grows, and cosign its checkpoints.

  --log <url>        address of the log: that of the registry with /log
  --log-key <key>    verifier key of the log, as <url>/key shows it; get it from somebody you trust
  --key <file>       your signing key; made if the file does not exist
  --name <name>      name of a new key, such as witness.example.org/w1
  --state <file>     newest checkpoint you cosigned; by default the key's file with .state
  --post             send the cosignature to the log instead of printing the cosigned checkpoint
  --interval <s>     seconds between two rounds (60)
  --once             one round
`;

interface WitnessOptions {
  readonly url: string;
  readonly logKey: string;
  readonly keyFile: string;
  readonly name: string | undefined;
  readonly state: string;
  readonly isPosting: boolean;
  readonly isOnce: boolean;
  readonly interval: number;
}

/** Runs the command and returns the exit code. A fork ends it; an unreachable log does not, unless there is one round. */
export async function runWitness(args: readonly string[], host: WitnessProcess): Promise<number> {
  const options = readOptions(args);
  if (options === 'help') {
    host.print(WITNESS_USAGE);
    return 0;
  }
  if (typeof options === 'string') {
    host.warn(`${options}\n\n${WITNESS_USAGE}`);
    return 1;
  }
  try {
    const signer = loadSigner(options, host);
    const log = openLogClient(options.url, { key: parseVerifierKey(options.logKey), fetch: host.fetch });
    for (;;) {
      const isDone = await runRound(log, { signer, options, host });
      if (options.isOnce) return isDone ? 0 : 1;
      if (!(await host.wait(options.interval * 1000))) return 0;
    }
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    host.warn(describe(error));
    return 1;
  }
}

/** Problems that may pass by themselves. */
const PASSING = new Set(['E200', 'E215']);

async function runRound(
  log: LogClient,
  { signer, options, host }: { signer: LogSigner; options: WitnessOptions; host: WitnessProcess },
): Promise<boolean> {
  try {
    const { cosigned, notices } = await cosignCheckpoint(log, {
      signer,
      state: options.state,
      now: host.now(),
    });
    for (const notice of notices) host.warn(`${notice}\n`);
    if (cosigned === undefined) return false;
    if (options.isPosting) await log.postCosignature(cosigned);
    else host.print(cosigned);
    return true;
  } catch (error) {
    if (options.isOnce || !(error instanceof SkillwrightError) || !PASSING.has(error.code)) throw error;
    host.warn(describe(error));
    return false;
  }
}

function describe(error: SkillwrightError): string {
  return renderDiagnostic(diagnosticOf(error.withHelp(error.nextStep())));
}

function readOptions(args: readonly string[]): WitnessOptions | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        log: { type: 'string' },
        'log-key': { type: 'string' },
        key: { type: 'string' },
        name: { type: 'string' },
        state: { type: 'string' },
        interval: { type: 'string', default: '60' },
        post: { type: 'boolean', default: false },
        once: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return 'help';
    const { log: url, 'log-key': logKey, key: keyFile } = values;
    if (url === undefined || logKey === undefined || keyFile === undefined) {
      return '--log, --log-key and --key are needed';
    }
    if (!URL.canParse(url) || !/^https?:/.test(url)) return `not an address: ${url}`;
    const interval = Number(values.interval);
    if (!(interval >= 1 && interval <= 86_400)) return '--interval must be 1 to 86400 seconds';
    return {
      url,
      logKey,
      keyFile,
      interval,
      name: values.name,
      state: values.state ?? `${keyFile}.state`,
      isPosting: values.post,
      isOnce: values.once,
    };
  } catch (error) {
    return (error as Error).message;
  }
}

function loadSigner({ keyFile, name }: WitnessOptions, host: WitnessProcess): LogSigner {
  try {
    return parseSigner(readFileSync(keyFile, 'utf8'));
  } catch (error) {
    if (error instanceof SkillwrightError) throw error;
    if (!isMissing(error)) throw readError(keyFile, error);
  }
  if (name === undefined) {
    throw SkillwrightError.of(
      'E015',
      { path: keyFile, why: 'no such file' },
      { help: 'pass --name to make a new key' },
    );
  }
  const { secret, signer } = generateLogKey(name, { kind: 'cosignature' });
  writeFileAtomic(keyFile, `${secret}\n`, { mode: 0o600 });
  host.warn(`made a key; verifier key for the registry's settings: ${spellVerifierKey(signer)}\n`);
  return signer;
}
