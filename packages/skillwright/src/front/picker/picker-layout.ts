// Layout of the screen.

/** A terminal's size in characters. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A part of the screen; rows and columns count from 0. */
export interface Area {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** Parts of the screen; undefined when there is no room. */
export interface PickerLayout {
  readonly header: number | undefined;
  readonly query: number;
  readonly footer: number | undefined;
  readonly list: Area;
  readonly preview: Area | undefined;
  /** Whether the preview is next to the list or below it. */
  readonly isBeside: boolean;
}

/** Minimum size for list and preview side by side. */
const MIN_BESIDE = 72;
const MIN_LIST = 34;
const MAX_LIST = 56;
const MIN_HEADER_ROWS = 6;
const MIN_FOOTER_ROWS = 4;
/** Minimum size for the preview below the list. */
const MIN_BELOW_ROWS = 10;

/** Divides a screen. Every size has a layout; the smallest shows only the query. */
export function layOutPicker({ columns, rows }: Size): PickerLayout {
  const header = rows >= MIN_HEADER_ROWS ? 0 : undefined;
  const query = header === undefined ? 0 : 1;
  const footer = rows >= MIN_FOOTER_ROWS ? rows - 1 : undefined;
  const top = query + 1;
  const height = Math.max(0, (footer ?? rows) - top);
  if (columns >= MIN_BESIDE) {
    const width = Math.min(MAX_LIST, Math.max(MIN_LIST, Math.floor(columns * 0.45)));
    // Leave a blank line under the query.
    const gap = height > 6 ? 1 : 0;
    const rest = { top: top + gap, height: height - gap };
    return {
      ...{ header, query, footer, isBeside: true },
      list: { ...rest, left: 0, width },
      preview: { ...rest, left: width + 2, width: columns - width - 3 },
    };
  }
  const below = rows >= MIN_BELOW_ROWS ? Math.max(2, Math.floor((height - 1) * 0.45)) : 0;
  const listHeight = below === 0 ? height : height - below - 1;
  return {
    ...{ header, query, footer, isBeside: false },
    list: { top, left: 0, width: columns, height: listHeight },
    preview:
      below === 0 ? undefined : { top: top + listHeight + 1, left: 1, width: columns - 2, height: below },
  };
}
