// What a tool of a skill is called: `skill__tool`, in the letters and the length that every model and framework takes.

import { sha256 } from '../../base/files/index.ts';

const MAX_LENGTH = 64;
const SEPARATOR = '__';

/**
 * The name of a tool for a model: letters, digits and underscores, 64 at most, because some frameworks write an underscore
 * for everything else. A name that loses more than hyphens and spaces, or that is too long, ends in a digest that keeps
 * it apart from others.
 */
export function toolName(skill: string, tool: string): string {
  const whole = `${plain(skill)}${SEPARATOR}${plain(tool)}`;
  const isExact = [skill, tool].every((text) => /^[\w -]+$/.test(text));
  if (isExact && whole.length <= MAX_LENGTH) return whole;
  return `${whole.slice(0, MAX_LENGTH - 9)}_${sha256(`${skill}\0${tool}`).slice(0, 8)}`;
}

/** Only what is allowed, and no separator inside. */
function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9]+/g, '_') || '_';
}
