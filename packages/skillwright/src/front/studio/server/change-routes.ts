// Changes, through the same commands as on the command line.

import type { SkillRecord } from '../../../read/catalog/index.ts';
import { answerCommand, commandTable, parseInput } from '../../commands/index.ts';
import type { StudioState } from '../data/studio-state.ts';
import { commandFor } from '../pages/skill-pieces.ts';

type Field = (name: string) => Promise<string | undefined>;

/** Changes of one skill, by the last part of their address. Each returns the command and what it printed. */
export const skillChanges: Readonly<
  Record<string, (skill: SkillRecord, field: Field, state: StudioState) => Promise<string>>
> = {
  async enabled(skill, field, state) {
    const enable = (await field('enabled')) === 'true';
    const input = { query: [skill.name], enable, disable: !enable, scope: await field('scope') };
    const { text } = await runChange('skills', input, state);
    return `${commandFor(`skills --${enable ? 'enable' : 'disable'}`, skill)}\n${text()}`;
  },
  async build(skill, _field, state) {
    const { text } = await runChange('build', { skills: [skill.dir] }, state);
    return `${commandFor('build', skill)}\n${text()}`;
  },
  async scan(skill, _field, state) {
    const { text } = await runChange('scan', { paths: [skill.dir] }, state);
    return `${commandFor('scan', skill)}\n${text()}`;
  },
};

async function runChange(
  name: 'skills' | 'build' | 'scan',
  input: Record<string, unknown>,
  { front }: StudioState,
) {
  const command = await commandTable[name].load();
  return answerCommand(name, command, { input: parseInput(command.input, input), context: front });
}
