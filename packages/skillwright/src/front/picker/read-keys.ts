// Bytes from a terminal as keys. A sequence or a character may be split among chunks. `emitKeypressEvents` of
// node:readline does not serve: it types the rest of a mouse report, and loses Ctrl-C after Escape.

/** The keys that have a name. */
export type KeyName =
  | 'up'
  | 'down'
  | 'page-up'
  | 'page-down'
  | 'home'
  | 'end'
  | 'enter'
  | 'alt-enter'
  | 'escape'
  | 'tab'
  | 'back-tab'
  | 'backspace'
  | 'space'
  | 'ctrl-c'
  | 'ctrl-o'
  | 'ctrl-t'
  | 'ctrl-u'
  | 'ctrl-w';

/** One key, typed characters other than spaces, or what was pasted. */
export type Key =
  | { readonly kind: 'key'; readonly name: KeyName }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string };

/** Reads one terminal's input. */
export interface KeyReader {
  /** The keys that these bytes complete. */
  read(bytes: Uint8Array): Key[];
  /** True while the last byte may be the Escape key or the beginning of something longer. */
  readonly isWaiting: boolean;
  /** What the beginning was, when nothing follows. */
  flush(): Key[];
}

const ESC = '\u001b';
const PASTE_START = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;
const MAX_PASTE = 64 * 1024;

const controls: Readonly<Record<string, KeyName>> = {
  '\u0003': 'ctrl-c',
  '\u0008': 'backspace',
  '\t': 'tab',
  '\n': 'enter',
  '\r': 'enter',
  '\u000e': 'down',
  '\u000f': 'ctrl-o',
  '\u0010': 'up',
  '\u0014': 'ctrl-t',
  '\u0015': 'ctrl-u',
  '\u0017': 'ctrl-w',
  ' ': 'space',
  '\u007f': 'backspace',
};

/** By the end of the sequence: its letter, or its number and `~`. Modifiers make no difference. */
const sequences: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  F: 'end',
  H: 'home',
  Z: 'back-tab',
  '1~': 'home',
  '4~': 'end',
  '5~': 'page-up',
  '6~': 'page-down',
  '7~': 'home',
  '8~': 'end',
};

/** A reader at the beginning of the input. */
export function createKeyReader(): KeyReader {
  const decoder = new TextDecoder();
  let rest = '';
  let paste: string | undefined;

  /** Takes one key off the beginning; undefined when there is not enough of it yet. */
  const take = (): Key[] | undefined => {
    if (paste !== undefined) return takePaste();
    if (rest.startsWith(ESC)) return takeSequence();
    const text = /^[^\p{Cc} ]+/u.exec(rest)?.[0];
    if (text !== undefined) {
      rest = rest.slice(text.length);
      return [{ kind: 'text', text }];
    }
    const name = controls[rest[0]!];
    rest = rest.slice(1);
    return name === undefined ? [] : [{ kind: 'key', name }];
  };

  const takePaste = (): Key[] | undefined => {
    paste += rest;
    const end = paste!.indexOf(PASTE_END);
    // Ctrl-C leaves even where the end of a paste was lost.
    const stop = paste!.indexOf('\u0003');
    const pasted = paste!;
    rest = '';
    if (stop !== -1 && (end === -1 || stop < end)) {
      paste = undefined;
      rest = pasted.slice(stop);
      return [];
    }
    if (end === -1) {
      if (pasted.length > MAX_PASTE) paste = pasted.slice(-PASTE_END.length);
      return undefined;
    }
    paste = undefined;
    rest = pasted.slice(end + PASTE_END.length);
    return [{ kind: 'paste', text: pasted.slice(0, end) }];
  };

  const takeSequence = (): Key[] | undefined => {
    if (rest.startsWith(PASTE_START)) {
      paste = '';
      rest = rest.slice(PASTE_START.length);
      return [];
    }
    // What the Linux console sends for F1 to F5 has an end of its own.
    const whole = /^\u001b(?:\[\[[A-E]|\[([0-?]*)[ -/]*([@-Z\\-~])|O([ -~]))/.exec(rest);
    if (whole !== null) {
      rest = rest.slice(whole[0].length);
      const [, numbers = '', letter = '', single] = whole;
      const name = sequences[single ?? (letter === '~' ? `${numbers.split(';')[0]}~` : letter)];
      return name === undefined ? [] : [{ kind: 'key', name }];
    }
    if (/^\u001b(?:\[\[?[0-?]*[ -/]*|O)?$/.test(rest)) return undefined;
    const isAlone = rest[1] === ESC || rest[1] === '\u0003' || rest[1] === '[' || rest[1] === 'O';
    if (isAlone) {
      rest = rest.slice(1);
      return [{ kind: 'key', name: 'escape' }];
    }
    const next = String.fromCodePoint(rest.codePointAt(1)!);
    rest = rest.slice(1 + next.length);
    // Alt and a letter mean nothing here.
    return next === '\r' || next === '\n' ? [{ kind: 'key', name: 'alt-enter' }] : [];
  };

  const takeAll = (): Key[] => {
    const keys: Key[] = [];
    while (rest !== '') {
      const taken = take();
      if (taken === undefined) break;
      keys.push(...taken);
    }
    return keys;
  };

  return {
    read(bytes) {
      rest += decoder.decode(bytes, { stream: true });
      return takeAll();
    },
    get isWaiting() {
      return paste === undefined && rest !== '';
    },
    flush() {
      const isEscape = rest === ESC;
      // A sequence that was begun and never ended is nothing anybody typed.
      rest = '';
      return isEscape ? [{ kind: 'key', name: 'escape' }] : [];
    },
  };
}
