// A session: one place through which every front end finds, loads and reads skills.

import { randomUUID } from 'node:crypto';
import type { SkillCatalog, SkillRecord } from '../catalog/skill-record.ts';
import { diagnose } from '../diagnostics/diagnostic.ts';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { catalogRenderers } from './catalog-renderers.ts';
import { findMentions } from './find-mentions.ts';
import { type FoundRecord, findRecord, type SkillReference } from './find-record.ts';
import { type FittedCatalog, fitCatalog } from './fit-catalog.ts';
import { decide, hiddenReason, refusal } from './judge-skill.ts';
import { matchTriggers } from './match-triggers.ts';
import { rememberPermission } from './permission-memory.ts';
import { planInvocation } from './plan-invocation.ts';
import { listResources, readResource } from './read-resource.ts';
import { type ReadSkill, readSkill } from './read-skill.ts';
import { compareSaved, type LoadedSkill, readSavedSession } from './saved-session.ts';
import type { LoadOptions, Session, SessionOptions } from './session.ts';
import { readSettings } from './session-settings.ts';
import { createViewer } from './session-view.ts';
import { renderLoadedSkills, renderReminder, renderSkillContext } from './skill-context.ts';
import { listSkillFiles } from './skill-files.ts';
import { wireSkill } from './wire-skill.ts';

const MAX_BODY_BYTES = 256 * 1024;
const MAX_RESOURCE_BYTES = 1024 * 1024;
const MAX_LISTED_RESOURCES = 1000;

