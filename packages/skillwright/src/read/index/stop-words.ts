// English words that say nothing about the subject of a text.

const words = `
a about after all also am an and any are as at be because been before being between both but by can could did do
does doing during each for from had has have having he her here him his how i if in into is it its just me more most
my no nor not of off on once only or other our out over own s same she should so some such t than that the their
them then there these they this those through to too under until up us very was we were what when where which while
who whom why will with would you your
`;

/** Lower-case function words. They are indexed, but only required and scored when a query has no others. */
export const stopWords: ReadonlySet<string> = new Set(words.trim().split(/\s+/));

/** First words of questions. */
export const questionWords: ReadonlySet<string> = new Set(
  'how what when where which who whom whose why is are can could do does did should would will'.split(' '),
);
