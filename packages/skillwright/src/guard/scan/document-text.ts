// Text inside pictures and documents: an agent reads it, so orders may be in it.

import { inflateSync } from 'node:zlib';
import { orUndefined } from '../../base/diagnostics/index.ts';

/** The text that could be read, and whether that is all. */
interface DocumentText {
  readonly text: string;
  readonly isWhole: boolean;
}

const MAX_STREAM = 2 * 1024 * 1024;
const MAX_TOTAL = 4 * 1024 * 1024;

/** The text in a PNG picture or a PDF document; undefined for any other file. */
export function documentText(bytes: Buffer): DocumentText | undefined {
  const head = bytes.toString('latin1', 0, 8);
  if (head.startsWith('\x89PNG')) return pictureText(bytes);
  return head.startsWith('%PDF-') ? pdfText(bytes) : undefined;
}

/** The text chunks of a PNG: plain, compressed and international. */
function pictureText(bytes: Buffer): DocumentText {
  const parts: string[] = [];
  let isWhole = true;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const data = bytes.subarray(at + 8, at + 8 + length);
    at += 12 + length;
    if (!/^(?:tEXt|zTXt|iTXt)$/.test(type)) continue;
    const end = data.indexOf(0);
    if (type === 'tEXt') parts.push(data.toString('latin1', end + 1));
    else {
      const isPacked = type === 'zTXt' || data[end + 1] === 1;
      // After the keyword: method, and for iTXt also a flag, a language and a translated keyword.
      let start = end + 2;
      if (type === 'iTXt') start = data.indexOf(0, data.indexOf(0, end + 3) + 1) + 1;
      const text = isPacked ? inflated(data.subarray(start)) : data.subarray(start);
      if (text === undefined) isWhole = false;
      else parts.push(text.toString('utf8'));
    }
  }
  return { text: parts.join('\n'), isWhole };
}

/** The strings that a PDF shows. */
function pdfText(bytes: Buffer): DocumentText {
  const source = bytes.toString('latin1');
  const parts: string[] = [];
  let isWhole = !/\/Encrypt\b/.test(source);
  let size = 0;
  for (const match of source.matchAll(/stream\r?\n/g)) {
    const start = match.index + match[0].length;
    const end = source.indexOf('endstream', start);
    if (end < 0 || source.startsWith('end', match.index - 3)) continue;
    const header = source.slice(Math.max(0, match.index - 400), match.index);
    const filters = header.slice(header.lastIndexOf(' obj'));
    if (/\/(?:Image|FontFile|XRef|ICCBased|Metadata)\b|\/Length1\b|\/DCTDecode|\/JPXDecode/.test(filters))
      continue;
    const raw = bytes.subarray(start, end);
    const isPacked = /\/FlateDecode/.test(filters);
    const content = isPacked ? inflated(raw) : raw;
    if (content === undefined || (!isPacked && /\/Filter/.test(filters))) {
      isWhole = false;
      continue;
    }
    size += content.length;
    if (size > MAX_TOTAL) {
      isWhole = false;
      break;
    }
    const shown = shownText(content.toString('latin1'));
    if (shown === undefined) isWhole = false;
    else if (shown !== '') parts.push(shown);
  }
  return { text: parts.join('\n'), isWhole };
}

/** The texts between BT and ET; undefined when they are numbers of glyphs that only the font can read. */
function shownText(content: string): string | undefined {
  if (!/\bBT\b/.test(content)) return '';
  const lines: string[] = [];
  for (const block of content.matchAll(/\bBT\b([\s\S]*?)\bET\b/g)) {
    let line = '';
    for (const [token, string, hex] of block[1]!.matchAll(
      /\(((?:[^()\\]|\\[\s\S])*)\)|<([0-9a-fA-F\s]+)>|T[*dDm]\b|'/g,
    )) {
      if (string !== undefined)
        line += string.replace(/\\([()\\])/g, '$1').replace(/\\\d{1,3}|\\[nrtbf\n]/g, ' ');
      else if (hex !== undefined) {
        const data = Buffer.from(hex.replace(/\s/g, ''), 'hex');
        line +=
          data[0] === 0
            ? Buffer.from(data.subarray(0, data.length & ~1))
                .swap16()
                .toString('utf16le')
            : data.toString('latin1');
      } else if (token !== 'Td') line += '\n';
      else line += ' ';
    }
    lines.push(line);
  }
  const text = lines.join('\n');
  return /[\x00-\x08\x0e-\x1f]/.test(text) ? undefined : text;
}

const inflated = (bytes: Buffer): Buffer | undefined =>
  orUndefined(() => inflateSync(bytes, { maxOutputLength: MAX_STREAM }));
