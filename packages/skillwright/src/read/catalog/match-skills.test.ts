import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { workspaceAt } from '../../../test/open-workspace.ts';
import { loadCatalog } from './load-catalog.ts';
import { matchSkills } from './match-skills.ts';
import type { SkillScope } from './skill-record.ts';

const skill = (name: string, description: string, body = '') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;

const tree = {
  'work/.git': { directory: true },
  'work/.agents/skills/notes/SKILL.md': skill('notes', 'Keeps notes.'),
  'work/.agents/skills/release-notes/SKILL.md': skill('release-notes', 'Says what changed.'),
  'work/.agents/skills/straße/SKILL.md': skill('straße', 'Finds the way.'),
  'home/.claude/skills/parcels/SKILL.md': skill('parcels', 'Sends things.', '\n# Customs\n'),
  'home/.claude/skills/writer/SKILL.md': skill('writer', 'Turns keynotes into text.'),
} as const;

const cases: [string, SkillScope | undefined, string[]][] = [
  ['', undefined, ['notes', 'release-notes', 'straße', 'parcels', 'writer']],
  ['  ', 'user', ['parcels', 'writer']],
  // The name itself, a name that contains the word, a description that contains the letters.
  ['notes', undefined, ['notes', 'release-notes', 'writer']],
  // A heading.
  ['customs', undefined, ['parcels']],
  ['not', 'project', ['notes', 'release-notes']],
  ['ease', undefined, ['release-notes']],
  ['notes rel', undefined, ['release-notes', 'notes']],
  ['STRASSE', undefined, ['straße']],
  ['writer keyn', undefined, ['writer']],
  ['xylophone', undefined, []],
  ['notes', 'bundled', []],
];

test.each(cases)('%j in %s', async (query, scope, names) => {
  const root = makeDirectory(tree);
  const catalog = await loadCatalog(workspaceAt({ cwd: `${root}/work`, home: `${root}/home` }));
  expect(matchSkills(catalog, query, { scope }).map(({ name }) => name)).toEqual(names);
});
