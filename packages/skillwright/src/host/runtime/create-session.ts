// A session: one place through which every front end finds, loads and reads skills.

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
import { findMentions } from './find-mentions.ts';
import { planInvocation } from './plan-invocation.ts';
import { allowedFiles, listResources, readGuarded, relativePath } from './read-resource.ts';
import { compareSaved, type LoadedSkill, readSavedSession } from './saved-session.ts';
import type { PromptOptions, Session, SessionOptions } from './session.ts';
import { openQuiz, quizInstead, quizSkills } from './session-quiz.ts';
import { listSkillScripts, runSkillScript } from './session-scripts.ts';
import { readSettings } from './session-settings.ts';
import { createSessionToolsets, tryAccess } from './session-toolsets.ts';
import { createViewer } from './session-view.ts';
import {
  MAX_BODY_BYTES,
  renderLoadedSkills,
  renderReminder,
  renderSkillContext,
  renderSkillQuiz,
} from './skill-context.ts';
import { fitSkillFiles } from './skill-files.ts';
import { createGuard, type GuardedSkill } from './skill-guard.ts';
import { remarksOn } from './skill-remarks.ts';
import { suggestSkills } from './suggest-skills.ts';
import { wireSkill } from './wire-skill.ts';

const MAX_RESOURCE_BYTES = 1024 * 1024;
const MAX_LISTED_RESOURCES = 1000;
/** Further text of a message is not looked at, and further skills are not suggested. */
const MAX_MESSAGE = 64 * 1024;
const MAX_SUGGESTIONS = 20;

