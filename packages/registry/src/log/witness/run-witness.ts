// `skillwright-registry witness`: cosigns the checkpoints of a log.

import { readFileSync } from 'node:fs';
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
import { Problem } from '../../base/index.ts';
import { cosignCheckpoint, type LogClient, openLogClient, type Watches } from './cosign-checkpoint.ts';

/** The process around the command. */
interface WitnessProcess {
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => Date;
  readonly print: (text: string) => void;
  readonly warn: (text: string) => void;
  /** Waits; false when the process should end. */
  readonly wait: (milliseconds: number) => Promise<boolean>;
}

type WitnessFlags = Readonly<Record<string, string | boolean | undefined>>;

type WitnessOptions = ReturnType<typeof readOptions>;

/** Runs the command and returns the exit code. A fork ends it; an unreachable log does not, unless there is one round. */
export async function runWitness(flags: WitnessFlags, host: WitnessProcess): Promise<number> {
  const options = readOptions(flags);
  try {
    const signer = loadSigner(options, host);
    const log = openLogClient(options.url, { key: parseVerifierKey(options.logKey), fetch: host.fetch });
    const watches: Watches = new Map();
    for (;;) {
      const isDone = await runRound(log, { signer, options, host, watches });
      if (options.isOnce) return isDone ? 0 : 1;
      if (!(await host.wait(options.interval * 1000))) return 0;
    }
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    host.warn(explain(error));
    return 1;
  }
}

/** Problems that may pass by themselves. */
const PASSING = new Set(['E200', 'E215']);

async function runRound(
  log: LogClient,
  {
    signer,
    options,
    host,
    watches,
  }: { signer: LogSigner; options: WitnessOptions; host: WitnessProcess; watches: Watches },
): Promise<boolean> {
  try {
    const { cosigned, notices } = await cosignCheckpoint(log, {
      signer,
      state: options.state,
      watches,
      now: host.now(),
    });
    for (const notice of notices) host.warn(`${notice}\n`);
    if (cosigned === undefined) return false;
    if (options.isPosting) await log.postCosignature(cosigned);
    else host.print(cosigned);
    return true;
  } catch (error) {
    if (options.isOnce || !(error instanceof SkillwrightError) || !PASSING.has(error.code)) throw error;
    host.warn(explain(error));
    return false;
  }
}

function explain(error: SkillwrightError): string {
  return renderDiagnostic(diagnosticOf(error.withHelp(error.nextStep())));
}

function readOptions({
  log: url,
  'log-key': logKey,
  key: keyFile,
  name,
  state,
  interval: seconds = '60',
  post,
  once,
}: WitnessFlags) {
  if (typeof url !== 'string' || typeof logKey !== 'string' || typeof keyFile !== 'string')
    throw new Problem('--log, --log-key and --key are needed. See: skillwright-registry witness --help');
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new Problem(`not an address: ${url}`);
  const interval = Number(seconds);
  if (!(interval >= 1 && interval <= 86_400)) throw new Problem('--interval must be 1 to 86400 seconds');
  return {
    url,
    logKey,
    keyFile,
    interval,
    name: typeof name === 'string' ? name : undefined,
    state: typeof state === 'string' ? state : `${keyFile}.state`,
    isPosting: post === true,
    isOnce: once === true,
  };
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
