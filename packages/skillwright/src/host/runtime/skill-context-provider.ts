// Skills in three tiers: a list for the system prompt, the text of one skill, and its resources.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { recordsNamed } from '../../read/access/index.ts';
import {
  catalogRenderers,
  fitCatalog,
  neutralise,
  type SkillCatalog,
  type SkillRecord,
} from '../../read/catalog/index.ts';
import { renderQuiz } from '../../skill/quiz/index.ts';
import { bodyOf, plainText, SKILL_FILE } from '../../skill/skill/index.ts';
import { quizInstead, stubOf } from './load-skill.ts';
import { logCall } from './log-session.ts';
import { openFor, type SessionState } from './session-state.ts';

/** Conventional resource directories of a skill. */
type ResourceType = 'scripts' | 'references' | 'assets';

const resourceTypes: readonly string[] = ['scripts', 'references', 'assets'] satisfies ResourceType[];

/**
 * Serves skills to a model in tiers; `session.provider()` creates one. If several skills share a name, the project's
 * wins, then the user's. Skills that are disabled, unavailable, denied or hidden from the model do not appear. Skills
 * that need confirmation are listed, and their text is served once the user confirms.
 */
export class SkillContextProvider {
  readonly #state: SessionState;
  /** The catalog of its creation; the rules and switches are those of now. */
  readonly #catalog: SkillCatalog;
  readonly #stubs: boolean;
  #known: { visible: readonly SkillRecord[]; skills: ReadonlyMap<string, SkillRecord> } | undefined;

  constructor(state: SessionState, catalog: SkillCatalog, stubs: boolean) {
    this.#state = state;
    this.#catalog = catalog;
    this.#stubs = stubs;
  }

  /** Tier 1: the list for the system prompt, as `<available_skills>`; empty when there are no skills. */
  getTier1Context(): string {
    const { estimateTokens, searchHint: hint } = this.#state.options;
    return fitCatalog([...this.#skills().values()], {
      render: catalogRenderers['available-skills'],
      incomplete: this.#catalog.truncated,
      budget: this.#state.settings.budget,
      estimateTokens,
      hint,
    }).text;
  }

  /**
   * Tier 2: the text of SKILL.md, its stub, or the quiz that locks it; null when there is no such skill or it may not be
   * loaded.
   */
  async getTier2Context(skillName: string): Promise<string | null> {
    const record = this.getSkill(skillName);
    if (record === undefined) return null;
    const read = async ({ path }: SkillRecord) => {
      const skill = await openFor(this.#state, { path }, {});
      const quiz = await quizInstead(skill, this.#state.quizMemory);
      if (quiz !== undefined) return neutralise(renderQuiz(quiz));
      const stub = this.#stubs ? await stubOf(this.#state, skill) : undefined;
      if (stub !== undefined) return stub;
      // The frontmatter contains the answers of a quiz.
      return neutralise(skill.frontmatter.quiz === undefined ? plainText(skill) : bodyOf(skill).body);
    };
    const { path, dir } = record;
    return logCall(this.#state, {
      command: 'load',
      reference: { path },
      args: { name: skillName },
      run: () => this.#orNull(skillName, read),
      served: (text) => ({ text: text ?? '', dir, parts: text === null ? [] : [{ file: SKILL_FILE }] }),
    });
  }

  /** Tier 3: resources of one kind, as paths relative to the skill. */
  async getTier3ResourceList(skillName: string, resourceType: ResourceType): Promise<string[]> {
    if (!resourceTypes.includes(resourceType)) return [];
    const limit = Number.POSITIVE_INFINITY;
    const files = await this.#orNull(skillName, async ({ path }) => {
      const list = await this.#state.session!.listResources({ path }, { directory: resourceType, limit });
      return [...list.files];
    });
    return files ?? [];
  }

  /** Tier 3: one resource; null when it is missing, outside the skill, not a text file, or locked by a quiz. */
  async getTier3Resource(skillName: string, resourcePath: string): Promise<string | null> {
    return this.#orNull(skillName, async ({ path }) => {
      const { kind, content } = await this.#state.session!.readResource({ path, file: resourcePath });
      return kind === 'file' ? content : null;
    });
  }

  /** A skill by its name. */
  getSkill(name: string): SkillRecord | undefined {
    return this.#skills().get(name);
  }

  /** Names of all skills, the project's first. */
  getSkillNames(): string[] {
    return [...this.#skills().keys()];
  }

  /** Visible skills by name. */
  #skills(): ReadonlyMap<string, SkillRecord> {
    const visible = this.#state.viewOf(this.#catalog).visible.skills;
    if (this.#known?.visible !== visible) {
      const winners = { skills: visible };
      const skills = new Map(visible.map(({ name }) => [name, recordsNamed(winners, name)[0]!]));
      this.#known = { visible, skills };
    }
    return this.#known.skills;
  }

  /** The text that was read, or null after an expected failure. */
  async #orNull<Found>(name: string, read: (skill: SkillRecord) => Promise<Found>): Promise<Found | null> {
    const skill = this.getSkill(name);
    if (skill === undefined) return null;
    try {
      return await read(skill);
    } catch (error) {
      if (error instanceof SkillwrightError) return null;
      throw error;
    }
  }
}
