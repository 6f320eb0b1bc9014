// Forms of the skill list in a prompt.

import { codeSpan, escapeMarkdown, escapeXml, visibleJson } from './escape-text.ts';
import type { CatalogRenderer, CatalogView } from './fit-catalog.ts';

/** Names of the forms. */
export type CatalogFormat = 'available-skills' | 'skills-context' | 'markdown' | 'json';

/** Notice for a model when discovery was cut short: a search cannot find skills that were not read. */
const INCOMPLETE =
  'Not every directory was searched, so some skills may be missing from this list and from search. Tell the user when one seems to be missing.';

/** `<available_skills>`: name, description and location of each. */
export const renderAvailableSkills: CatalogRenderer = (view) => {
  const skills = view.skills.map(
    ({ name, description, path }) =>
      `<skill>\n${element('name', name)}\n${element('description', description)}\n${element('location', path)}\n</skill>\n`,
  );
  const more = view.missing === 0 ? '' : `<missing count="${view.missing}">${missingText(view)}</missing>\n`;
  const unread = view.incomplete ? `<incomplete>${INCOMPLETE}</incomplete>\n` : '';
  return `<available_skills>\n${skills.join('')}${more}${unread}</available_skills>`;
};

const usageRules = [
  'A skill holds instructions for one kind of task. Before such a task, load it with skill_load and follow it.',
  'If several skills share a name, use the path to choose one.',
];

/** `<skills_context>`: how to use skills, then name, description, path and scope of each. */
export const renderSkillsContext: CatalogRenderer = (view) => {
  const rules = [
    ...usageRules,
    ...(view.missing === 0 ? [] : [missingText(view)]),
    ...(view.incomplete ? [INCOMPLETE] : []),
  ];
  const skills = view.skills.map(
    ({ name, description, path, scope }) => `  <skill>
    ${element('name', name)}
    ${element('description', description)}
    ${element('path', path)}
    ${element('scope', scope)}
  </skill>
`,
  );
  return `<skills_context>
<skills_usage>
${rules.map((rule) => `  <rule>${rule}</rule>\n`).join('')}</skills_usage>
<skills_catalog scope="initial" truncated="${view.missing > 0 || view.incomplete}">
${skills.join('')}</skills_catalog>
</skills_context>`;
};

/** A Markdown list. */
export const renderMarkdownCatalog: CatalogRenderer = (view) => {
  const lines = view.skills.map(
    ({ name, description, path }) =>
      `- **${escapeMarkdown(name)}**: ${escapeMarkdown(description)} (${codeSpan(path)})`,
  );
  const more = view.missing === 0 ? [] : ['', `${countMissing(view)} ${escapeMarkdown(view.hint)}`];
  const unread = view.incomplete ? ['', INCOMPLETE] : [];
  return ['## Skills', '', ...lines, ...more, ...unread].join('\n');
};

/** A JSON object. */
export const renderJsonCatalog: CatalogRenderer = ({ skills, missing, hint, incomplete }) =>
  visibleJson({
    skills,
    missing,
    ...(missing === 0 ? {} : { hint }),
    ...(incomplete ? { incomplete: INCOMPLETE } : {}),
  });

/** The renderers by name. */
export const catalogRenderers: Readonly<Record<CatalogFormat, CatalogRenderer>> = {
  'available-skills': renderAvailableSkills,
  'skills-context': renderSkillsContext,
  markdown: renderMarkdownCatalog,
  json: renderJsonCatalog,
};

const element = (tag: string, text: string) => `<${tag}>${escapeXml(text)}</${tag}>`;

const missingText = (view: CatalogView) => `${countMissing(view)} ${escapeXml(view.hint)}`;

function countMissing({ skills, missing }: CatalogView): string {
  const more = skills.length === 0 ? '' : ' more';
  return missing === 1
    ? `1${more} skill is not listed here.`
    : `${missing}${more} skills are not listed here.`;
}
