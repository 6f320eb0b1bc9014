// Every method of the protocol, in the order a client meets them.

import * as z from 'zod';
import { toolVersion } from '../../base/version.ts';
import { defineMethod } from './define-method.ts';
import { answerQuiz, findMentions, findTriggers, planSkill, showQuiz } from './request-methods.ts';
import {
  checkPermission,
  contextCompacted,
  inspectContext,
  rememberPermission,
  resumeSession,
  saveSession,
} from './session-methods.ts';
import { listSkills, loadSkill, readSkillFile, searchSkills, setEnabled } from './skill-methods.ts';
import { Directory } from './wire-shapes.ts';

/** Raised when a client of an older one would misunderstand answers. */
const PROTOCOL_VERSION = '1';

const initialize = defineMethod({
  summary: 'Say which folder the connection is about, and whether the user trusts it',
  // Clients may introduce themselves with more than is read here.
  params: z.looseObject({
    cwd: Directory.optional().describe('Default: where skc was started'),
    trust: z
      .boolean()
      .default(false)
      .describe("The user's word that the folder's own skills and configuration may be used"),
  }),
  result: z.strictObject({
    protocol_version: z.string(),
    server: z.strictObject({ name: z.string(), version: z.string() }),
    session_id: z.string(),
    cwd: z.string(),
    trusted: z.boolean(),
    methods: z.array(z.string()),
  }),
  async run({ cwd, trust }, connection) {
    const folder = connection.open({ trust, ...(cwd === undefined ? {} : { cwd }) });
    const { id } = await connection.session();
    return {
      protocol_version: PROTOCOL_VERSION,
      server: { name: 'skillwright', version: toolVersion },
      session_id: id,
      cwd: folder.cwd,
      trusted: folder.trust,
      methods: methodNames(),
    };
  },
});

/** The methods by their names. */
export const rpcMethods = {
  initialize,
  'skills.list': listSkills,
  'skills.search': searchSkills,
  'skills.load': loadSkill,
  'skills.read': readSkillFile,
  'skills.plan': planSkill,
  'skills.mentions': findMentions,
  'skills.triggers': findTriggers,
  'skills.quiz': showQuiz,
  'skills.answerQuiz': answerQuiz,
  'skills.setEnabled': setEnabled,
  'context.inspect': inspectContext,
  'context.compacted': contextCompacted,
  'session.save': saveSession,
  'session.resume': resumeSession,
  'permissions.check': checkPermission,
  'permissions.remember': rememberPermission,
} as const;

/** The name of a method. */
export type RpcMethodName = keyof typeof rpcMethods;

function methodNames(): string[] {
  return Object.keys(rpcMethods);
}
