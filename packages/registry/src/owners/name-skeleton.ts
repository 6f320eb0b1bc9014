// Names that people mistake for each other have one skeleton.

/** The name without separators, with letters and digits that look alike made the same. */
export function nameSkeleton(name: string): string {
  return name.normalize('NFKD').toLowerCase().replace(/[._-]/g, '').replace(/[li|]/g, '1').replace(/o/g, '0');
}
