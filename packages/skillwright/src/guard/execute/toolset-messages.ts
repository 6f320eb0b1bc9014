// Reads messages from the process of a toolset, line by line. All of it is untrusted.

import type { Readable } from 'node:stream';
import * as z from 'zod';
import { orUndefined } from '../../base/diagnostics/index.ts';
import { isShallow } from './is-shallow.ts';

/** A tool as declared by its toolset. */
export const DeclaredTool = z.object({
  name: z.string().min(1).max(200),
  description: z.string().max(8192),
  schema: z.unknown(),
});
export type DeclaredTool = z.infer<typeof DeclaredTool>;

/** One message. */
export const ToolsetMessage = z.union([
  z.object({
    ready: z.object({
      description: z.string().max(8192).optional(),
      tools: z.array(DeclaredTool).max(128),
    }),
  }),
  z.object({ failed: z.string() }),
  z.object({ id: z.number().int(), error: z.string() }),
  z.object({ id: z.number().int(), tooLarge: z.literal(true) }),
  z.object({ id: z.number().int(), result: z.unknown() }),
]);
export type ToolsetMessage = z.infer<typeof ToolsetMessage>;

/** Options for reading a stream. */
interface MessageReader {
  /** Prefix of every line of the protocol. */
  readonly mark: string;
  /** Limit of one line, and of other output between two accepted messages. */
  readonly maxBytes: number;
  /** True when the message was expected. */
  take(message: ToolsetMessage): boolean;
  /** Called once, when the limit is exceeded. */
  overflow(): void;
}

/** Reads messages from a stream until it ends. Lines without the mark are ignored, but counted. */
export function readMessages(stream: Readable, { mark, maxBytes, take, overflow }: MessageReader): void {
  const prefix = Buffer.from(mark);
  let pieces: Buffer[] = [];
  let length = 0;
  let noise = 0;
  let isOver = false;
  const lineEnded = () => {
    const line = Buffer.concat(pieces);
    pieces = [];
    length = 0;
    const message = line.subarray(0, prefix.length).equals(prefix)
      ? parseMessage(line.subarray(prefix.length).toString('utf8'))
      : undefined;
    if (message !== undefined && take(message)) noise = 0;
    else noise += line.length + 1;
  };
  stream.on('error', () => {}); // The process reports its end.
  stream.on('data', (chunk: Buffer) => {
    for (let start = 0; start < chunk.length && !isOver; ) {
      const end = chunk.indexOf(10, start);
      const piece = chunk.subarray(start, end === -1 ? chunk.length : end);
      pieces.push(piece);
      length += piece.length;
      start = end === -1 ? chunk.length : end + 1;
      if (length <= maxBytes && end !== -1) lineEnded();
      isOver = length > maxBytes || noise > maxBytes;
      if (isOver) overflow();
    }
  });
}

function parseMessage(text: string): ToolsetMessage | undefined {
  const value: unknown = orUndefined(() => JSON.parse(text));
  if (isShallow(value)) return ToolsetMessage.safeParse(value).data;
  const { id } = Object(value) as { readonly id?: unknown };
  return Number.isInteger(id) ? { id: id as number, error: 'its result is nested too deeply' } : undefined;
}
