// The first convention: one file, /.well-known/skills/default/skill.md, which contains its own name.

import { decodeText } from '../../base/files/index.ts';
import { isSkillName, readFrontmatter } from '../../skill/format/index.ts';
import type { Fetched } from './fetcher.ts';
import { misunderstood } from './network-error.ts';
import type { WellKnown } from './well-known-skill.ts';

/** The one skill of a domain. E215 when the response is not a SKILL.md. */
export function readDefaultSkill({ body, url }: Fetched): WellKnown {
  const { text, valid } = decodeText(body);
  if (!valid || text.includes('\0')) throw misunderstood(url, 'not text');
  const { data, problems } = readFrontmatter(text);
  if (data === undefined)
    throw misunderstood(url, `not a SKILL.md: ${problems[0]?.message ?? 'no frontmatter'}`);
  const { name, description } = data;
  if (typeof name !== 'string' || !isSkillName(name))
    throw misunderstood(url, 'a SKILL.md with an invalid name');
  if (typeof description !== 'string' || description.trim() === '')
    throw misunderstood(url, 'a SKILL.md without a description');
  return {
    version: 'default',
    url,
    skills: [{ name, description: description.trim(), type: 'skill-md', url }],
    diagnostics: [],
  };
}
