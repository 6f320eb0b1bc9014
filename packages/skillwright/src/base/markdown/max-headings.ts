/** Further headings of one text are counted, not kept: a file of nothing but headings would need gigabytes. */
export const MAX_HEADINGS = 50_000;
