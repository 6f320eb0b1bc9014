// Proof files, C2SP tlog-proof: an inclusion proof with the checkpoint it leads to. A proof can be checked offline.

import { parseTreeNumber } from './checkpoint.ts';
import { decodeBase64 } from './decode-base64.ts';
import { isHash } from './hash-node.ts';
import { malformed } from './malformed.ts';

const FIRST_LINE = 'c2sp.org/tlog-proof@v1';
/** No tree with a size we can count is deeper. */
const MAX_HASHES = 64;

/** A proof that an entry is in a log. */
export interface LogProof {
  readonly index: number;
  readonly hashes: readonly Uint8Array[];
  /** The checkpoint as a signed note. */
  readonly checkpoint: string;
  /** More data for the reader. No signature covers it. */
  readonly extra?: Uint8Array | undefined;
}

/** The text of a proof. */
export function spellProof({ index, hashes, checkpoint, extra }: LogProof): string {
  const lines = [
    FIRST_LINE,
    ...(extra === undefined ? [] : [`extra ${Buffer.from(extra).toString('base64')}`]),
    `index ${index}`,
    ...hashes.map((hash) => Buffer.from(hash).toString('base64')),
  ];
  return `${lines.join('\n')}\n\n${checkpoint}`;
}

/** Reads the text of a proof. Throws E233. It checks the form only. */
export function parseProof(text: string): LogProof {
  const cut = text.indexOf('\n\n');
  const [first, ...lines] = text.slice(0, Math.max(0, cut)).split('\n');
  if (cut === -1 || first !== FIRST_LINE) throw malformed(`a log proof starts with ${FIRST_LINE}`);
  const extra = lines[0]?.startsWith('extra ')
    ? decodeBase64(lines.shift()!.slice('extra '.length))
    : undefined;
  const hadExtra = text.startsWith(`${FIRST_LINE}\nextra `);
  if (hadExtra && extra === undefined) throw malformed('the extra data of a log proof is not Base64');
  const index = lines.shift();
  if (!index?.startsWith('index ')) throw malformed('a log proof has no index');
  if (lines.length > MAX_HASHES) throw malformed(`a log proof has ${lines.length} hashes`);
  const hashes = lines.map((line) => {
    const hash = decodeBase64(line);
    if (hash === undefined || !isHash(hash)) throw malformed('a log proof has a line that is not a hash');
    return hash;
  });
  const proof = {
    index: parseTreeNumber(index.slice('index '.length)),
    hashes,
    checkpoint: text.slice(cut + 2),
  };
  return extra === undefined ? proof : { ...proof, extra };
}
