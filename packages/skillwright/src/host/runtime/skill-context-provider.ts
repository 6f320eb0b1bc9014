// Skills in three tiers: a list for the system prompt, the text of one skill, and its resources.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { recordsNamed } from '../../read/access/index.ts';
import {
  type CatalogBudget,
  catalogRenderers,
  fitCatalog,
  neutralise,
  type SkillCatalog,
  type SkillRecord,
} from '../../read/catalog/index.ts';
import { pathInside } from '../../read/gateway/index.ts';
import {
  createJudge,
  type FindEnclosing,
  findReach,
  type Judge,
  type Law,
  type Reach,
  standingWithin,
} from '../../skill/judge/index.ts';
import { type QuizMemory, renderQuiz } from '../../skill/quiz/index.ts';
import { bodyOf, plainText } from '../../skill/skill/index.ts';
import { noneOff, noPermissions, type Permissions, type SwitchedOff } from '../../skill/workspace/index.ts';
import { openListed } from './open-listed.ts';
import { listResources, readResource } from './read-resource.ts';
import { quizInstead } from './session-quiz.ts';

/** A skill as the provider knows it. */
export type DiscoveredSkill = SkillRecord;

/** Where a skill keeps its resources by convention. */
export type ResourceType = 'scripts' | 'references' | 'assets';

const resourceTypes: readonly string[] = ['scripts', 'references', 'assets'] satisfies ResourceType[];

/** What a provider may be given besides the skills. */
export interface ProviderOptions {
  readonly permissions?: Permissions;
  readonly budget?: CatalogBudget;
  readonly estimateTokens?: (text: string) => number;
  /** How a model finds skills that the list has no room for. */
  readonly hint?: string;
  /** What is switched off; without it what the catalog says. */
  readonly off?: SwitchedOff;
  /** Which quizzes were passed, such as a session's; without it every gate is closed. */
  readonly quizMemory?: QuizMemory;
}

const MAX_RESOURCE_BYTES = 1024 * 1024;

/**
 * Gives a model its skills tier by tier. Of several skills of a name the project's wins, then the user's. What is
 * disabled, unavailable, denied or kept from the model is not there at all; what would need a confirmation is listed,
 * and its text is not given.
 */
export class SkillContextProvider {
  readonly #skills: ReadonlyMap<string, DiscoveredSkill>;
  readonly #permissions: Permissions;
  readonly #options: ProviderOptions;
  readonly #incomplete: boolean;

  constructor(catalog: SkillCatalog, options: ProviderOptions = {}) {
    this.#options = options;
    this.#incomplete = catalog.truncated;
    this.#permissions = options.permissions ?? noPermissions;
    const { enclosing } = this.#judge();
    const usable = catalog.skills.filter((skill) => this.#mayUse(skill, enclosing));
    const winners = { ...catalog, skills: usable };
    this.#skills = new Map(usable.map(({ name }) => [name, recordsNamed(winners, name)[0]!]));
  }

  /** Tier 1: the list for the system prompt, as `<available_skills>`; empty when there are no skills. */
  getTier1Context(): string {
    const { budget, estimateTokens, hint } = this.#options;
    return fitCatalog([...this.#skills.values()], {
      render: catalogRenderers['available-skills'],
      incomplete: this.#incomplete,
      ...(budget === undefined ? {} : { budget }),
      ...(estimateTokens === undefined ? {} : { estimateTokens }),
      ...(hint === undefined ? {} : { hint }),
    }).text;
  }

  /** Tier 2: the text of a skill's SKILL.md, or the quiz that keeps it closed; null when there is no such skill or it may not be loaded. */
  async getTier2Context(skillName: string): Promise<string | null> {
    const skill = this.#skills.get(skillName);
    if (skill === undefined) return null;
    return orNull(async () => {
      const content = openListed(skill);
      const { frontmatter } = content;
      if (!(await this.#mayLoad({ ...skill, frontmatter }))) return null;
      const quiz = await quizInstead(skill, this.#options.quizMemory);
      if (quiz !== undefined) return neutralise(renderQuiz(quiz));
      // The answers of a quiz stand in the frontmatter.
      return neutralise(frontmatter.quiz === undefined ? plainText(content) : bodyOf(content).body);
    });
  }

  /** Tier 3: the resources of a kind, as paths relative to the skill. */
  async getTier3ResourceList(skillName: string, resourceType: ResourceType): Promise<string[]> {
    const skill = this.#skills.get(skillName);
    if (skill === undefined || !resourceTypes.includes(resourceType)) return [];
    if (!(await this.#mayLoad(skill))) return [];
    const files = listResources(skill, resourceType);
    const { allowsName } = await this.#reach(skill, files);
    return files.filter(allowsName);
  }

  /** Tier 3: the content of one resource; null when there is none, when its path leads out, when it is no text, or when a quiz keeps it closed. */
  async getTier3Resource(skillName: string, resourcePath: string): Promise<string | null> {
    const skill = this.#skills.get(skillName);
    if (skill === undefined) return null;
    return orNull(async () => {
      if (!(await this.#mayLoad({ ...skill, frontmatter: openListed(skill).frontmatter }))) return null;
      const { content } = readResource(skill, resourcePath, { maxBytes: MAX_RESOURCE_BYTES });
      const place = pathInside(skill.dir, resourcePath);
      const { allowsFile } = await this.#reach(skill, [place]);
      return allowsFile(place) ? neutralise(content) : null;
    });
  }

  /** A skill by its name. */
  getSkill(name: string): DiscoveredSkill | undefined {
    return this.#skills.get(name);
  }

  /** The names of all skills, the project's first. */
  getSkillNames(): string[] {
    return [...this.#skills.keys()];
  }

  #mayUse(skill: SkillRecord, enclosing: FindEnclosing): boolean {
    const question = { operation: 'list', by: 'model' } as const;
    return standingWithin(skill, question, { law: this.#law(), enclosing }).verdict === 'allow';
  }

  /** Its own gate is asked about where text is given. */
  async #mayLoad(skill: SkillRecord): Promise<boolean> {
    const question = { operation: 'read', by: 'model' } as const;
    return (await this.#judge().judge(skill, question, { exceptGate: true })).verdict === 'allow';
  }

  #law(): Law {
    return { rules: this.#permissions, off: this.#options.off ?? noneOff };
  }

  #judge(): Judge {
    return createJudge(this.#law(), () => this.#options.quizMemory);
  }
  #reach(skill: SkillRecord, files: readonly string[]): Promise<Reach> {
    return findReach(this.#judge(), skill, { files, question: { operation: 'read', by: 'model' } });
  }
}

/** The text, or null where an expected failure says that there is none. */
async function orNull(read: () => Promise<string | null>): Promise<string | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SkillwrightError) return null;
    throw error;
  }
}
