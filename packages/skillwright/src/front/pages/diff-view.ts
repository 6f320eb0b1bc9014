// The difference between two versions, file by file.

import { badge, type Tone } from './badge.ts';
import { showControls } from './foreign.ts';
import { type Html, html } from './html.ts';
import { formatCount, plural } from './numbers.ts';

/** One changed file. */
export interface DiffFile {
  readonly path: string;
  readonly status: 'added' | 'deleted' | 'changed';
  /** A unified diff; null for a file that is not text. */
  readonly diff: string | null;
}

/** Lines shown of one file. */
const MAX_DIFF_LINES = 2000;

const tones: Readonly<Record<DiffFile['status'], Tone>> = {
  added: 'good',
  deleted: 'bad',
  changed: 'neutral',
};

/** All changed files, each in a part that can be folded. */
export function diffView(files: readonly DiffFile[]): Html {
  return html`<div class="diff">${files.map(oneFile)}</div>`;
}

function oneFile({ path, status, diff }: DiffFile, at: number): Html {
  const lines =
    diff === null
      ? []
      : diff
          .replace(/\n$/, '')
          .split('\n')
          .filter((line) => !/^(?:---|\+\+\+) /.test(line));
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  const [added, removed] = [count('+'), count('-')];
  const changes =
    diff === null
      ? ''
      : html`<span class="diff-count"><ins>+${formatCount(added)}<span class="unseen"> lines added</span></ins> <del>−${formatCount(removed)}<span class="unseen"> lines removed</span></del></span>`;
  const rest = lines.length - MAX_DIFF_LINES;
  const body =
    diff === null
      ? html`<p class="muted pad">Not a text file.</p>`
      : html`<pre class="diff-text" tabindex="0" role="region" aria-label="Changes of ${path}">${lines.slice(0, MAX_DIFF_LINES).map(diffLine)}</pre>${
          rest > 0 ? html`<p class="muted pad">${plural(rest, 'more line')} not shown.</p>` : ''
        }`;
  return html`<details class="diff-file"${at < 20 ? html` open` : ''}><summary><code><bdi>${path}</bdi></code> ${badge(status, { tone: tones[status] })} ${changes}</summary>${body}</details>`;
}

function diffLine(line: string): Html {
  if (line.startsWith('@@')) return html`<span class="hunk">${line}\n</span>`;
  if (line.startsWith('+')) return html`<ins>${showControls(line)}\n</ins>`;
  if (line.startsWith('-')) return html`<del>${showControls(line)}\n</del>`;
  return html`<span>${showControls(line)}\n</span>`;
}
