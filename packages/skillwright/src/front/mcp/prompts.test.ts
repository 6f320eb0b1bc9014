import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { createContext } from '../commands/create-client.ts';
import { openContext } from '../commands/run-command.ts';
import { fillArguments, renderPrompt } from './prompts.ts';

test.each([
  ['Fix $ARGUMENTS.', 'this', 'Fix this.'],
  ['$ARGUMENTS and $ARGUMENTS', 'a', 'a and a'],
  ['Fix $ARGUMENTS.', '', 'Fix .'],
  ['Fix $ARGUMENTS.', '$& $1 $$', 'Fix $& $1 $$.'],
  ['No place', 'a b', 'No place\n\nARGUMENTS: a b'],
  ['No place', '', 'No place'],
  ['$ARGUMENTS[0] and $ARGUMENTSX stay', '', '$ARGUMENTS[0] and $ARGUMENTSX stay'],
])('%j with %j', (body, written, filled) => {
  expect(fillArguments(body, { arguments: written }, { label: 'demo', frontmatter: {} })).toBe(filled);
});

test('a long body is cut, with a note', async () => {
  const dir = makeDirectory({
    'SKILL.md': `---\nname: long\ndescription: D.\n---\n${'line\n'.repeat(30_000)}`,
  });
  const skill = {
    dir,
    name: 'long',
    root: 'skill://user/long',
    label: 'long',
    frontmatter: {},
    verbatim: {},
    size: 1,
  };
  const { messages } = await renderPrompt([skill], {
    name: 'long',
    values: {},
    context: await openContext(createContext({ cwd: dir, home: dir, env: {} })),
  });
  const { text } = messages[0]!.content as { text: string };
  expect(text.slice(0, 100_000)).toBe('line\n'.repeat(20_000));
  expect(text.slice(100_000)).toBe(
    '\n... cut after 100000 characters; read the rest with skc_outline and skc_show of long\n',
  );
});