/** Opens a session. E110 when configuration or a permission rule is broken. */
export async function createSession(options: SessionOptions): Promise<Session> {
  const { cwd, home, env = {}, policy = 'ambiguous', trust = false } = options;
  const id = options.sessionId ?? randomUUID();
  let settings = await readSettings(options);
  let catalog: Promise<SkillCatalog> | undefined;
  const viewOf = createViewer({ cwd, home, env, policy });
  const loaded = new Map<string, LoadedSkill>();
  const confirmed = new Set<string>();

  const currentView = async () => {
    catalog ??= readCatalog();
    return viewOf(await catalog, settings.permissions);
  };
  const readCatalog = async () => {
    if (options.loadCatalog !== undefined) return options.loadCatalog();
    const { loadCatalog } = await import('../catalog/load-catalog.ts');
    return loadCatalog(settings.catalog);
  };
  const find = async (reference: SkillReference, by: LoadOptions['by'] = 'model'): Promise<FoundRecord> => {
    const view = await currentView();
    const hidden = (skill: SkillRecord) => hiddenReason(skill, { permissions: settings.permissions, by });
    return findRecord(view.catalog, reference, { cwd, home, policy, hidden });
  };

  /** The skill as it is on the disk now, after every check: on what was resolved, not on what was asked for. */
  const access = async (
    reference: SkillReference,
    how: LoadOptions,
  ): Promise<FoundRecord & { content: ReadSkill }> => {
    const { by = 'model' } = how;
    const found = await find(reference, by);
    const content = readSkill(found.skill);
    const now = { ...found.skill, frontmatter: content.frontmatter };
    const reason = hiddenReason(now, { permissions: settings.permissions, by });
    if (reason !== undefined) throw refusal(found.skill, reason);
    if (decide(now, settings.permissions).effect === 'confirm') await askFor(now, content, how);
    return { ...found, content };
  };
  const askFor = async (skill: SkillRecord, { digest }: ReadSkill, how: LoadOptions): Promise<void> => {
    const key = `${skill.path}\0${digest}`;
    if (confirmed.has(key)) return;
    const answer = how.confirmed === true || (await options.confirm?.(skill));
    if (answer !== true && answer !== 'remember')
      throw SkillwrightError.of('E061', { skill: skill.name }, { data: { path: skill.path } });
    confirmed.add(key);
    if (answer === 'remember') remember(skill);
  };
  const remember = (skill: SkillRecord): boolean => {
    const persisted = rememberPermission(home, skill.name);
    if (persisted) settings.permissions.allow({ tool: 'skill_load', skill_name: skill.name });
    else confirmed.add(`${skill.path}\0${skill.digest}`);
    return persisted;
  };

  const prompt = async (): Promise<FittedCatalog> => {
    const { renderer = 'available-skills', estimateTokens, searchHint } = options;
    const { visible } = await currentView();
    return fitCatalog(visible.skills, {
      render: typeof renderer === 'function' ? renderer : catalogRenderers[renderer],
      budget: settings.budget,
      ...(estimateTokens === undefined ? {} : { estimateTokens }),
      ...(searchHint === undefined ? {} : { hint: searchHint }),
    });
  };

  return {
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
      const { visible } = await currentView();
      const seen = new Set(visible.skills.map(({ path }) => path));
      const { searchSkills } = await import('../catalog/search-skills.ts');
      // The whole catalog, so that what searching prepares once survives a change of what may be seen.
      return searchSkills(await catalog!, query, {
        accept: ({ path }) => seen.has(path),
        ...(limit === undefined ? {} : { limit }),
        ...(scope === undefined ? {} : { scope: scope === 'repo' ? 'project' : scope }),
      });
    },
    async load(reference, how = {}) {
      const { skill, shadowed, content } = await access(reference, how);
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
      const before = loaded.get(skill.path);
      if (before?.in_context === true && before.digest === content.digest && how.force !== true)
        return {
          status: 'already-loaded',
          text: renderReminder(skill),
          truncated: false,
          metadata,
          diagnostics,
        };
      const { text, truncated } = renderSkillContext(skill, {
        body: content.body,
        files: listSkillFiles(skill.dir),
        maxBodyBytes: options.maxBodyBytes ?? MAX_BODY_BYTES,
      });
      const { skill_id, name, path, mtime_ms } = metadata;
      loaded.set(path, { skill_id, name, path, digest: content.digest, mtime_ms, in_context: true });
      return { status: 'loaded', text, truncated, metadata, diagnostics };
    },
    async readResource(reference, path, how = {}) {
      const { skill } = await access(reference, how);
      return readResource(skill, path, { maxBytes: options.maxResourceBytes ?? MAX_RESOURCE_BYTES });
    },
    async listResources(reference, { directory, limit = MAX_LISTED_RESOURCES, ...how } = {}) {
      const { skill } = await access(reference, how);
      const files = listResources(skill, directory);
      return { files: files.slice(0, limit), total: files.length, truncated: files.length > limit };
    },
    async mentions(text) {
      const view = await currentView();
      const hidden = (skill: SkillRecord) =>
        hiddenReason(skill, { permissions: settings.permissions, by: 'user' });
      return findMentions(text, { catalog: view.catalog, cwd, home, policy, hidden });
    },
    async triggers(text) {
      return matchTriggers(text, (await currentView()).visible.skills);
    },
    async plan(reference, args = '', how = {}) {
      const by = how.by ?? 'user';
      const { skill } = await access(reference, { ...how, by });
      const { permissions } = settings;
      return planInvocation(skill, args, {
        by,
        permissions,
        sessionId: id,
        projectDir: cwd,
        ...(options.runDynamic === undefined ? {} : { runDynamic: options.runDynamic }),
      });
    },
    compacted() {
      for (const [path, skill] of loaded) loaded.set(path, { ...skill, in_context: false });
      const skills = [...loaded.values()];
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
      };
    },
    async resume(saved) {
      const before = readSavedSession(saved);
      const { catalog: all } = await currentView();
      const usable = all.skills.filter(
        (skill) => hiddenReason(skill, { permissions: settings.permissions, by: 'model' }) === undefined,
      );
      const report = compareSaved(before, usable);
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
    permissions: {
      async check({ tool, ...reference }) {
        const { permissions } = settings;
        if (reference.name === undefined && reference.path === undefined) return permissions.check({ tool });
        const { catalog: all } = await currentView();
        const { skill } = findRecord(all, reference, { cwd, home, policy, hidden: () => undefined });
        return decide(skill, permissions, tool);
      },
      async remember(reference) {
        const { skill } = await find(reference);
        return remember(skill);
      },
    },
  };
}
