// JSON Schemas for editors, from skc's own schemas of frontmatter, configuration, lock and evals.

import * as z from 'zod';
import { SectionQuestion, TriggerQuery } from '../packages/skillwright/src/make/evals/eval-case.ts';
import { LockShape } from '../packages/skillwright/src/ship/install/lock/lock.ts';
import { ConfigSchema } from '../packages/skillwright/src/skill/config/config-schema.ts';
import {
  CommaList,
  Flag,
  TextList,
  ToolList,
  WordList,
} from '../packages/skillwright/src/skill/format/field-shapes.ts';
import { claudeFields, registryFields } from '../packages/skillwright/src/skill/format/layers.ts';
import { SkillManifest } from '../packages/skillwright/src/skill/format/manifest.ts';
import { QuizList } from '../packages/skillwright/src/skill/format/quiz.ts';
import { SKILL_NAME_LIMIT, SKILL_NAME_PATTERN } from '../packages/skillwright/src/skill/format/skill-name.ts';
import {
  COMPATIBILITY_LIMIT,
  DESCRIPTION_LIMIT,
} from '../packages/skillwright/src/skill/format/text-length.ts';
import { Triggers } from '../packages/skillwright/src/skill/format/triggers.ts';

type JsonSchema = Record<string, unknown> & { properties?: Record<string, JsonSchema> };

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Every schema: path from the repository's root, and its text. */
export function renderSchemas(): Map<string, string> {
  const schemas = {
    frontmatter: frontmatter(),
    configuration: configuration(),
    lock: lock(),
    'eval-queries': evals('Requests of users, for skc test', TriggerQuery),
    'eval-questions': evals('Questions and the sections that answer them, for skc test', SectionQuestion),
  };
  return new Map(
    Object.entries(schemas).map(([name, schema]) => [
      `packages/skillwright/schemas/${name}.json`,
      `${JSON.stringify(schema, null, 2)}\n`,
    ]),
  );
}

/** Lists that may also be a single string, and flags that may be a word. */
const lists = new Set<unknown>([ToolList, WordList, CommaList, TextList]);

function convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override({ zodSchema, jsonSchema }) {
      const replace = (by: object) => {
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema];
        Object.assign(jsonSchema, by);
      };
      if (lists.has(zodSchema))
        replace({
          anyOf: [{ type: 'array', items: { type: ['string', 'number', 'boolean'] } }, { type: 'string' }],
        });
      if (zodSchema === QuizList && jsonSchema.type === 'array') {
        const several = { ...jsonSchema };
        replace({ anyOf: [several, several.items] });
      }
      if (zodSchema === Triggers && jsonSchema.type === 'object') {
        const mapping = { ...jsonSchema };
        replace({ anyOf: [mapping, { type: 'array', items: { type: 'string' } }, { type: 'string' }] });
      }
      // A field with a default is optional.
      if (zodSchema instanceof z.ZodObject && jsonSchema.required !== undefined)
        jsonSchema.required = jsonSchema.required.filter(
          (key) => !(zodSchema.shape[key] as z.ZodType).safeParse(undefined).success,
        );
      if (zodSchema === Flag)
        replace({
          anyOf: [{ type: 'boolean' }, { enum: ['yes', 'no', 'on', 'off', 'true', 'false', 0, 1] }],
        });
    },
  }) as JsonSchema;
}

/** Fields with values that an editor can offer or check. The others follow the manifest. */
function frontmatter(): JsonSchema {
  const { properties = {} } = convert(SkillManifest, 'output');
  const closed = {
    ...claudeFields,
    category: registryFields.category,
    'trust-level': registryFields['trust-level'],
  };
  for (const [field, schema] of Object.entries(closed))
    if (schema instanceof z.ZodEnum) properties[field] = { enum: schema.options };
  // YAML reads a version such as 1.2 as a number; skc accepts it as written.
  for (const schema of Object.values(properties))
    if (schema.type === 'string') schema.type = ['string', 'number', 'boolean'];
  properties.name = { type: 'string', pattern: SKILL_NAME_PATTERN.source, maxLength: SKILL_NAME_LIMIT };
  properties.description = { type: 'string', minLength: 1, maxLength: DESCRIPTION_LIMIT };
  properties.compatibility = {
    anyOf: [
      { type: 'string', minLength: 1, maxLength: COMPATIBILITY_LIMIT },
      { type: 'array', items: { type: 'string' } },
    ],
  };
  for (const [field, text] of Object.entries(meanings))
    properties[field] = { description: text, ...properties[field] };
  return {
    $schema: DIALECT,
    title: 'Frontmatter of SKILL.md',
    type: 'object',
    properties,
    required: ['name', 'description'],
  };
}

const meanings: Readonly<Record<string, string>> = {
  name: 'Name of the skill, the same as its directory',
  description: 'What the skill does and when to use it',
  license: 'An SPDX expression, or the name of a licence file',
  compatibility: 'What the skill requires: programs, network access, a certain agent',
  metadata: 'Further key-value pairs; values are strings',
  'allowed-tools': 'Tools the agent may use without asking while the skill is active',
  when_to_use: 'Added to the description when an agent chooses a skill',
  'argument-hint': 'Shown while the user types arguments',
  arguments: 'Names of the arguments, in order',
  'disable-model-invocation': 'Only the user may invoke the skill',
  'user-invocable': 'Whether the user may invoke the skill',
  'disallowed-tools': 'Tools the agent may not use while the skill is active',
  model: 'Model to use while the skill is active',
  effort: 'How hard the model should think',
  context: 'Run the skill in a separate context',
  agent: 'The agent that runs the skill in a separate context',
  paths: 'Globs of the files the skill applies to',
  shell: 'Shell for commands in the text',
  hooks: 'Commands that run on events',
  version: 'A semantic version',
  author: 'Who wrote the skill',
  tags: 'Words to find the skill by',
  category: 'The subject, for a registry',
  repository: 'Where the source code is',
  homepage: 'Web page about the skill',
  quiz: 'Questions about the skill; with `gate: true` they lock it until answered',
  triggers: 'When to suggest the skill',
  toolsets: 'Tools the skill provides',
};

function configuration(): JsonSchema {
  const schema = convert(ConfigSchema, 'input');
  // skc warns about unknown keys, so an editor should mark them.
  for (const section of Object.values(schema.properties ?? {})) {
    section.additionalProperties = false;
    delete section.default;
  }
  return { title: 'config.toml of skc', ...schema, additionalProperties: false };
}

function evals(title: string, schema: z.ZodType): JsonSchema {
  return { title, ...convert(z.array(schema), 'input') };
}

function lock(): JsonSchema {
  return { title: 'lock.json of skc', ...convert(LockShape, 'input') };
}
