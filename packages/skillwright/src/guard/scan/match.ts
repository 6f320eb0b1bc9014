// A place in a file where a probe matched.

import type { Layer, ScanFile, Zone } from './scan-file.ts';

/** Where in a text a probe matched. */
export interface ProbeMatch {
  readonly index: number;
  readonly text: string;
  readonly groups: readonly (string | undefined)[];
}

/** One place. */
export class Match {
  readonly file: ScanFile;
  readonly layer: Layer;
  readonly index: number;
  readonly text: string;
  readonly groups: readonly (string | undefined)[];
  readonly line: number;
  #zone: Zone | undefined;

  constructor(place: { file: ScanFile; layer: Layer }, { index, text, groups }: ProbeMatch) {
    this.file = place.file;
    this.layer = place.layer;
    this.index = index;
    this.text = text;
    this.groups = groups;
    this.line = place.layer.lineAt(index);
  }

  /** Computed on demand: it needs to parse the whole file. */
  get zone(): Zone {
    this.#zone ??=
      this.layer.via === undefined
        ? this.file.zoneAt(this.index)
        : this.file.kind === 'instructions'
          ? 'prose'
          : 'code';
    return this.#zone;
  }

  /** Whether it is in a comment of a program. */
  get isRemark(): boolean {
    return this.file.kind === 'script' && this.zone === 'comment';
  }

  /** Whether it is in instructions, outside code blocks. */
  get isSaid(): boolean {
    return this.file.kind === 'instructions' && this.zone !== 'code' && this.zone !== 'shell';
  }

  /** Whether a reader of the page does not see it: a comment, or decoded text. */
  get isUnseen(): boolean {
    return this.zone === 'comment' || this.layer.via !== undefined;
  }

  /** Whether it is a sentence in plain sight: not a command, nothing hidden. */
  get isProse(): boolean {
    return (
      this.isSaid && (this.zone === 'prose' || this.zone === 'frontmatter') && this.layer.via === undefined
    );
  }

  /** The match with the given number of characters before and after it. */
  around(before: number, after: number): string {
    return this.layer.text.slice(Math.max(0, this.index - before), this.index + this.text.length + after);
  }
}
