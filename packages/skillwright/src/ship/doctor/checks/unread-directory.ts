// Skills in the shared directory that an agent here does not read.

import { SHARED_SKILLS } from '../../../skill/agents/index.ts';
import { defineCheck } from '../check.ts';

const SHOWN = 5;

/** Reports skills in a directory that an agent does not read. */
export const unreadDirectory = defineCheck({
  id: 'unread-directory',
  group: 'what agents see',
  summary: `Skills in ${SHARED_SKILLS} are also available to agents that do not read it.`,
  *find({ agents, roots, places: stores }) {
    const shared = roots.all.filter(({ directory }) => directory === SHARED_SKILLS);
    for (const { agent, facts, roots: read } of agents) {
      if (!facts.documented) continue;
      const places = new Set(read.map(({ real }) => real));
      // Another check compares installed skills with the lock.
      const locked = stores.flatMap(({ skills }) =>
        skills.filter(({ entry }) => entry?.targets.some((target) => target.agent === agent.id)),
      );
      const seen = new Set([
        ...read.flatMap(({ skills }) => skills.map(({ identity }) => identity)),
        ...locked.map(({ source }) => source),
      ]);
      for (const { path, real, skills, scope } of shared) {
        const unseen = places.has(real)
          ? []
          : skills.filter(({ identity, entry }) => entry.problem === undefined && !seen.has(identity));
        if (facts.reads[scope].includes(SHARED_SKILLS) || unseen.length === 0) continue;
        const names = unseen.map(({ entry }) => entry.name).sort();
        const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
        yield {
          severity: 'info',
          subject: path,
          message: `${facts.label} does not read this directory and does not see ${names.slice(0, SHOWN).join(', ')}${more}`,
          why: `It reads ${facts.reads[scope].join(', ')}.`,
          fix: `also install or build them with '--target ${agent.id}'`,
        };
      }
    }
  },
});
