// Creates skills.

export { createSkill } from './create-skill.ts';
export { initialise } from './initialise.ts';
export {
  isTemplateDescription,
  renderTemplate,
  type TemplateName,
  templateNames,
  templateProfiles,
  titleOf,
} from './templates.ts';
