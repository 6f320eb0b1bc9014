// Skills in three tiers: a list for the system prompt, the text of one skill, and its resources.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { recordsNamed } from '../../read/access/index.ts';
import {
  type CatalogBudget,
  catalogRenderers,
  fitCatalog,
  neutralise,
  type SkillRecord,
} from '../../read/catalog/index.ts';
import { type QuizMemory, renderQuiz } from '../../skill/quiz/index.ts';
import { bodyOf, plainText } from '../../skill/skill/index.ts';
import type { Session } from './session.ts';
import { quizInstead } from './session-quiz.ts';
import type { GuardedSkill } from './skill-guard.ts';

/** A skill as the provider knows it. */
export type DiscoveredSkill = SkillRecord;

/** Where a skill keeps its resources by convention. */
export type ResourceType = 'scripts' | 'references' | 'assets';

const resourceTypes: readonly string[] = ['scripts', 'references', 'assets'] satisfies ResourceType[];

/** What a session gives its provider. Every text comes through the session, and so past the judge. */
export interface ProvidedSkills {
  /** The skills that the model may see now. */
  readonly visible: () => readonly SkillRecord[];
  /** A skill whose text may be given. */
  readonly access: (path: string) => Promise<GuardedSkill>;
  readonly resources: Pick<Session, 'listResources' | 'readResource'>;
  readonly quizMemory: QuizMemory;
  readonly budget: CatalogBudget;
  /** True when a bound cut discovery short, so that a search cannot find the rest either. */
  readonly incomplete: boolean;
  readonly estimateTokens?: ((text: string) => number) | undefined;
  /** How a model finds skills that the list has no room for. */
  readonly hint?: string | undefined;
}

/**
 * Gives a model its skills tier by tier; `session.provider()` makes one. Of several skills of a name the project's wins,
 * then the user's. What is disabled, unavailable, denied or kept from the model is not there at all; what needs a
 * confirmation is listed, and its text is given once the user has said yes.
 */
export class SkillContextProvider {
  readonly #source: ProvidedSkills;
  #known: { visible: readonly SkillRecord[]; skills: ReadonlyMap<string, DiscoveredSkill> } | undefined;

  constructor(source: ProvidedSkills) {
    this.#source = source;
  }

  /** Tier 1: the list for the system prompt, as `<available_skills>`; empty when there are no skills. */
  getTier1Context(): string {
    const { budget, estimateTokens, hint } = this.#source;
    return fitCatalog([...this.#skills().values()], {
      render: catalogRenderers['available-skills'],
      incomplete: this.#source.incomplete,
      budget,
      ...(estimateTokens === undefined ? {} : { estimateTokens }),
      ...(hint === undefined ? {} : { hint }),
    }).text;
  }

  /** Tier 2: the text of a skill's SKILL.md, or the quiz that keeps it closed; null when there is no such skill or it may not be loaded. */
  async getTier2Context(skillName: string): Promise<string | null> {
    return this.#orNull(skillName, async ({ path }) => {
      const { skill, content } = await this.#source.access(path);
      const quiz = await quizInstead(skill, this.#source.quizMemory);
      if (quiz !== undefined) return neutralise(renderQuiz(quiz));
      // The answers of a quiz stand in the frontmatter.
      return neutralise(content.frontmatter.quiz === undefined ? plainText(content) : bodyOf(content).body);
    });
  }

  /** Tier 3: the resources of a kind, as paths relative to the skill. */
  async getTier3ResourceList(skillName: string, resourceType: ResourceType): Promise<string[]> {
    if (!resourceTypes.includes(resourceType)) return [];
    const limit = Number.POSITIVE_INFINITY;
    const files = await this.#orNull(skillName, async ({ path }) => {
      const list = await this.#source.resources.listResources({ path }, { directory: resourceType, limit });
      return [...list.files];
    });
    return files ?? [];
  }

  /** Tier 3: the content of one resource; null when there is none, when its path leads out, when it is a directory or not text, or when a quiz keeps it closed. */
  async getTier3Resource(skillName: string, resourcePath: string): Promise<string | null> {
    return this.#orNull(skillName, async ({ path }) => {
      const { content, kind } = await this.#source.resources.readResource({ path, file: resourcePath });
      return kind === 'file' ? content : null;
    });
  }

  /** A skill by its name. */
  getSkill(name: string): DiscoveredSkill | undefined {
    return this.#skills().get(name);
  }

  /** The names of all skills, the project's first. */
  getSkillNames(): string[] {
    return [...this.#skills().keys()];
  }

  /** The skills by name, as they may be seen now. */
  #skills(): ReadonlyMap<string, DiscoveredSkill> {
    const visible = this.#source.visible();
    if (this.#known?.visible !== visible) {
      const winners = { skills: visible };
      const skills = new Map(visible.map(({ name }) => [name, recordsNamed(winners, name)[0]!]));
      this.#known = { visible, skills };
    }
    return this.#known.skills;
  }

  /** What is read of a skill, or null where an expected failure says that there is nothing. */
  async #orNull<Found>(
    name: string,
    read: (skill: DiscoveredSkill) => Promise<Found>,
  ): Promise<Found | null> {
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
