import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { makeDirectory } from '../../../test/make-directory.ts';
import { makeWorld } from '../../../test/make-world.ts';
import { requireProgram } from '../../../test/required-program.ts';
import { createSession } from '../runtime/create-session.ts';
import type { Session } from '../runtime/session.ts';
import { sessionTools } from './session-tools.ts';

const guide = readFileSync(new URL('../../../../../docs/guide/embed.md', import.meta.url), 'utf8');

type CarryOut = (
  calls: { tool: string; input: unknown }[],
  session: Session,
  signal: AbortSignal,
) => Promise<string[]>;

describe('the guide', () => {
  test('lists the tools a model gets, and their input', () => {
    const written = [...guide.matchAll(/^\| (`skill_\w+` \| `\{.*\}`) \|/gm)].map(([, row]) => row);
    const rows = sessionTools.map(({ name, input }) => {
      const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' });
      const fields = Object.keys(properties).map((field) => (required.includes(field) ? field : `${field}?`));
      return `\`${name}\` | \`{${fields.join(', ')}}\``;
    });
    expect(written).toEqual(rows);
  });

  test('runs the calls of a model', async (context) => {
    requireProgram(context, 'bwrap');
    const [, code] = /```ts\n([^`]*?carryOut[\s\S]*?)```/.exec(guide)!;
    const file = join(makeDirectory(), 'carry-out.ts');
    const host = new URL('../index.ts', import.meta.url).href;
    writeFileSync(file, code!.replace("'skillwright/host'", JSON.stringify(host)));
    const { carryOut } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      carryOut: CarryOut;
    };
    const { project: cwd, home } = makeWorld({
      '.agents/skills/words/SKILL.md':
        '---\nname: words\ndescription: Counts.\ntoolsets: ["tools:Words"]\n---\n\nCount.\n',
      '.agents/skills/words/tools.js':
        "export const Words = { tools: { count: { description: 'Counts.', run: () => 3 } } };",
    });
    const session = await createSession({ cwd, home, trust: true, trustsSkill: () => true });
    onTestFinished(() => session.close());
    const calls = [
      { tool: 'skill_search', input: { query: 'words' } },
      { tool: 'skill_load', input: { name: 'words' } },
      { tool: 'skill_tool', input: { skill: 'words', tool: 'count' } },
    ];
    const ending = new AbortController();
    expect(await carryOut(calls, session, ending.signal)).toEqual([
      'no tool is called skill_search',
      expect.stringContaining('\nCount.\n'),
      '3',
    ]);
    ending.abort(new Error('given up'));
    await expect(carryOut(calls, session, ending.signal)).rejects.toThrow('given up');
  });
});
