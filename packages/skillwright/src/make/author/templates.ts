// Templates of new skills.

import { writeFrontmatter } from '../../skill/format/index.ts';

/** The templates of `skc init`. */
export const templateNames = ['minimal', 'claude', 'registry', 'quiz'] as const;

/** Name of a template. */
export type TemplateName = (typeof templateNames)[number];

/** The profile under which a new skill of a template has no findings besides SKL116. */
export const templateProfiles = {
  minimal: 'spec',
  claude: 'claude-code',
  registry: 'registry',
  quiz: 'registry',
} as const satisfies Record<TemplateName, string>;

/** The files of a new skill: relative path to text. */
export function renderTemplate(template: TemplateName, name: string): Map<string, string> {
  return templates[template](name, titleOf(name));
}

/** `my-skill` as a heading: `My Skill`. */
export function titleOf(name: string): string {
  return name
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ');
}

const describeUse = (title: string) =>
  `Says what ${title} does in one sentence. Use when the user asks for something this skill can do.`;

/** Whether a description is still the one of a template. */
export const isTemplateDescription = (description: string): boolean =>
  /^Says what .+ does in one sentence\. Use when the user asks for something this skill can do\.$/.test(
    description.trim(),
  );

const templates: Record<TemplateName, (name: string, title: string) => Map<string, string>> = {
  minimal: (name, title) =>
    skill({ name, description: describeUse(title) }, [
      `# ${title}`,
      'Tell the agent what to do, in the order it should be done.',
      '## Steps',
      '1. Look at what the user has given.\n2. Do the work.\n3. Check the result before you answer.',
    ]),

  claude: (name, title) =>
    skill(
      {
        name,
        description: describeUse(title),
        'argument-hint': '[target]',
        context: 'fork',
        agent: 'Explore',
        model: 'haiku',
        'user-invocable': true,
      },
      [
        `# ${title}`,
        'Work on `$ARGUMENTS`.',
        '## Steps',
        '1. Find what the argument names.\n2. Read what is needed to answer.\n3. Report what you found, with file and line.',
      ],
    ),

  registry: (name, title) =>
    skill(
      {
        name,
        description: describeUse(title),
        license: 'MIT',
        metadata: { version: '0.1.0', author: 'your-name', tags: 'example, starter', category: 'other' },
        'user-invocable': true,
      },
      [
        `# ${title}`,
        'Tell the agent what to do, in the order it should be done.',
        '## When to use',
        'Name the situations and the words a user would say.',
        '## Instructions',
        '1. Look at what the user has given.\n2. Do the work.\n3. Check the result before you answer.',
        '## Examples',
        'Show one request and the answer it should get.',
      ],
    ),

  quiz: (name, title) =>
    new Map([
      ...skill(
        {
          name,
          description: describeUse(title),
          license: 'MIT',
          metadata: { version: '0.1.0', author: 'your-name', tags: 'example, quiz', category: 'other' },
          quiz: [
            {
              title: 'Before you start',
              gate: true,
              'passing-score': 100,
              questions: [
                {
                  question: 'What must be read before any change is made?',
                  options: [
                    { label: 'Nothing' },
                    { label: 'The ground rules', correct: true },
                    { label: 'The change log' },
                  ],
                  explanation: 'The ground rules say what may be changed and what may not.',
                  'on-incorrect': {
                    'load-reference': 'references/ground-rules.md',
                    message: 'Read the ground rules, then answer again.',
                  },
                },
              ],
            },
          ],
        },
        [
          `# ${title}`,
          'The quiz above comes before everything below. Read\n[the ground rules](references/ground-rules.md) first.',
          '## Steps',
          '1. Look at what the user has given.\n2. Do the work.\n3. Check the result before you answer.',
        ],
      ),
      ['references/ground-rules.md', '# Ground rules\n\nSay what an agent must know before it starts.\n'],
    ]),
};

function skill(manifest: Record<string, unknown>, blocks: readonly string[]): Map<string, string> {
  return new Map([['SKILL.md', `${writeFrontmatter(manifest)}\n${blocks.join('\n\n')}\n`]]);
}
