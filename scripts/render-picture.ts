// docs/session.svg: a terminal session with skc, recorded by running it.

import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runCli } from '../packages/skillwright/src/front/cli/run-cli.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Commands of the session, typed in a directory with the example skills. */
const lines: readonly (readonly string[])[] = [
  ['lint', 'release-notes'],
  ['build', 'release-notes'],
  ['search', 'release-notes', 'revert', '--limit', '1'],
  ['show', 'release-notes', '--section', 'Reverts'],
  ['stats', '--all'],
];

const COLUMNS = 92;

/** Renders the picture. The same version of skc always renders the same one. */
export async function renderPicture(): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), 'skillwright-picture-'));
  try {
    const [cwd, home] = [join(place, 'demo'), join(place, 'home')];
    cpSync(join(root, 'examples/skills/release-notes'), join(cwd, '.skillc/skills/release-notes'), {
      recursive: true,
    });
    mkdirSync(home);
    let transcript = '';
    for (const words of lines) {
      const typed = words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ');
      const printed = (await run(words, { cwd, home })).replaceAll(home, '~').replaceAll(cwd, '~/demo');
      transcript += `\u001B[36m$\u001B[39m \u001B[1mskc ${typed}\u001B[22m\n${printed.trimEnd()}\n\n`;
    }
    return draw(transcript.trimEnd().split('\n').flatMap(wrap));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function run(
  words: readonly string[],
  { cwd, home }: { readonly cwd: string; readonly home: string },
): Promise<string> {
  let printed = '';
  const stream = {
    write(text: string) {
      // Progress lines are overwritten, so leave them out.
      if (!text.includes('\r')) printed += text;
    },
    isTerminal: true,
    columns: COLUMNS,
  };
  const status = await runCli(words, {
    cwd,
    home,
    env: { SKC_RUN_ID: 'picture' },
    now: () => new Date('2026-01-02T03:04:05Z'),
    launch: undefined,
    stdout: stream,
    stderr: { ...stream, isTerminal: false },
    stdin: () => Readable.from([]) as never,
    isInteractive: false,
    signal: new AbortController().signal,
  });
  if (status !== 0) throw new Error(`skc ${words.join(' ')} failed:\n${printed}`);
  return printed;
}

/** Terminal styles that skc uses, as classes. */
const styles: Readonly<Record<string, string>> = {
  1: 'b',
  2: 'f',
  31: 'r',
  32: 'g',
  33: 'y',
  34: 'u',
  35: 'm',
  36: 'c',
};

const LINE = 20;
const CHARACTER = 8.43;

function draw(rows: readonly string[]): string {
  const longest = Math.max(...rows.map((row) => row.replace(/\u001B\[[\d;]*m/g, '').length));
  const width = Math.ceil(longest * CHARACTER) + 40;
  const height = rows.length * LINE + 68;
  const texts = rows.map(
    (row, index) => `<text x="20" y="${62 + index * LINE}" xml:space="preserve">${paintRow(row)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A session with skc">
<!-- Written by \`npm run docs\` from a real session. -->
<style>
  text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; }
  .b { font-weight: 600; }
  ${colours(light)}
  @media (prefers-color-scheme: dark) { ${colours(dark)} }
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>
<circle cx="24" cy="22" r="6" fill="#ff5f57"/><circle cx="44" cy="22" r="6" fill="#febc2e"/><circle cx="64" cy="22" r="6" fill="#28c840"/>
${texts.join('\n')}
</svg>
`;
}

/** Colours by class; `back`, `edge` and `text` belong to the window. */
type Palette = Readonly<Record<'back' | 'edge' | 'text' | 'f' | 'r' | 'g' | 'y' | 'u' | 'm' | 'c', string>>;

const light: Palette = {
  back: '#fbfbfa',
  edge: '#d8dee4',
  text: '#24292f',
  f: '#6e7781',
  r: '#cf222e',
  g: '#116329',
  y: '#7d4e00',
  u: '#0550ae',
  m: '#0550ae',
  c: '#1b7c83',
};

const dark: Palette = {
  back: '#161b22',
  edge: '#30363d',
  text: '#e6edf3',
  f: '#8b949e',
  r: '#ff7b72',
  g: '#7ee787',
  y: '#e3b341',
  u: '#79c0ff',
  m: '#79c0ff',
  c: '#76e3ea',
};

/** Style rules without variables, which some SVG renderers do not support. */
function colours({ back, edge, text, ...classes }: Palette): string {
  const rules = Object.entries(classes).map(([name, colour]) => `.${name} { fill: ${colour}; }`);
  return `rect { fill: ${back}; stroke: ${edge}; } text { fill: ${text}; } ${rules.join(' ')}`;
}

/** Breaks a line at the last space before the edge. Styles have no width. */
function wrap(row: string): string[] {
  const rows = [''];
  let width = 0;
  for (const word of row.split(/(?<=\S )(?=\S)/)) {
    const length = word.replace(/\u001B\[[\d;]*m/g, '').length;
    if (width + length > COLUMNS + 1) {
      rows.push('');
      width = 0;
    }
    rows[rows.length - 1] += word;
    width += length;
  }
  return rows;
}

/** A line with its styles as spans. */
function paintRow(row: string): string {
  let active = new Set<string>();
  return row
    .split(/(\u001B\[[\d;]*m)/)
    .map((part) => {
      const codes = /^\u001B\[([\d;]*)m$/.exec(part)?.[1];
      if (codes === undefined) {
        if (part === '') return '';
        const text = escapeText(part);
        return active.size === 0 ? text : `<tspan class="${[...active].join(' ')}">${text}</tspan>`;
      }
      for (const code of codes.split(';')) active = change(active, Number(code || 0));
      return '';
    })
    .join('');
}

function change(active: ReadonlySet<string>, code: number): Set<string> {
  const next = new Set(active);
  if (code === 0) next.clear();
  else if (code === 22) for (const name of ['b', 'f']) next.delete(name);
  else if (code === 39) for (const name of ['r', 'g', 'y', 'u', 'm', 'c']) next.delete(name);
  else if (styles[code] !== undefined) next.add(styles[code]);
  return next;
}

const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
