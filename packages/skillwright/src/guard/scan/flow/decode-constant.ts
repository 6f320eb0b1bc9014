// Decodes a constant text as the decoder named in the code would.

import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { orUndefined } from '../../../base/diagnostics/index.ts';

const MAX_DECODED = 64 * 1024;

const decoders: readonly (readonly [
  name: RegExp,
  decode: (text: string, option: string | undefined) => Buffer | string | undefined,
])[] = [
  [
    /(?:^|\.)(?:(?:urlsafe_|standard_)?b64decode|decodebytes|atob|base64_decode|FromBase64String|decode64|strict_decode64|DecodeString)$/,
    (text) => Buffer.from(text.replaceAll('-', '+').replaceAll('_', '/'), 'base64'),
  ],
  [
    /(?:^|\.)(?:unhexlify|fromhex|b16decode|hex2bin)$/,
    (text) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex'),
  ],
  [
    /^Buffer\.from$/,
    (text, option) =>
      option === 'base64' || option === 'hex' || option === 'base64url'
        ? Buffer.from(text, option)
        : undefined,
  ],
  [/(?:^|\.)(?:rot13|str_rot13)$/, rot13],
  [
    /^codecs\.decode$/,
    (text, option) =>
      /rot/i.test(option ?? '')
        ? rot13(text)
        : /hex/i.test(option ?? '')
          ? Buffer.from(text, 'hex')
          : undefined,
  ],
  [
    /^(?:decodeURIComponent|unescape|urllib\.parse\.unquote)$/,
    (text) => (text.includes('%') ? orUndefined(() => decodeURIComponent(text)) : undefined),
  ],
  [
    /(?:^|\.)(?:decompress|inflateSync|gunzipSync|gzinflate|inflateRawSync)$/,
    (text) => {
      const bytes = Buffer.from(text, 'latin1');
      const options = { maxOutputLength: MAX_DECODED };
      return (
        orUndefined(() => inflateSync(bytes, options)) ??
        orUndefined(() => gunzipSync(bytes, options)) ??
        orUndefined(() => inflateRawSync(bytes, options))
      );
    },
  ],
];

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

/** The decoded text; undefined when the function is not a decoder, or decodes nothing. */
export function decodeConstant(name: string, text: string, option?: string): string | undefined {
  if (text.length < 4 || text.length > MAX_DECODED) return undefined;
  for (const [pattern, decode] of decoders) {
    if (!pattern.test(name)) continue;
    const decoded = decode(text, option);
    if (decoded === undefined || decoded.length === 0) return undefined;
    return (typeof decoded === 'string' ? decoded : decoded.toString('latin1')).slice(0, MAX_DECODED);
  }
  return undefined;
}
