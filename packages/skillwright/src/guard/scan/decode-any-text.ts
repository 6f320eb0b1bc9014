// Decodes bytes as text, judged by name or content: a NUL byte hides a script from readers, but not from a shell.

import { decodeText } from '../../base/files/index.ts';
import { fileKind } from './file-kind.ts';

/** The text of a file; undefined if it is not text. Drops NUL bytes, as a shell does. */
export function decodeAnyText(bytes: Buffer, path: string): { text: string; hasNul: boolean } | undefined {
  const wide = wideText(bytes);
  if (wide !== undefined) return { text: wide, hasNul: false };
  const { text, binary } = decodeText(bytes);
  const hasNul = binary || text.includes('\0');
  if (!hasNul) return { text, hasNul: false };
  const isNamed = fileKind(path, text) !== 'text';
  if (!isNamed && !isMostlyText(bytes)) return undefined;
  return { text: text.replaceAll('\0', ''), hasNul: true };
}

/** Text in UTF-16, with or without a byte order mark: PowerShell writes it. */
function wideText(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le');
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return Buffer.from(even).swap16().toString('utf16le');
  const head = bytes.subarray(0, 400);
  if (head.length < 8) return undefined;
  let low = 0;
  let high = 0;
  for (let at = 0; at + 1 < head.length; at += 2) {
    if (head[at] === 0) low++;
    if (head[at + 1] === 0) high++;
  }
  const pairs = head.length / 2;
  if (high > pairs * 0.8 && low < pairs * 0.1) return bytes.toString('utf16le');
  return low > pairs * 0.8 && high < pairs * 0.1 ? Buffer.from(even).swap16().toString('utf16le') : undefined;
}

/** Whether nearly all of the first bytes are characters a person could have typed. */
function isMostlyText(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 4096);
  let plain = 0;
  for (const byte of head)
    if ((byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13) plain++;
  return plain >= head.length * 0.85;
}

/** Kind of a non-text file. `inert`: images, audio and documents, which nothing runs. */
type BinaryKind =
  | { readonly kind: 'program' | 'inert'; readonly what: string }
  | { readonly kind: 'unknown' };

const inert: readonly (readonly [magic: string, what: string])[] = [
  ['\x89PNG', 'a picture'],
  ['\xff\xd8\xff', 'a picture'],
  ['GIF8', 'a picture'],
  ['BM', 'a picture'],
  ['\x00\x00\x01\x00', 'a picture'],
  ['II*\x00', 'a picture'],
  ['MM\x00*', 'a picture'],
  ['RIFF', 'audio, an image or a video'],
  ['%PDF-', 'a document'],
  ['\x00\x01\x00\x00', 'a font'],
  ['OTTO', 'a font'],
  ['wOFF', 'a font'],
  ['wOF2', 'a font'],
  ['OggS', 'sound'],
  ['ID3', 'sound'],
  ['fLaC', 'sound'],
  ['\xff\xfb', 'sound'],
  ['SQLite format 3\x00', 'a database'],
  ['\xd0\xcf\x11\xe0', 'a document'],
];

/** Recognises programs and inert files by their first bytes. */
export function describeBinary(bytes: Buffer, path: string): BinaryKind {
  const program = programKind(bytes, path);
  if (program !== undefined) return { kind: 'program', what: program };
  const head = bytes.subarray(0, 16).toString('latin1');
  const known = inert.find(([magic]) => head.startsWith(magic));
  // Only for bytes that are not readable as text: a script may start with any letters.
  if (known !== undefined && bytes.subarray(0, 1024).includes(0) && fileKind(path, '') === 'text')
    return { kind: 'inert', what: known[1] };
  if (/\.(?:mp4|m4[av]|mov|webm|avif|onnx|safetensors|gguf|npy|npz|parquet|h5|glb|blend)$/i.test(path))
    return { kind: 'inert', what: 'not text' };
  // Office documents are archives too; those with macros end in m.
  if (head.startsWith('PK') && /\.(?:docx|xlsx|pptx|odt|ods|odp|epub|dotx|xltx|potx)$/i.test(path))
    return bytes.includes('vbaProject.bin')
      ? { kind: 'program', what: 'an office document with macros' }
      : { kind: 'inert', what: 'a document' };
  return { kind: 'unknown' };
}

function programKind(bytes: Buffer, path: string): string | undefined {
  if (bytes.length < 4) return undefined;
  const magic = bytes.readUInt32BE(0);
  if (magic === 0x7f454c46) return 'a compiled program for Linux';
  if (magic >>> 16 === 0x4d5a && bytes.subarray(0, 1024).includes(0)) return 'a compiled program for Windows';
  if ([0xfeedface, 0xfeedfacf, 0xcffaedfe, 0xcefaedfe].includes(magic)) return 'a compiled program for macOS';
  if (magic === 0xcafebabe) return 'a compiled program for macOS or Java';
  if (magic === 0x0061736d) return 'a compiled program for WebAssembly';
  if (bytes[2] === 0x0d && bytes[3] === 0x0a && /\.py[co]$/i.test(path))
    return 'a compiled program for Python';
  return undefined;
}
