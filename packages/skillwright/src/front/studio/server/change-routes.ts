// Changes, through the same commands as on the command line.

import { makeVisible, SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { ScanReport } from '../../../guard/scan/index.ts';
import type { SkillRecord } from '../../../read/catalog/index.ts';
import { commandTable, parseInput, runCommand } from '../../commands/index.ts';
import type { StudioState } from '../data/studio-state.ts';

/** Changes of one skill, by the last part of their address. Each returns a sentence about what happened. */
export const skillChanges: Readonly<
  Record<string, (skill: SkillRecord, form: URLSearchParams, state: StudioState) => Promise<string>>
> = {
  async enabled(skill, form, state) {
    const enable = form.get('enabled') === 'true';
    const scope = form.get('scope') ?? undefined;
    const output = (await runChange(
      'skills',
      { query: [skill.name], enable, disable: !enable, scope },
      state,
    )) as {
      switched: { changed: string[]; still_disabled: string[]; scope: string };
    };
    const { changed, still_disabled: still, scope: where } = output.switched;
    const place = where === 'user' ? 'for you' : 'in the project';
    const word = enable ? 'on' : 'off';
    if (still.length > 0) return `${skill.name} stays off: the other scope has it switched off.`;
    return changed.length === 0
      ? `${skill.name} was already ${word} ${place}.`
      : `${changed.join(', ')} is now ${word} ${place}.`;
  },
  async build(skill, _form, state) {
    const output = (await runChange('build', { skills: [skill.dir] }, state)) as {
      built: { name: string; status: string; form: string; deployments: unknown[] }[];
      failed: { code: string; message: string }[];
    };
    const [failure] = output.failed;
    if (failure !== undefined) return `${skill.name} was not built: ${failure.code}: ${failure.message}`;
    return output.built
      .map(({ name, status, form, deployments }) => {
        const places =
          deployments.length === 1 ? '1 agent directory' : `${deployments.length} agent directories`;
        return `${name} was built (${status}, form ${form}) and is in ${places}.`;
      })
      .join(' ');
  },
  async scan(skill, _form, state) {
    const output = (await runChange('scan', { paths: [skill.dir] }, state)) as ScanReport;
    const [found] = output.skills;
    if (found === undefined) throw SkillwrightError.of('E001', { skill: skill.name });
    state.verdicts.note(skill, found.verdict);
    const { length } = found.findings;
    return `The scan of ${skill.name} says ${found.verdict}, with ${length === 1 ? '1 finding' : `${length} findings`}.`;
  },
};

async function runChange(
  name: 'skills' | 'build' | 'scan',
  input: Record<string, unknown>,
  { front }: StudioState,
): Promise<unknown> {
  const command = await commandTable[name].load();
  return runCommand(name, command, { input: parseInput(command.input, input), context: front });
}

/** A failure as a sentence for the page. */
export function failureText(error: SkillwrightError): string {
  const { code, message, help } = error;
  return makeVisible(`${code}: ${message}${help === undefined ? '' : `; ${help}`}.`);
}