/** Opens a session. E110 when configuration or a permission rule is broken. */
export async function createSession(options: SessionOptions): Promise<Session> {
  const { cwd, home, env = {}, policy = 'ambiguous', trust = false, maxBodyBytes = MAX_BODY_BYTES } = options;
  const id = options.sessionId ?? crypto.randomUUID();
  let settings = await readSettings(options);
  let catalog: Promise<SkillCatalog> | undefined;
  const viewOf = createViewer(policy);
  const loaded = new Map<string, LoadedSkill>();
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
  /** The law of now: rules as they were read last, switches as they are on the disk. */
  const law = () => ({ rules: settings.permissions, off: readSwitchedOff(settings.workspace.stores) });
  const judge = () => createJudge(law(), () => quizMemory);
  const guard = createGuard(options, { view: currentView, settings: () => settings, judge });

  /** A loaded skill is one that either the model or the user may use. */
  const accessByAnyone = (path: string) =>
    guard
      .access({ path }, { operation: 'run' })
      .catch(() => guard.access({ path }, { by: 'user', operation: 'run' }));
  /** A skill that something may be run of just now. E062 while its quiz keeps it closed. */
  const openToRun = async (access: Promise<GuardedSkill>): Promise<GuardedSkill> => {
    const opened = await access;
    const { gate } = await opened.reach([]);
    if (gate !== undefined) throw gate.refusal(opened.skill.name);
    return opened;
  };
  const toolsets = createSessionToolsets({
    options,
    sessionId: id,
    config: () => settings.config,
    async admit({ path }) {
      await openToRun(accessByAnyone(path));
    },
    isAdmitted: (skill) =>
      isOpenToAnyone(skill, { model: 'run', user: 'run' }, { law: law(), enclosing: judge().enclosing }),
  });
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

  /** Searches what the model may see. */
  const find = async (query: string, how: Parameters<typeof answerSearch>[2]) => {
    const { answerSearch } = await import('../../read/catalog/answer-search.ts');
    // The whole catalog, so that what searching prepares once survives a change of what may be seen.
    const whole = await currentCatalog();
    const { visiblePaths } = viewOf(whole, settings);
    const opened = await findOpened(whole.skills, judge());
    return answerSearch(whole, query, { ...how, opened, accept: ({ path }) => visiblePaths.has(path) });
  };

  const session: Session = {
    id,
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
        diagnostics: [...settings.diagnostics, ...diagnostics],
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
      const diagnostics = shadowed.map(({ name, path }) =>
        diagnose('W004', { skill: name }, { data: { path } }),
      );
      // Asked after reading: whatever was edited in between has closed the gate.
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
      // A later part is no use without the first.
      if (offset === 0)
        loaded.set(path, { skill_id, name, path, digest: content.digest, mtime_ms, in_context: true });
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
      const { gate, allowsName } = await reach(listFiles(skill.dir));
      const scripts = await listSkillScripts(skill, { closed: gate !== undefined });
      return scripts.filter(({ path }) => allowsName(path));
    },
    async runScript(reference, script, how = {}) {
      const { skill, reach } = await guard.access(reference, { ...how, operation: 'run' });
      const { allowsFile, refusal } = await reach([relativePath(skill, script)]);
      if (!allowsFile(relativePath(skill, script))) throw refusal(skill.name, relativePath(skill, script));
      const surroundings = { home, env, config: settings.config, sandbox: options.sandbox };
      return runSkillScript(skill, relativePath(skill, script), { ...how, ...surroundings });
    },
    async activate(reference, how = {}) {
      const { skill } = await openToRun(guard.access(reference, { ...how, operation: 'run' }));
      return toolsets.activate(skill);
    },
    deactivate: toolsets.deactivate,
    tools: toolsets.tools,
    async hooks(event, payload, { signal } = {}) {
      const paths = [...new Set([...loaded.keys(), ...toolsets.paths()])];
      const accesses = await Promise.all(
        paths.map((path) => tryAccess(() => openToRun(accessByAnyone(path)))),
      );
      const refused = accesses.flatMap((access) => ('code' in access ? [access] : []));
      const skills = accesses.flatMap((access) => ('code' in access ? [] : [access.skill]));
      const report = await toolsets.dispatch(event, payload, { skills, signal });
      return { ...report, diagnostics: [...refused, ...report.diagnostics] };
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
    compacted() {
      for (const [path, skill] of loaded) loaded.set(path, { ...skill, in_context: false });
      const place = { law: law(), enclosing: judge().enclosing };
      // Of what is off, denied or gone by now the model is not reminded.
      const skills = [...loaded.values()].filter(({ path }) => {
        const skill = tryOpen(dirname(path));
        return skill !== undefined && isOpenToAnyone(skill, { model: 'read', user: 'invoke' }, place);
      });
      return { skills, text: renderLoadedSkills(skills) };
    },
    async save() {
      const view = await currentView();
      return {
        version: 1,
        session_id: id,
        cwd,
        loaded: [...loaded.values()],
        known: view.catalog.skills.map((skill) => skill.id),
        ...(ownMemory.save().length === 0 ? {} : { quizzes: ownMemory.save() }),
      };
    },
    async resume(saved) {
      const before = readSavedSession(saved);
      const view = await currentView();
      const { catalog: all, visible } = view;
      // What only the user may invoke was given to the model all the same.
      const usable = all.skills.filter((skill) => guard.isUsable(skill, view));
      const report = compareSaved(before, { usable, listed: visible.skills });
      ownMemory.restore(before.quizzes ?? []);
      for (const skill of [...report.unchanged, ...report.changed]) loaded.set(skill.path, skill);
      return report;
    },
    async inspect({ include_skills = false } = {}) {
      const { visible, hidden, catalog: whole } = await currentView();
      const { shown, bytes, tokens, shortened, missing } = await prompt();
      const { budget } = settings;
      return {
        session_id: id,
        cwd,
        trusted: trust,
        loaded_versions: [...loaded.values()],
        budget: {
          entries: { used: shown, limit: budget.entries },
          bytes: { used: bytes, limit: budget.bytes },
          tokens: { used: tokens, limit: budget.tokens ?? null },
          shortened,
          missing,
        },
        ...(include_skills
          ? {
              skills: {
                skills: visible.skills.map(wireSkill),
                hidden: hidden.map(({ skill: { path, name }, reason }) => ({ path, name, reason })),
                errors: whole.errors,
                truncated: whole.truncated,
              },
            }
          : {}),
      };
    },
    permissions: { check: guard.check, remember: guard.remember },
    async provider() {
      const { catalog: whole } = await currentView();
      const { SkillContextProvider } = await import('./skill-context-provider.ts');
      const { estimateTokens, searchHint: hint } = options;
      return new SkillContextProvider(whole, {
        permissions: settings.permissions,
        off: readSwitchedOff(settings.workspace.stores),
        budget: settings.budget,
        quizMemory,
        ...(estimateTokens === undefined ? {} : { estimateTokens }),
        ...(hint === undefined ? {} : { hint }),
      });
    },
  };
  return session;
}
