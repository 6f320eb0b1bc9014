// The best skills of one term, as arrays and as bytes.

/** The best skills of one term, heaviest first. */
export interface Posting {
  readonly skills: Uint32Array;
  readonly weights: Uint8Array;
}

/** Skills of one list at most. */
export const MAX_SKILLS_PER_TERM = 100;

export const emptyPosting: Posting = { skills: new Uint32Array(0), weights: new Uint8Array(0) };

/** Whether there may be more skills with the term. */
export function isFull({ skills }: Posting): boolean {
  return skills.length === MAX_SKILLS_PER_TERM;
}

/** The skills, four bytes each, then the weights. */
export function packPosting({ skills, weights }: Posting): Uint8Array {
  const bytes = new Uint8Array(5 * skills.length);
  bytes.set(new Uint8Array(skills.buffer, skills.byteOffset, skills.byteLength));
  bytes.set(weights, skills.byteLength);
  return bytes;
}

/** Views of the bytes, which start at a multiple of four. */
export function readPosting({ buffer, byteOffset, length: size }: Uint8Array): Posting {
  if (size === 0) return emptyPosting;
  const length = size / 5;
  return {
    skills: new Uint32Array(buffer, byteOffset, length),
    weights: new Uint8Array(buffer, byteOffset + 4 * length, length),
  };
}
