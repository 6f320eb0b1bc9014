// Reads a form that a browser sent.

import type { IncomingMessage } from 'node:http';
import { invalidOption } from '../../../base/diagnostics/index.ts';

/** Largest form, in bytes; ours are far smaller. */
const MAX_FORM = 16 * 1024;

/** Fields of a form. E100 when it is too large or not a form. */
export async function readForm(incoming: IncomingMessage): Promise<URLSearchParams> {
  const type = incoming.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') throw invalidOption('the request is not a form');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_FORM) throw invalidOption(`the form is larger than ${MAX_FORM} bytes`);
    chunks.push(chunk as Buffer);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
