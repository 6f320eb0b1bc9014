// Numbers and times as pages show them.

import { type Html, html } from './html.ts';

const counts = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const moments = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

const clocks = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
});

/** 12,345. */
export function formatCount(count: number): string {
  // Most numbers on a page are small, and the formatter is slow.
  return count >= 0 && count < 1000 && Number.isInteger(count) ? String(count) : counts.format(count);
}

/** 12.3K. */
export function formatShort(count: number): string {
  return short.format(count);
}

/** `1 file`, `2 files`. */
export function plural(count: number, noun: string, nouns: string = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : nouns}`;
}

/** A day, with the exact time in its attributes. Text that is not a time is shown as it is. */
export function day(time: string): Html {
  return moment(time, days);
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const DAY = 86_400_000;
const spans: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, milliseconds: number])[] = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['week', 7 * DAY],
  ['day', DAY],
  ['hour', DAY / 24],
  ['minute', DAY / 1440],
];

/** How long ago something was, such as `3 days ago`, with the exact time in its attributes. */
export function ago(time: string, now = new Date()): Html {
  const passed = new Date(time).getTime() - now.getTime();
  if (Number.isNaN(passed)) return html`${time}`;
  const [unit, length] = spans.find(([, one]) => Math.abs(passed) >= one) ?? ['minute', DAY / 1440];
  const text = Math.abs(passed) < length ? 'just now' : relative.format(Math.trunc(passed / length), unit);
  return moment(time, { format: () => text });
}

/** A day and a time in UTC. */
export function dayAndTime(time: string): Html {
  return html`${moment(time, moments)}<span class="muted"> UTC</span>`;
}

/** A day without its year and a time to the second in UTC, for lists of what just happened. */
export function dayAndClock(time: string): Html {
  return moment(time, clocks);
}

function moment(time: string, format: { format(date: Date): string }): Html {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return html`${time}`;
  return html`<time datetime="${date.toISOString()}" title="${date.toISOString()}">${format.format(date)}</time>`;
}
