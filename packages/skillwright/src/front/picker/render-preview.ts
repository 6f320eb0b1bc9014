// Renders the selected skill: description, path, state and headings.

import { makeVisible } from '../../base/diagnostics/index.ts';
import type { OutlineHeading } from '../../read/gateway/index.ts';
import { linesOf, wrapText } from '../commands/index.ts';
import type { Style } from './picker-frame.ts';
import type { Entry, PickerState } from './picker-state.ts';

/** One line of the preview. */
interface PreviewLine {
  readonly text: string;
  readonly style?: Style;
}

/** Minimum height for blank lines between the parts. */
const MIN_ROOMY = 10;
const MIN_COUNTED = 4;

/** The visible part of the preview; the caller cuts lines that are wider than the area. */
export function renderPreview(
  state: PickerState,
  skill: Entry,
  { width, height }: { width: number; height: number },
): PreviewLine[] {
  const lines = previewLines(state, skill, { width, height });
  if (lines.length <= height) return lines;
  // In a small area the beginning matters more than how much is left.
  if (height < MIN_COUNTED) return lines.slice(0, height);
  const more = lines.length - height + 1;
  return [...lines.slice(0, height - 1), { text: `… ${more} more`, style: 'faint' }];
}

function previewLines(
  state: PickerState,
  skill: Entry,
  { width, height }: { width: number; height: number },
): PreviewLine[] {
  const text = makeVisible(skill.description.replace(/\s+/g, ' ').trim());
  const description = wrapText(text, { columns: width, lines: Math.max(1, Math.floor(height * 0.4)) });
  const isRoomy = height >= MIN_ROOMY;
  const outline =
    state.choosing === undefined && state.outline?.path === skill.path
      ? outlineLines(state.outline.headings)
      : [];
  return [
    ...(isRoomy ? [{ text: makeVisible(skill.name), style: 'strong' } as const] : []),
    ...description.map((line) => ({ text: line })),
    ...(isRoomy ? [{ text: '' }] : []),
    ...factLines(state, skill),
    ...(outline.length === 0 ? [] : [{ text: '' }, ...outline]),
  ];
}

function factLines(state: PickerState, skill: Entry): PreviewLine[] {
  if (state.choosing !== undefined)
    return state.choosing.factsOf(skill).map((text) => ({ text: makeVisible(text), style: 'faint' }));
  const warnings = linesOf([
    state.standing.reasonOf(skill),
    !skill.available && `unavailable: ${skill.reason ?? ''}`,
    state.shadowed.has(skill.path) && 'shadowed by another skill of this name',
  ]);
  return [
    ...warnings.map((text) => ({ text: makeVisible(text), style: 'warning' as const })),
    { text: makeVisible(state.showPath(skill.dir)), style: 'faint' },
  ];
}

function outlineLines(headings: readonly OutlineHeading[]): PreviewLine[] {
  if (headings.length === 0) return [{ text: 'no headings', style: 'faint' }];
  const lines: PreviewLine[] = [];
  let file: string | undefined;
  for (const heading of headings) {
    if (heading.file !== file) lines.push({ text: makeVisible(heading.file), style: 'info' });
    file = heading.file;
    lines.push({ text: `${'  '.repeat(heading.level)}${makeVisible(heading.text)}` });
  }
  return lines;
}
