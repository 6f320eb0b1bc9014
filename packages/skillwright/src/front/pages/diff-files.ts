// Compares the files of two versions.

import { renderDiff } from '../../make/lint/index.ts';
import type { DiffFile } from './diff-view.ts';

/** Files of a version by path; null for one that is not text. */
export type VersionTexts = ReadonlyMap<string, { readonly digest: string; readonly text: string | null }>;

/** The files that differ, by path. */
export function diffFiles(before: VersionTexts, after: VersionTexts): DiffFile[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return paths.flatMap((path): DiffFile[] => {
    const [old, fresh] = [before.get(path), after.get(path)];
    if (old?.digest === fresh?.digest) return [];
    const status = old === undefined ? 'added' : fresh === undefined ? 'deleted' : 'changed';
    const isText = old?.text !== null && fresh?.text !== null;
    return [
      {
        path,
        status,
        diff: isText ? renderDiff(path, { before: old?.text ?? '', after: fresh?.text ?? '' }) : null,
      },
    ];
  });
}
