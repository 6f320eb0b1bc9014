// Skills in three tiers: a list for the system prompt, the text of one skill, and its resources.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { type OpenedRecord, recordsNamed } from '../../read/access/index.ts';
import {
  type CatalogBudget,
  catalogRenderers,
  fitCatalog,
  neutralise,
  type SkillRecord,
} from '../../read/catalog/index.ts';
import { type QuizMemory, renderQuiz } from '../../skill/quiz/index.ts';
import { bodyOf, plainText } from '../../skill/skill/index.ts';
import { quizInstead } from './load-skill.ts';
import type { Session } from './session.ts';

/** Conventional resource directories of a skill. */
type ResourceType = 'scripts' | 'references' | 'assets';

const resourceTypes: readonly string[] = ['scripts', 'references', 'assets'] satisfies ResourceType[];

/** The parts of a session a provider uses. Every text comes through the session, so the judge has approved it. */
interface ProvidedSkills {
  /** Skills the model may see now. */
  readonly visible: () => readonly SkillRecord[];
  /** A skill whose text may be served. */
  readonly access: (path: string) => Promise<OpenedRecord>;
  /** Its stub, if it is over the budget and stubs are wanted. */
  readonly stub: ((skill: OpenedRecord) => Promise<string | undefined>) | undefined;
  /** Notes a read of its text in the access log. */
  readonly logged: (skill: SkillRecord, read: () => Promise<string | null>) => Promise<string | null>;
  readonly resources: Pick<Session, 'listResources' | 'readResource'>;
  readonly quizMemory: QuizMemory;
  readonly budget: CatalogBudget;
  /** True when a limit cut discovery short, so that a search cannot find the rest either. */
  readonly incomplete: boolean;
  readonly estimateTokens?: ((text: string) => number) | undefined;
  /** How a model finds skills that do not fit into the list. */
  readonly hint?: string | undefined;
}

/**
 * Serves skills to a model in tiers; `session.provider()` creates one. If several skills share a name, the project's
 * wins, then the user's. Skills that are disabled, unavailable, denied or hidden from the model do not appear. Skills
 * that need confirmation are listed, and their text is served once the user confirms.
 */
export class SkillContextProvider {
  readonly #source: ProvidedSkills;
  #known: { visible: readonly SkillRecord[]; skills: ReadonlyMap<string, SkillRecord> } | undefined;

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
      const skill = await this.#source.access(path);
      const quiz = await quizInstead(skill, this.#source.quizMemory);
      if (quiz !== undefined) return neutralise(renderQuiz(quiz));
      const stub = await this.#source.stub?.(skill);
      if (stub !== undefined) return stub;
      // The frontmatter contains the answers of a quiz.
      return neutralise(skill.frontmatter.quiz === undefined ? plainText(skill) : bodyOf(skill).body);
    };
    return this.#source.logged(record, () => this.#orNull(skillName, read));
  }

  /** Tier 3: resources of one kind, as paths relative to the skill. */
  async getTier3ResourceList(skillName: string, resourceType: ResourceType): Promise<string[]> {
    if (!resourceTypes.includes(resourceType)) return [];
    const limit = Number.POSITIVE_INFINITY;
    const files = await this.#orNull(skillName, async ({ path }) => {
      const list = await this.#source.resources.listResources({ path }, { directory: resourceType, limit });
      return [...list.files];
    });
    return files ?? [];
  }

  /** Tier 3: one resource; null when it is missing, outside the skill, not a text file, or locked by a quiz. */
  async getTier3Resource(skillName: string, resourcePath: string): Promise<string | null> {
    return this.#orNull(skillName, async ({ path }) => {
      const { kind, content } = await this.#source.resources.readResource({ path, file: resourcePath });
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
    const visible = this.#source.visible();
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
