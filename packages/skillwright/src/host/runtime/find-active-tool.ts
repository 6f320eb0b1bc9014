// Finds an active tool by name.

import { SkillwrightError, suggest } from '../../base/diagnostics/index.ts';
import type { Session } from './session.ts';
import type { SkillTool } from './session-toolsets.ts';

/** A tool by its full name, or by the names of its skill and tool. */
interface ToolReference {
  readonly tool: string;
  /** Name of the skill, or the path of its SKILL.md. */
  readonly skill?: string | undefined;
}

/** Finds a tool among the active skills. E092 when there is none; the help lists the active tools. */
export function findActiveTool(session: Pick<Session, 'tools'>, wanted: ToolReference): SkillTool {
  const { tool, skill } = wanted;
  const active = session.tools();
  const own = active.filter(
    (each) => skill === undefined || each.skill.name === skill || each.skill.path === skill,
  );
  const found = own.find((each) => each.name === tool || (skill !== undefined && each.tool === tool));
  if (found !== undefined) return found;
  const names = own.map((each) => (skill === undefined ? each.name : each.tool));
  const [close] = suggest(tool, names);
  const help =
    close !== undefined
      ? `did you mean ${close}?`
      : names.length === 0
        ? 'activate the skill first; loading it also activates it if the host enabled that'
        : `active tools: ${names.join(', ')}`;
  throw SkillwrightError.of(
    'E092',
    { tool: skill === undefined ? tool : `${skill}: ${tool}` },
    { help, data: { active: names } },
  );
}
