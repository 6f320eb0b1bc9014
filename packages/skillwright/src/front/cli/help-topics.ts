// The topics of `skc help <topic>`. The pages are in topics/, and the executable contains them as generated text.

/** Other words for a topic. */
const otherWords: Readonly<Record<string, TopicName>> = {
  formats: 'output',
  json: 'output',
  'exit-code': 'exit-codes',
  exit: 'exit-codes',
  variables: 'environment',
  scope: 'scopes',
  source: 'install-sources',
  start: 'getting-started',
  eval: 'evals',
};

/** The topics, in the order help lists them. */
export const topicNames = [
  'getting-started',
  'flags',
  'output',
  'exit-codes',
  'configuration',
  'environment',
  'scopes',
  'install-sources',
  'permissions',
  'sandbox',
  'evals',
] as const;

/** The name of a topic. */
export type TopicName = (typeof topicNames)[number];

/** The topic for a word, or undefined. Commands are looked up first, so `config` never reaches this. */
export function topicNamed(word: string): TopicName | undefined {
  const known = topicNames.find((name) => name === word);
  return known ?? (Object.hasOwn(otherWords, word) ? otherWords[word] : undefined);
}

/** The page of a topic, as Markdown. */
export async function topicPage(name: TopicName): Promise<string> {
  const { topicPages } = await import('./topic-pages.generated.ts');
  return topicPages[name]!;
}
