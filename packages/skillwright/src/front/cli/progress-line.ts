// One line about long work: its words, and a bar with the time left where they say how much is done.

/** Characters of the bar. A narrow terminal has a shorter one, or none. */
const WIDTH = 20;
const LEAST_WIDTH = 4;
/** A person cannot follow more. */
const DRAWN_EVERY_MS = 50;
/** The time left is a guess at first. */
const LEAST_MS = 1000;
const LEAST_SHARE = 0.05;

/**
 * A function that writes the line for `scanning 30 of 200`, knowing when this kind of work began. It leaves out what
 * follows too soon.
 */
export function createProgressLine(
  now: () => number,
): (text: string, columns?: number) => string | undefined {
  let work = '';
  let began = 0;
  let drawn = 0;
  let before = 0;
  return (text, columns = Number.POSITIVE_INFINITY) => {
    const [counted, first = '', last = ''] = /(\d[\d,]*) of (\d[\d,]*)/.exec(text) ?? [];
    const [done, all] = [first, last].map((digits) => Number(digits.replaceAll(',', ''))) as [number, number];
    if (counted === undefined || all === 0 || done > all) return text;
    const label = text.replace(counted, '');
    const time = now();
    const isNew = label !== work || done < before;
    if (isNew) [work, began] = [label, time];
    before = done;
    if (!isNew && done < all && time - drawn < DRAWN_EVERY_MS) return undefined;
    drawn = time;
    const share = done / all;
    const took = time - began;
    const isKnown = took >= LEAST_MS && share >= LEAST_SHARE && done < all;
    const left = isKnown ? `, ${spellTime((took / share) * (1 - share))} left` : '';
    const end = ` ${Math.floor(share * 100)}%${left}`;
    const width = Math.min(WIDTH, columns - text.length - end.length - ' []'.length);
    const full = Math.round(share * width);
    const bar = width < LEAST_WIDTH ? '' : ` [${'█'.repeat(full)}${'░'.repeat(width - full)}]`;
    return `${text}${bar}${end}`;
  };
}

function spellTime(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}
