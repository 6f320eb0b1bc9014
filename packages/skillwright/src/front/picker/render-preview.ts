// The selected skill: what it is for, where it is, how it stands, and its headings.

import { makeVisible } from '../../base/diagnostics/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import type { OutlineHeading } from '../../read/gateway/index.ts';
import type { Style } from './picker-frame.ts';
import { isEnabled, type PickerState } from './picker-state.ts';
import { wrapText } from './wrap-text.ts';

/** One line of the preview. */
export interface PreviewLine {
  readonly text: string;
  readonly style?: Style;
}

/** From here on there are lines to spare. */
const MIN_ROOMY = 10;

/** The preview in at most `height` lines; lines may be wider than `width` and are cut by whoever shows them. */
export function renderPreview(
  state: PickerState,
  skill: SkillRecord,
  { width, height }: { width: number; height: number },
): PreviewLine[] {
  const description = wrapText(makeVisible(skill.description.replace(/\s+/g, ' ').trim()), {
    columns: width,
    lines: Math.max(1, Math.floor(height * 0.4)),
  });
  const facts: PreviewLine[] = state.choosing
    ? state.choosing.factsOf(skill).map((text) => ({ text: makeVisible(text), style: 'faint' }))
    : [
        ...(isEnabled(state, skill)
          ? []
          : [{ text: 'off: agents do not see it', style: 'warning' } as const]),
        ...(skill.available
          ? []
          : [{ text: `unavailable: ${makeVisible(skill.reason ?? '')}`, style: 'warning' } as const]),
        ...(state.shadowed.has(skill.path)
          ? [{ text: 'shadowed by another of this name', style: 'warning' } as const]
          : []),
        { text: makeVisible(state.showPath(skill.dir)), style: 'faint' },
      ];
  const title = { text: makeVisible(skill.name), style: 'strong' } as const;
  const isRoomy = height >= MIN_ROOMY;
  const head: PreviewLine[] = [
    ...(isRoomy ? [title] : []),
    ...description.map((text) => ({ text })),
    ...(isRoomy ? [{ text: '' }] : []),
    ...facts,
  ];
  const room = height - head.length - 1;
  if (state.choosing !== undefined || room < 1 || state.outline?.path !== skill.path)
    return head.slice(0, height);
  const outline = outlineLines(state.outline.headings);
  const shown = outline.length <= room ? outline : outline.slice(0, room - 1);
  const more = outline.length - shown.length;
  return [
    ...head,
    { text: '' },
    ...shown,
    ...(more === 0 ? [] : [{ text: `… ${more} more`, style: 'faint' } as const]),
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
