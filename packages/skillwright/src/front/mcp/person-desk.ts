// The person's side of one call: uses the answers given, and turns missing ones into a question.

import { PermissionRule } from '../../skill/config/index.ts';
import { digestSkill } from '../../skill/quiz/index.ts';
import { rememberPermission, type Workspace } from '../../skill/workspace/index.ts';
import type { FrontContext } from '../commands/index.ts';
import type { PersonAnswer, PersonQuestion } from './person-question.ts';

/** Questions and answers of one call. */
export interface PersonDesk {
  /** Asks on behalf of the call. */
  readonly front: Pick<FrontContext, 'ask' | 'confirm'>;
  /** The first unanswered question. */
  question(): PersonQuestion | undefined;
}

/** Creates a desk with these answers. Opens the workspace only to remember one. */
export function openDesk(answers: readonly PersonAnswer[], workspace: () => Promise<Workspace>): PersonDesk {
  let missing: PersonQuestion | undefined;
  return {
    question: () => missing,
    front: {
      async confirm({ skill: { name, dir }, tool }) {
        const digest = digestSkill(dir);
        const known = answers.find(
          (answer) => answer.kind === 'confirm' && answer.tool === tool && isAbout(answer, { dir, digest }),
        );
        // Only loading can be allowed permanently.
        const permission = { tool: 'skill_load', skill_name: name };
        const remembers = tool === permission.tool && PermissionRule.safeParse(permission).success;
        if (known === undefined) {
          missing ??= { kind: 'confirm', skill: name, dir, digest, tool, remembers };
          return false;
        }
        if (known.kind === 'confirm' && known.span === 'always' && remembers)
          rememberPermission((await workspace()).user, { ...permission, path: dir, digest });
        return true;
      },
      ask: {
        // Questions are asked on a form or not at all.
        choose: async () => undefined,
        confirm: async () => false,
        async chooseAll({ dir, title, questions }) {
          const digest = digestSkill(dir);
          const known = answers.find((answer) => answer.kind === 'quiz' && isAbout(answer, { dir, digest }));
          if (known?.kind === 'quiz' && known.chosen.length === questions.length) return known.chosen;
          missing ??= {
            kind: 'quiz',
            skill: title,
            dir,
            digest,
            questions: questions.map(({ text, choices }) => ({
              text,
              options: choices.map(({ label }) => label),
            })),
          };
          return undefined;
        },
      },
    },
  };
}

function isAbout(
  answer: Pick<PersonAnswer, 'dir' | 'digest'>,
  { dir, digest }: Pick<PersonAnswer, 'dir' | 'digest'>,
): boolean {
  return answer.dir === dir && answer.digest === digest;
}
