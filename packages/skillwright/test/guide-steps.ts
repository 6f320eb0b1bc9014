// Runs the console blocks of a page and compares the transcript with the page.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { skc } from './run-in-process.ts';

/** Directories the steps of a page run in. */
export interface GuideWorld {
  /** Shown as `~/demo`. */
  readonly cwd: string;
  /** Shown as `~`. */
  readonly home: string;
  /** The page's placeholder for a value that differs in each run, such as an address. */
  readonly names?: Readonly<Record<string, string>>;
}

/**
 * Runs the console blocks of a page and returns the page as it should be. `skc` runs in this process, everything else in a
 * shell; `cat` of a missing file creates it from the text shown. Standard error comes first. `…` matches any text in a
 * line, and on a line of its own any lines.
 */
export async function replayPage(page: string, world: GuideWorld): Promise<string> {
  const parts = page.split(/(?<=^```console\n)|(?=^```$)/m);
  for (const [index, part] of parts.entries())
    if (parts[index - 1]?.endsWith('```console\n')) parts[index] = await replayBlock(part, world);
  return parts.join('');
}

async function replayBlock(block: string, world: GuideWorld): Promise<string> {
  let transcript = '';
  for (const step of block.split(/^\$ /m).slice(1)) {
    const [line, shown] = [step.slice(0, step.indexOf('\n')), step.slice(step.indexOf('\n') + 1)];
    const said = await replayStep(line, shown, world);
    transcript += `$ ${line}\n${isCutFrom(said, shown) ? shown : said}`;
  }
  return transcript;
}

/** Whether a text matches the page, where `…` matches anything. */
export function isCutFrom(whole: string, shown: string): boolean {
  const pattern = shown
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(/^…\n/gm, '(?:.*\n)+')
    .replace(/…/g, '.*');
  return new RegExp(`^${pattern}$`).test(whole);
}

async function replayStep(line: string, shown: string, world: GuideWorld): Promise<string> {
  const { cwd, home, names = {} } = world;
  const written = /^cat (\S+)$/.exec(line)?.[1];
  if (written !== undefined) {
    const file = written.startsWith('~/') ? join(home, written.slice(2)) : join(cwd, written);
    if (existsSync(file)) return readFileSync(file, 'utf8');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, shown);
    return shown;
  }
  const meant = Object.entries(names).reduce((text, [name, real]) => text.replaceAll(name, real), line);
  const { printed, words, session } = runInShell(meant, world);
  if (words === undefined) return printed;
  // Readers have skc on their PATH.
  const PATH = `${join(home, 'bin')}:${process.env.PATH ?? ''}`;
  const env = { PATH, ...(session === '' ? {} : { SKC_SESSION: session }) };
  const { stdout, stderr } = await skc(words, { cwd, home, env });
  const said = `${stderr}${stdout}`.replaceAll('<cwd>', '~/demo').replaceAll('<home>', '~');
  return Object.entries(names)
    .reduce((text, [name, real]) => text.replaceAll(real, name), said)
    .replace(/"durationMs": \d+/g, '"durationMs": 40');
}

/** Runs a line in a shell, which splits it into words; a call of `skc` is returned instead of started. */
function runInShell(
  line: string,
  { cwd, home }: GuideWorld,
): { printed: string; words: string[] | undefined; session: string } {
  const script = `skc() { printf '%s\\0' "\${SKC_SESSION-}" "$@" >&3; }\n${line}`;
  const { status, stdout, output } = spawnSync('bash', ['-c', script], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`'${line}' ended with status ${status}`);
  const [session = '', ...words] = (output[3] ?? '').split('\0').slice(0, -1);
  return { printed: stdout, words: output[3] === '' ? undefined : words, session };
}
