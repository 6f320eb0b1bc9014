// `skc help <word>`: the overview, a command, a topic, or the man page.

import { invalidOption, suggest } from '../../base/diagnostics/index.ts';
import type { View } from '../commands/index.ts';
import { cliNames, cliTable, isCliName } from './cli-table.ts';
import { topicNamed, topicNames, topicPage } from './help-topics.ts';

/** The help about a word; E100 when there is none. */
export async function helpFor(word: string | undefined, view: View): Promise<string> {
  if (word === undefined) return (await import('./render-overview.ts')).renderOverview(view);
  if (isCliName(word)) {
    const { renderCommandHelp } = await import('./render-help.ts');
    return renderCommandHelp(word, await cliTable[word].load(), view);
  }
  if (word === '--man') {
    const [{ renderMan }, { topicPages }] = await Promise.all([
      import('./render-man.ts'),
      import('./topic-pages.generated.ts'),
    ]);
    return renderMan((topic) => topicPages[topic]!);
  }
  const topic = topicNamed(word);
  if (topic !== undefined) return paintPage(await topicPage(topic), view);
  const [candidate] = suggest(word, [...topicNames, ...cliNames]);
  const help =
    candidate === undefined
      ? "run 'skc help' for commands and topics"
      : `did you mean 'skc help ${candidate}'?`;
  throw invalidOption(`no help for '${word}'`, help);
}

/** The page with its title in bold. */
function paintPage(page: string, { paint }: View): string {
  return page.replace(/^# (.*)$/m, (_, title: string) => paint.strong(title));
}
