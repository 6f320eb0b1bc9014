// Creates a session, the one way every front end finds, loads and reads skills.

import { dirname } from 'node:path';
import { diagnose, SkillwrightError } from '../../base/diagnostics/index.ts';
import { listFiles } from '../../base/files/index.ts';
import { findOpened } from '../../read/access/index.ts';
import {
  type answerSearch,
  catalogRenderers,
  type FittedCatalog,
  fitCatalog,
  type SkillCatalog,
  type SkillRecord,
  searchLimits,
} from '../../read/catalog/index.ts';
import { createJudge, isOpenToAnyone, standingWithin, tryOpen } from '../../skill/judge/index.ts';
import { createQuizMemory } from '../../skill/quiz/index.ts';
import { readSwitchedOff } from '../../skill/workspace/index.ts';
import { compactLoaded } from './compact-loaded.ts';
import { createConfirmations } from './confirmations.ts';
import { findMentions } from './find-mentions.ts';
import { inspectSession } from './inspect-session.ts';
import { logSession } from './log-session.ts';
import { planInvocation } from './plan-invocation.ts';
import { allowedFiles, listResources, readGuarded, relativePath } from './read-resource.ts';
import { compareSaved, type LoadedSkill, readSavedSession } from './saved-session.ts';
import type { PromptOptions, Session, SessionOptions } from './session.ts';
import { findHeldHooks, hookEventsOf } from './session-hooks.ts';
import { loadGateCheck, openQuiz, quizInstead, quizSkills } from './session-quiz.ts';
import { listSkillScripts, runSkillScript } from './session-scripts.ts';
import { readSettings } from './session-settings.ts';
import { createSessionToolsets, openIfActivatable } from './session-toolsets.ts';
import { createViewer } from './session-view.ts';
import { MAX_BODY_BYTES, renderReminder, renderSkillContext, renderSkillQuiz } from './skill-context.ts';
import { fitSkillFiles } from './skill-files.ts';
import { createGuard, type GuardedSkill, type GuardOptions } from './skill-guard.ts';
import { remarksOn } from './skill-remarks.ts';
import { suggestSkills } from './suggest-skills.ts';
import { takeUpSession } from './take-up-session.ts';

const MAX_RESOURCE_BYTES = 1024 * 1024;
const MAX_LISTED_RESOURCES = 1000;
/** Longest part of a message that is examined, and most skills suggested. */
const MAX_MESSAGE = 64 * 1024;
const MAX_SUGGESTIONS = 20;

