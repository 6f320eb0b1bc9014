// How everything a host can do is asked about a skill: methods of a session, of its provider, of the adapters' tools and
// of the line protocol. See judge-matrix.test.ts.

import { createSession } from '../src/host/runtime/create-session.ts';
import type { Session, SessionOptions } from '../src/host/runtime/session.ts';
import type { SkillContextProvider } from '../src/host/runtime/skill-context-provider.ts';
import { catalogRenderers } from '../src/read/catalog/catalog-renderers.ts';
import { hiddenWords, marks, type Target } from './judge-world.ts';
import type { World } from './make-world.ts';

/** A call, or what it says of the skill besides its name, and the call. */
export type HostCall = (() => unknown) | readonly [says: string, call: () => unknown];

/** The calls of a method. */
export interface HostRow<Subject> {
  readonly by?: 'user';
  /** False for what answers whatever the state is. */
  readonly refuses?: false;
  readonly named?: (subject: Subject, target: Target) => readonly HostCall[];
  readonly everything?: (subject: Subject) => readonly (() => unknown)[];
  /** Why it gives nothing of a skill that may be read. */
  readonly silent?: string;
}

const reference = `references/${marks.fileName}.md`;
const script = `scripts/${marks.scriptName}.sh`;
const meant = ({ word, isName }: Target) => (isName ? { name: word } : { path: word });

/** A session in a world. */
export const openHost = (
  { project: cwd, home }: World,
  more: Partial<SessionOptions> = {},
): Promise<Session> =>
  createSession({
    cwd,
    home,
    env: { PATH: process.env.PATH },
    trust: true,
    discovery: { cache: false },
    ...more,
  });

/** A row for each method of a session, or the reason why none is needed. */
export const sessionRows: Readonly<Record<string, HostRow<Session> | string>> = {
  id: 'a random name',
  quizMemory: 'digests of what was passed',
  close: 'ends what runs',
  deactivate: 'says whether it was active',
  provider: 'asked method by method',
  catalog: { everything: (session) => [() => session.catalog(), () => session.catalog({ reload: true })] },
  prompt: { everything: (session) => [() => session.prompt()] },
  search: {
    everything: (session) =>
      ['zorilla chapter', ...hiddenWords].map((query) => () => session.search({ query })),
  },
  load: {
    named: (session, target) => [() => session.load(meant(target), { force: true })],
  },
  readResource: {
    named: (session, target) =>
      ['SKILL.md', reference, script, 'references/qxfil.md'].map((path) => [
        path,
        () => session.readResource({ ...meant(target), file: target.inside + path }),
      ]),
  },
  listResources: {
    named: (session, target) => [
      () => session.listResources(meant(target)),
      () => session.listResources(meant(target), { directory: `${target.inside}references` }),
    ],
  },
  outline: { named: (session, target) => [() => session.outline(meant(target))] },
  section: {
    named: (session, target) =>
      ['SKILL.md', target.inside + reference].map((section) => [
        section,
        () => session.section({ ...meant(target), section }),
      ]),
  },
  findIn: {
    named: (session, target) => [() => session.findIn({ ...meant(target), query: 'zorilla' })],
  },
  listScripts: { named: (session, target) => [() => session.listScripts(meant(target))] },
  runScript: {
    named: (session, target) => [[script, () => session.runScript(meant(target), target.inside + script)]],
  },
  activate: {
    named: (session, target) => [() => session.activate(meant(target))],
    silent: 'the skill brings no tools along',
  },
  tools: { everything: (session) => [() => session.tools()], silent: 'none is active' },
  decideHooks: {
    by: 'user',
    named: (session, target) => [() => session.decideHooks(meant(target), 'run')],
    silent: 'keeps a decision',
  },
  hooks: { everything: (session) => [() => session.hooks('Stop', {})], silent: 'none is loaded' },
  mentions: {
    by: 'user',
    refuses: false,
    named: (session, { word, isName }) => [
      () => session.mentions(isName ? `use $${word} now` : `use [$written-name](${word}) now`),
    ],
  },
  triggers: { everything: (session) => [() => session.triggers('use the written-name for zorillas')] },
  plan: {
    named: (session, target) => [() => session.plan(meant(target), 'x', { by: 'model' })],
  },
  'plan by the user': {
    by: 'user',
    named: (session, target) => [() => session.plan(meant(target), 'x')],
  },
  quiz: { named: (session, target) => [() => session.quiz(meant(target))], silent: 'questions alone' },
  answerQuiz: {
    named: (session, target) => [() => session.answerQuiz(meant(target), [{ question: 9, options: [1] }])],
    silent: 'what is wrong with the answers',
  },
  compacted: { everything: (session) => [() => session.compacted()], silent: 'none is loaded' },
  save: { everything: (session) => [() => session.save()], silent: 'identities' },
  resume: { everything: (session) => [async () => session.resume(emptySession)] },
  inspect: { everything: (session) => [() => session.inspect({ include_skills: true })] },
  permissions: {
    refuses: false,
    named: (session, target) => [
      () => session.permissions.check({ tool: 'skill_load', ...meant(target) }),
      () => session.permissions.remember(meant(target), { persist: false }),
    ],
    silent: 'rules',
  },
};

const emptySession = {
  ...{ version: 2, session_id: 'x', cwd: '/' },
  ...{ loaded: [], known: [], active: [], confirmed: [], quizzes: [] },
};

