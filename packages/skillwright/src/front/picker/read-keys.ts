// Turns bytes from a terminal into keys. Chunks may split a sequence or a character. `emitKeypressEvents` of
// node:readline is not enough: it types the rest of a mouse report, and loses Ctrl-C after Escape.

/** A key, typed characters other than spaces, or pasted text. */
export type Key =
  | { readonly kind: 'key'; readonly name: KeyName }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string };

/** Reads the input of one terminal. */
interface KeyReader {
  /** Keys completed by these bytes. */
  read(bytes: Uint8Array): Key[];
  /** True while the last byte may be the Escape key or the start of a sequence. */
  readonly isWaiting: boolean;
  /** The key for an unfinished sequence when nothing follows. */
  flush(): Key[];
}

const ESC = '\u001b';
const PASTE_START = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;
const MAX_PASTE = 64 * 1024;

const controls = {
  '\u0003': 'ctrl-c',
  '\u0004': 'ctrl-d',
  '\u0008': 'backspace',
  '\t': 'tab',
  '\n': 'enter',
  '\r': 'enter',
  '\u000e': 'down',
  '\u000f': 'ctrl-o',
  '\u0010': 'up',
  '\u0014': 'ctrl-t',
  '\u0015': 'delete-line',
  '\u0017': 'delete-word',
  '\u001a': 'ctrl-z',
  ' ': 'space',
  '\u007f': 'backspace',
} as const;

/** Keys after Escape, which terminals send for Alt. */
const alternates = {
  '\r': 'alt-enter',
  '\n': 'alt-enter',
  '\u0008': 'delete-word',
  '\u007f': 'delete-word',
} as const;

/** Keys by the end of the sequence: its letter, or its number and `~`. */
const sequences = {
  A: 'up',
  B: 'down',
  F: 'last',
  H: 'first',
  P: 'help',
  Z: 'back-tab',
  '1~': 'first',
  '4~': 'last',
  '5~': 'page-up',
  '6~': 'page-down',
  '7~': 'first',
  '8~': 'last',
  '11~': 'help',
} as const;

type Values<Table> = Table extends Table ? Table[keyof Table] : never;

/** Named keys. */
export type KeyName = Values<typeof controls | typeof alternates | typeof sequences> | 'escape';

/** The key that a table has for a code. */
const keyIn = (table: Readonly<Record<string, KeyName>>, code: string): KeyName | undefined =>
  Object.hasOwn(table, code) ? table[code] : undefined;

/** The key of a complete sequence, with Shift, Alt or Ctrl or without; undefined for one that is not used here. */
const readSequence = (numbers: string, letter: string): KeyName | undefined =>
  keyIn(sequences, letter === '~' ? `${numbers.split(';')[0]}~` : letter);

/** Creates a reader at the start of the input. */
export function createKeyReader(): KeyReader {
  const decoder = new TextDecoder();
  let rest = '';
  let paste: string | undefined;

  /** Takes one key from the start of the input; undefined when it is incomplete. */
  const take = (): Key[] | undefined => {
    if (paste !== undefined) return takePaste();
    if (rest.startsWith(ESC)) return takeSequence();
    const text = /^[^\p{Cc} ]+/u.exec(rest)?.[0];
    if (text !== undefined) {
      rest = rest.slice(text.length);
      return [{ kind: 'text', text }];
    }
    const name = keyIn(controls, rest[0]!);
    rest = rest.slice(1);
    return name === undefined ? [] : [{ kind: 'key', name }];
  };

  const takePaste = (): Key[] | undefined => {
    paste += rest;
    const end = paste!.indexOf(PASTE_END);
    // Ctrl-C leaves even if the end of a paste was lost.
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
    // The Linux console ends F1 to F5 differently.
    const whole = /^\u001b(?:\[\[([A-E])|\[([0-?]*)[ -/]*([@-Z\\-~])|O([ -~]))/.exec(rest);
    if (whole !== null) {
      rest = rest.slice(whole[0].length);
      const [, linux, numbers = '', letter = '', single] = whole;
      if (linux !== undefined) return linux === 'A' ? [{ kind: 'key', name: 'help' }] : [];
      const name = readSequence(numbers, single ?? letter);
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
    const name = keyIn(alternates, next);
    return name === undefined ? [] : [{ kind: 'key', name }];
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
      // Discard an unfinished sequence: nobody typed it.
      rest = '';
      return isEscape ? [{ kind: 'key', name: 'escape' }] : [];
    },
  };
}