/** Opens a session. E100 for an invalid limit; E110 when the configuration or a permission rule is broken. */
export async function createSession(given: SessionOptions): Promise<Session> {
  const options = { ...given, env: given.env ?? process.env };
  const { cwd, home, env, policy = 'ambiguous', trust = false, maxBodyBytes = MAX_BODY_BYTES, log } = options;
  let id = options.sessionId ?? crypto.randomUUID();
  let settings = await readSettings(options);
  let catalog: Promise<SkillCatalog> | undefined;
  const viewOf = createViewer(policy);
  const loaded = new Map<string, LoadedSkill>();
  /** Events that loaded and active skills had hooks for when last read. */
  const hookEvents = new Map<string, readonly string[]>();
  const ownMemory = createQuizMemory(id);
  const { quizMemory = ownMemory } = options;

  const currentCatalog = () => {
    catalog ??= readCatalog().catch((error) => {
      catalog = undefined;
      throw error;
    });
    return catalog;
  };
  const currentView = async () => viewOf(await currentCatalog(), settings);
  const readCatalog = async () => {
    if (options.loadCatalog !== undefined) return options.loadCatalog();
    const { loadCatalog } = await import('../../read/catalog/load-catalog.ts');
    return loadCatalog(settings.workspace, options.discovery);
  };
  /** The current rules: permissions as last read, on/off switches as on disk. */
  const law = () => ({ rules: settings.permissions, off: readSwitchedOff(settings.workspace.stores) });
  const judge = () => createJudge(law(), () => quizMemory);
  const confirmations = createConfirmations(() => settings, options.confirm);
  const guard = createGuard(options, { view: currentView, settings: () => settings, judge, confirmations });

  /** Opens a loaded skill for the model or the user, whichever may use it. A declined question is not asked again. */
  const accessByAnyone = (path: string, runs?: GuardOptions['runs']) =>
    guard.access({ path }, { operation: 'run', runs }).catch((error) => {
      if (error instanceof SkillwrightError && error.code === 'E061') throw error;
      return guard.access({ path }, { by: 'user', operation: 'run', runs });
    });
  /** A skill whose code may be run now. E062 while a quiz locks it. */
  const openToRun = async (access: Promise<GuardedSkill>): Promise<GuardedSkill> => {
    const opened = await access;
    const { gate } = await opened.reach([]);
    if (gate !== undefined) throw gate.refusal(opened.skill.name);
    return opened;
  };
  const toolsets = createSessionToolsets({
    options,
    sessionId: () => id,
    config: () => settings.config,
    async admit({ path }) {
      await openToRun(accessByAnyone(path));
    },
    isAdmitted: (skill) =>
      isOpenToAnyone(skill, { model: 'run', user: 'run' }, { law: law(), enclosing: judge().enclosing }) &&
      !isClosed(skill.dir),
  });
  let isClosed = (_dir: string) => false;
  const activate = async (access: (runs: GuardOptions['runs']) => Promise<GuardedSkill>) => {
    const opened = await openIfActivatable((runs) => openToRun(access(runs)));
    if (opened === undefined) return { tools: [], diagnostics: [] };
    isClosed = await loadGateCheck(quizMemory);
    hookEvents.set(opened.skill.path, hookEventsOf(opened.content.frontmatter));
    const { tools, diagnostics } = await toolsets.activate(opened.skill);
    return { tools, diagnostics: [...opened.diagnostics, ...diagnostics] };
  };
  const prompt = async ({ renderer: wanted, budgets }: PromptOptions = {}): Promise<FittedCatalog> => {
    const { estimateTokens, searchHint } = options;
    const renderer = wanted ?? options.renderer ?? 'available-skills';
    const { visible } = await currentView();
    return fitCatalog(visible.skills, {
      render: typeof renderer === 'function' ? renderer : catalogRenderers[renderer],
      budget: { ...settings.budget, ...budgets },
      incomplete: visible.truncated,
      ...(estimateTokens === undefined ? {} : { estimateTokens }),
      ...(searchHint === undefined ? {} : { hint: searchHint }),
    });
  };

  /** Searches the skills the model may see. */
  const find = async (query: string, how: Parameters<typeof answerSearch>[2]) => {
    const { answerSearch } = await import('../../read/catalog/answer-search.ts');
    // Search the whole catalog, so that the prepared index survives a change of visibility.
    const whole = await currentCatalog();
    const { visiblePaths } = viewOf(whole, settings);
    const opened = await findOpened(whole.skills, judge());
    return answerSearch(whole, query, { ...how, opened, accept: ({ path }) => visiblePaths.has(path) });
  };

  const session: Session = {
    get id() {
      return id;
    },
    async catalog({ reload = false } = {}) {
      if (reload) {
        settings = await readSettings(options);
        catalog = undefined;
      }
      const { visible, hidden, catalog: whole } = await currentView();
      const { errors, truncated, diagnostics } = whole;
      return {
        skills: visible.skills,
        hidden,
        errors,
        truncated,
        diagnostics: [...settings.diagnostics, ...diagnostics, ...confirmations.diagnostics],
      };
    },
    prompt,
    async search({ query, limit, scope }) {
      if (query.trim() === '') throw SkillwrightError.of('E004', {});
      const place = scope === 'repo' ? 'project' : scope;
      return find(query, { limit, limits: searchLimits(settings.config), scope: place });
    },
    async load(reference, how = {}) {
      const guarded = await guard.access(reference, how);
      const { skill, shadowed, content } = guarded;
      const metadata = {
        skill_id: skill.id,
        name: skill.name,
        path: skill.path,
        dir: skill.dir,
        mtime_ms: content.mtimeMs,
      };
      const diagnostics = [
        ...shadowed.map(({ name, path }) => diagnose('W004', { skill: name }, { data: { path } })),
        ...guarded.diagnostics,
      ];
      // Check after reading: an edit in between closes the gate again.
      const quiz = how.author === true ? undefined : await quizInstead(skill, quizMemory);
      if (quiz !== undefined) {
        return {
          status: 'quiz',
          text: renderSkillQuiz(skill, quiz),
          truncated: false,
          next_offset: null,
          metadata,
          quiz,
          diagnostics,
        };
      }
      const { offset = 0, calls } = how;
      const before = loaded.get(skill.path);
      const isSame = before?.digest === content.digest;
      if (before?.in_context === true && isSame && how.force !== true && offset === 0)
        return {
          status: 'already-loaded',
          text: renderReminder(skill),
          truncated: false,
          next_offset: null,
          metadata,
          diagnostics,
        };
      const context = renderSkillContext(skill, {
        body: content.body,
        files: fitSkillFiles(skill.dir, { allows: await allowedFiles(guarded) }),
        maxBodyBytes,
        offset,
        calls,
        isOther: offset > 0 && before !== undefined && !isSame,
      });
      const { skill_id, name, path, mtime_ms } = metadata;
      // A later part is useless without the first.
      if (offset === 0) {
        loaded.set(path, { skill_id, name, path, digest: content.digest, mtime_ms, in_context: true });
        hookEvents.set(path, hookEventsOf(content.frontmatter));
      }
      const remarks = await remarksOn(content);
      return { status: 'loaded', ...context, metadata, diagnostics: [...diagnostics, ...remarks] };
    },
    async readResource({ file, offset, limit, ...reference }, how = {}) {
      const maxBytes = options.maxResourceBytes ?? MAX_RESOURCE_BYTES;
      return readGuarded(await guard.access(reference, how), file, { maxBytes, offset, limit });
    },
    async listResources(reference, { directory, limit = MAX_LISTED_RESOURCES, ...how } = {}) {
      const guarded = await guard.access(reference, how);
      const files = listResources(guarded.skill, directory).filter(await allowedFiles(guarded));
      return { files: files.slice(0, limit), total: files.length, truncated: files.length > limit };
    },
    async listScripts(reference, how = {}) {
      const { skill, reach } = await guard.access(reference, how);
      const { gate, allowsName, allowsFile } = await reach(listFiles(skill.dir));
      const scripts = await listSkillScripts(skill, { closed: gate !== undefined });
      return scripts
        .filter(({ path }) => allowsName(path))
        .map((entry) => (allowsFile(entry.path) ? entry : { ...entry, summary: '' }));
    },
    async runScript(reference, script, how = {}) {
      const { openScript } = await import('../../guard/execute/list-scripts.ts');
      const runs = (dir: string) => void openScript(dir, relativePath({ dir }, script));
      const { skill, reach, diagnostics } = await guard.access(reference, { ...how, operation: 'run', runs });
      for (const diagnostic of diagnostics) how.report?.(diagnostic);
      const { path } = openScript(skill.dir, relativePath(skill, script));
      const { allowsFile, refusal } = await reach([path]);
      if (!allowsFile(path)) throw refusal(skill.name, path);
      const surroundings = { home, env, config: settings.config, sandbox: options.sandbox };
      return runSkillScript(skill, relativePath(skill, script), { ...how, ...surroundings });
    },
    activate: (reference, how = {}) =>
      activate((runs) => guard.access(reference, { ...how, operation: 'run', runs })),
    deactivate: toolsets.deactivate,
    tools: toolsets.tools,
    async hooks(event, payload, { signal } = {}) {
      const paths = new Set([...loaded.keys(), ...toolsets.active().map(({ path }) => path)]);
      const held = await findHeldHooks({
        event,
        payload,
        skills: new Map([...paths].map((path) => [path, hookEvents.get(path) ?? []])),
        access: (path) => openToRun(accessByAnyone(path)),
      });
      const report = await toolsets.dispatch(event, payload, { ...held, signal });
      return { ...report, diagnostics: [...held.diagnostics, ...report.diagnostics] };
    },
    close: toolsets.close,
    async mentions(text) {
      const view = await currentView();
      const { enclosing } = judge();
      const hidden = (skill: SkillRecord) => {
        const question = { operation: 'invoke', by: 'user' } as const;
        const standing = standingWithin(skill, question, { law: view.law, enclosing });
        return 'reason' in standing ? standing.reason : undefined;
      };
      return findMentions(text, { catalog: view.catalog, cwd, home, policy, hidden });
    },
    async triggers(text) {
      const { skills } = (await currentView()).visible;
      const { results: found } = await find(text.slice(0, MAX_MESSAGE), { limit: MAX_SUGGESTIONS });
      return suggestSkills(text.slice(0, MAX_MESSAGE), { skills, found });
    },
    async plan(reference, args = '', how = {}) {
      const by = how.by ?? 'user';
      const guarded = await guard.access(reference, { ...how, by });
      const { permissions } = settings;
      return planInvocation(guarded.skill, args, {
        by,
        permissions,
        sessionId: id,
        projectDir: cwd,
        maxBodyBytes,
        offset: how.offset,
        allows: await allowedFiles(guarded),
        ...(how.author === true ? { author: true } : { quizMemory }),
        ...(options.runDynamic === undefined ? {} : { runDynamic: options.runDynamic }),
      });
    },
    quizMemory,
    async quiz(reference, how = {}) {
      const { skill } = await guard.access(reference, how);
      return (await openQuiz(skill, { memory: quizMemory })).view();
    },
    async answerQuiz(reference, choices, how = {}) {
      const { skill } = await guard.access(reference, how);
      const skills = quizSkills({
        find: async (name) => (await guard.access({ name }, how)).skill,
        load: async (name) => (await session.load({ name }, how)).text,
      });
      const run = await openQuiz(skill, { memory: quizMemory, skills });
      const answers = await run.answerAll(choices);
      return { answers, quiz: run.view() };
    },
    compacted({ kept = [] } = {}) {
      const place = { law: law(), enclosing: judge().enclosing };
      const isOpen = ({ path }: LoadedSkill) => {
        const skill = tryOpen(dirname(path));
        return skill !== undefined && isOpenToAnyone(skill, { model: 'read', user: 'invoke' }, place);
      };
      return compactLoaded(loaded, { kept, isOpen });
    },
    async save() {
      const view = await currentView();
      return {
        version: 2,
        session_id: id,
        cwd,
        loaded: [...loaded.values()],
        active: toolsets.saved(),
        confirmed: [...confirmations.list()],
        known: view.catalog.skills.map((skill) => skill.id),
        quizzes: ownMemory.save(),
      };
    },
    async resume(saved, { vouched = false } = {}) {
      const before = readSavedSession(saved);
      const view = await currentView();
      const { catalog: all, visible } = view;
      // The model received user-only skills too.
      const usable = all.skills.filter((skill) => guard.isUsable(skill, view));
      const report = compareSaved(before, { usable, listed: visible.skills });
      id = before.session_id;
      ownMemory.restore(before.quizzes, id);
      for (const skill of [...report.unchanged, ...report.changed]) {
        loaded.set(skill.path, skill);
        hookEvents.set(skill.path, hookEventsOf(tryOpen(dirname(skill.path))?.frontmatter ?? {}));
      }
      const again = async (path: string) =>
        toolsets.toolsOf(path) ?? (await activate((runs) => accessByAnyone(path, runs)));
      const rest = await takeUpSession(before, { cwd, usable, vouched, confirmations, activate: again });
      return { ...report, ...rest };
    },
    inspect: async (how = {}) =>
      inspectSession(
        {
          session_id: id,
          cwd,
          trusted: trust,
          loaded: [...loaded.values()],
          view: await currentView(),
          prompt: await prompt(),
          budget: settings.budget,
        },
        how,
      ),
    permissions: { check: guard.check, remember: guard.remember },
    async provider() {
      const whole = await currentCatalog();
      const { SkillContextProvider } = await import('./skill-context-provider.ts');
      const { estimateTokens, searchHint: hint } = options;
      return new SkillContextProvider({
        visible: () => viewOf(whole, settings).visible.skills,
        access: (path) => guard.access({ path }, {}),
        resources: outer,
        budget: settings.budget,
        incomplete: whole.truncated,
        quizMemory,
        estimateTokens,
        hint,
      });
    },
  };
  const outer = log ? logSession(session, { ...options, ...(log === true ? {} : log) }) : session;
  return outer;
}
