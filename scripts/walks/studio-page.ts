// A person looks at the page of a skill for the second time.

import { createContext } from '../../packages/skillwright/src/front/commands/create-client.ts';
import { openContext } from '../../packages/skillwright/src/front/commands/run-command.ts';
import { openStudio } from '../../packages/skillwright/src/front/studio/open-studio.ts';
import { openSkill } from '../../packages/skillwright/src/skill/index.ts';
import { START } from '../walk-hook.ts';

const cwd = process.cwd();
const context = await openContext(
  createContext({ cwd, home: process.env.SKC_HOME!, env: process.env, now: () => new Date() }),
);
const { origin, address, state } = await openStudio(context, { port: 0 });
await state.settled();
const entered = await fetch(address, { redirect: 'manual' });
const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
const { id } = openSkill(`${cwd}/.skillc/skills/demo`);
const view = async () => {
  const answer = await fetch(`${origin}/skills/${id}`, { headers: { cookie } });
  if (answer.status !== 200) throw new Error(`the page of the skill answers ${answer.status}`);
  await answer.text();
};
await view();
(globalThis as unknown as Record<string, () => void>)[START]?.();
await view();
process.exit(0);
