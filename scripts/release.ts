// Prepares a release; see docs/releasing.md. It publishes nothing.
//   release.ts <version, major, minor or patch> [--dry-run] [--own-platform]
//   release.ts --from-tag v<version>
// The first form writes the version and the changelog; with --dry-run it prints what it would write. The public host runs
// the second form, in a commit that contains both. Both forms create everything else in `out/`.

import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { currentVersion, packAll } from './pack-all.ts';
import { ownPlatform, platforms } from './platforms.ts';
import {
  cutChangelog,
  lockWithVersion,
  nextVersion,
  notesOf,
  provenanceOf,
  renderChecksums,
  withVersion,
} from './release-parts.ts';
import { runProgram } from './run-program.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'out');
const words = process.argv.slice(2);
const isDry = words.includes('--dry-run');
const isTagged = words.includes('--from-tag');
const wanted = (words.find((word) => !word.startsWith('--')) ?? 'patch').replace(/^v(?=\d)/, '');
const startedOn = new Date();

const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const git = (...args: string[]) => runProgram('git', args, { cwd: root }).trim();
const say = (text: string) => console.log(text);

/** Writes a file of the repository, or prints that it would. */
function change(path: string, text: string): void {
  if (isDry) say(`would write ${path}`);
  else writeFileSync(join(root, path), text);
}

/** Sets the version in every file that contains it. */
function setVersion(version: string): void {
  for (const manifest of ['packages/skillwright/package.json', 'packages/registry/package.json'])
    change(manifest, withVersion(readFileSync(join(root, manifest), 'utf8'), version));
  const source = 'packages/skillwright/src/base/version.ts';
  change(source, readFileSync(join(root, source), 'utf8').replace(/(toolVersion = ')[^']+/, `$1${version}`));
  change(
    'package-lock.json',
    lockWithVersion(readFileSync(join(root, 'package-lock.json'), 'utf8'), version),
  );
}

const dirty = git('status', '--porcelain');
if (dirty !== '' && !isDry) throw new Error(`commit or remove first:\n${dirty}`);
const version = nextVersion(currentVersion(), wanted);
const date = startedOn.toISOString().slice(0, 10);
say(`skillwright ${currentVersion()} -> ${version}${isDry ? ' (dry run)' : ''}`);

let notes: string;
const written = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
if (isTagged) {
  if (version !== currentVersion())
    throw new Error(`the tag is ${version}, but package.json has ${currentVersion()}`);
  notes = notesOf(written, version);
} else {
  const cut = cutChangelog(written, { version, date });
  notes = cut.notes;
  setVersion(version);
  change('CHANGELOG.md', cut.changelog);
}

// Build after writing the version: it is part of the build.
for (const mode of [[], ['--native']])
  runProgram(process.execPath, ['scripts/build.ts', ...mode], { cwd: root });
const chosen = words.includes('--own-platform') ? platforms.filter((one) => one === ownPlatform) : platforms;
const { main, registry, native } = packAll(chosen, { out, version });
rmSync(join(out, 'staged'), { recursive: true });
if (chosen.some(({ os }) => os === 'win32')) {
  say('taking the Windows journey with skc.exe');
  say(runProgram(process.execPath, ['scripts/test-windows.ts', '--native'], { cwd: root }).trimEnd());
}
const subjects = [main, registry, ...native.values()].map((path) => ({
  name: basename(path),
  sha256: sha256(path),
}));
writeFileSync(join(out, 'SHA256SUMS'), renderChecksums(subjects));
writeFileSync(join(out, 'NOTES.md'), notes);

const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_WORKFLOW_REF } = process.env;
const repository =
  GITHUB_REPOSITORY === undefined ? 'urn:skillwright' : `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;
const facts = {
  version,
  repository,
  commit: git('rev-parse', 'HEAD'),
  lockfileSha256: sha256(join(root, 'package-lock.json')),
  builder: GITHUB_WORKFLOW_REF ? `${GITHUB_SERVER_URL}/${GITHUB_WORKFLOW_REF}` : 'urn:skillwright:local',
  startedOn: startedOn.toISOString(),
  tools: {
    node: process.versions.node,
    bun: runProgram(join(root, 'node_modules/.bin/bun'), ['--version'], { cwd: root }).trim(),
  },
};
writeFileSync(
  join(out, 'provenance.intoto.json'),
  `${JSON.stringify(provenanceOf(subjects, facts), null, 2)}\n`,
);

for (const { name, sha256: digest } of subjects) say(`${digest}  out/${name}`);
say('out/SHA256SUMS, out/NOTES.md, out/provenance.intoto.json (not signed)');
if (isDry)
  say(
    `run without --dry-run to write the version and the changelog; until then skc reports version ${currentVersion()}`,
  );
else if (!isTagged)
  say(
    `next: npm run check, then git commit -am 'Release ${version}' && git tag v${version}; pushing the tag publishes`,
  );
