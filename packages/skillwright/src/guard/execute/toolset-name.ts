// Names of tools: `skill__tool`, with characters and a length that every model and framework accepts.

import { sha256 } from '../../base/files/index.ts';

const MAX_LENGTH = 64;
const SEPARATOR = '__';

/**
 * The name of a tool for a model: at most 64 letters, digits and underscores, because some frameworks write an underscore
 * for everything else. A name that loses more than hyphens and spaces, or that is too long, ends in a digest that keeps
 * it distinct.
 */
export function toolName(skill: string, tool: string): string {
  const whole = `${plain(skill)}${SEPARATOR}${plain(tool)}`;
  const isExact = [skill, tool].every((text) => /^[\w -]+$/.test(text));
  if (isExact && whole.length <= MAX_LENGTH) return whole;
  return `${whole.slice(0, MAX_LENGTH - 9)}_${sha256(`${skill}\0${tool}`).slice(0, 8)}`;
}

/** Keeps only allowed characters, without a separator inside. */
function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9]+/g, '_') || '_';
}