/** A row for each method of a provider. */
export const providerRows: Readonly<Record<string, HostRow<SkillContextProvider> | string>> = {
  getTier1Context: { everything: (provider) => [() => provider.getTier1Context()] },
  getTier2Context: { refuses: false, named: (provider, { word }) => [() => provider.getTier2Context(word)] },
  getTier3ResourceList: {
    refuses: false,
    named: (provider, { word }) =>
      (['references', 'scripts', 'assets'] as const).map(
        (type) => () => provider.getTier3ResourceList(word, type),
      ),
  },
  getTier3Resource: {
    refuses: false,
    named: (provider, { word, inside }) =>
      [reference, script, 'SKILL.md'].map((path) => [
        path,
        () => provider.getTier3Resource(word, inside + path),
      ]),
  },
  getSkill: { refuses: false, named: (provider, { word }) => [() => provider.getSkill(word)] },
  getSkillNames: { everything: (provider) => [() => provider.getSkillNames()], silent: 'names' },
};

type Input = Record<string, unknown>;
interface InputRow {
  readonly by?: 'user';
  readonly refuses?: false;
  readonly named?: (target: Target) => readonly Input[];
  readonly everything?: readonly Input[];
  readonly silent?: string;
}

/** A row for each tool that adapters give a model. */
export const adapterRows: Readonly<Record<string, InputRow | string>> = {
  skill_search: { everything: ['zorilla chapter', ...hiddenWords].map((query) => ({ query })) },
  skill_load: { named: (target) => [meant(target)] },
  skill_read: {
    named: (target) =>
      ['SKILL.md', reference, script].map((path) => ({ ...meant(target), file: target.inside + path })),
  },
  skill_outline: { named: (target) => [meant(target)] },
  skill_section: {
    named: (target) =>
      ['SKILL.md', target.inside + reference].map((section) => ({ ...meant(target), section })),
  },
  skill_find_in: {
    named: (target) => [{ ...meant(target), query: 'zorilla' }],
  },
  skill_run: {
    named: (target) => [{ ...meant(target), script: target.inside + script }],
    everything: [{ name: 'outer', script: 'own.sh' }],
  },
  skill_tool: {
    named: ({ word }) => [{ skill: word, tool: 'x' }],
    silent: 'the skill brings no tools along',
  },
  skill_quiz: { named: (target) => [meant(target)], silent: 'questions alone' },
};

/** A row for each method of the line protocol, or the reason why none is needed. */
export const rpcRows: Readonly<Record<string, InputRow | string>> = {
  initialize: 'says which methods there are',
  'skills.setEnabled': 'echoes names',
  'skills.list': { everything: [{}, { force_reload: true }] },
  'skills.search': { everything: ['zorilla chapter', ...hiddenWords].map((query) => ({ query })) },
  'skills.load': { named: (target) => [meant(target)] },
  'skills.read': {
    named: (target) =>
      ['SKILL.md', reference, 'references/qxfil.md'].map((path) => ({
        ...meant(target),
        file: target.inside + path,
      })),
  },
  'skills.resources': {
    named: (target) => [meant(target), { ...meant(target), directory: `${target.inside}references` }],
  },
  'skills.outline': { named: (target) => [meant(target)] },
  'skills.section': {
    named: (target) =>
      ['SKILL.md', target.inside + reference].map((section) => ({ ...meant(target), section })),
  },
  'skills.findIn': {
    named: (target) => [{ ...meant(target), query: 'zorilla' }],
  },
  'skills.plan': { named: (target) => [{ ...meant(target), by: 'model' }] },
  'skills.mentions': {
    by: 'user',
    refuses: false,
    named: ({ word, isName }) => [{ text: isName ? `use $${word}` : `use [$written-name](${word})` }],
  },
  'skills.triggers': { everything: [{ text: 'use the written-name for zorillas' }] },
  'skills.quiz': { named: (target) => [meant(target)], silent: 'questions alone' },
  'skills.answerQuiz': {
    named: (target) => [{ ...meant(target), choices: [{ question: 9, options: [1] }] }],
    silent: 'what is wrong with the answers',
  },
  'scripts.list': { named: (target) => [meant(target)] },
  'scripts.run': {
    named: (target) => [{ ...meant(target), script: target.inside + script }],
    everything: [{ name: 'outer', script: 'own.sh' }],
  },
  'tools.activate': { named: (target) => [meant(target)], silent: 'the skill brings no tools along' },
  'tools.list': { everything: [{}], silent: 'none is active' },
  'tools.call': {
    refuses: false,
    named: ({ word }) => [{ skill: word, tool: 'x' }],
    silent: 'the skill brings no tools along',
  },
  'tools.deactivate': 'says whether it was active',
  'hooks.decide': {
    by: 'user',
    named: (target) => [{ ...meant(target), decision: 'run' }],
    silent: 'keeps a decision',
  },
  'hooks.dispatch': { everything: [{ event: 'Stop' }], silent: 'none is loaded' },
  'context.prompt': {
    everything: Object.keys(catalogRenderers).map((renderer) => ({ renderer })),
  },
  'context.inspect': { everything: [{ include_skills: true }] },
  'context.compacted': { everything: [{}], silent: 'none is loaded' },
  'session.save': { everything: [{}], silent: 'identities' },
  'session.resume': { everything: [{ saved: emptySession }] },
  'permissions.check': { refuses: false, named: (target) => [meant(target)], silent: 'rules' },
  'permissions.remember': {
    refuses: false,
    named: (target) => [{ ...meant(target), persist: false }],
    silent: 'says whether it was written',
  },
  'requests.cancel': 'knows the ids of requests',
};
