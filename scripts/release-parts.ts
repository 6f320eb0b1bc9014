// Steps of a release that only transform text.

/** The next version after `current`: `wanted` is major, minor, patch or a version. */
export function nextVersion(current: string, wanted: string): string {
  if (/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/.test(wanted)) return wanted;
  const [major = 0, minor = 0, patch = 0] = current.replace(/-.*/, '').split('.').map(Number);
  if (wanted === 'major') return `${major + 1}.0.0`;
  if (wanted === 'minor') return `${major}.${minor + 1}.0`;
  if (wanted === 'patch') return `${major}.${minor}.${patch + 1}`;
  throw new Error(`'${wanted}' is not major, minor, patch or a version`);
}

/** A package.json with the version, and the same for the library if it depends on it. */
export const withVersion = (manifest: string, version: string): string =>
  manifest.replace(/("version": ")[^"]+/, `$1${version}`).replace(/("skillwright": ")[^"]+/, `$1${version}`);

/** The lock file with the version of the published packages. */
export function lockWithVersion(text: string, version: string): string {
  const lock = JSON.parse(text) as {
    packages: Record<string, { version?: string; dependencies?: Record<string, string> }>;
  };
  lock.packages['packages/skillwright']!.version = version;
  const registry = lock.packages['packages/registry']!;
  registry.version = version;
  registry.dependencies!.skillwright = version;
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/** A changelog with the unreleased part turned into a version, and that part. */
export interface CutChangelog {
  readonly changelog: string;
  readonly notes: string;
}

/** Turns the section `## Unreleased` into `## <version> (<date>)` and adds an empty one. */
export function cutChangelog(
  text: string,
  { version, date }: { readonly version: string; readonly date: string },
): CutChangelog {
  const [head, ...sections] = text.split(/^(?=## )/m);
  const [first, ...rest] = sections;
  if (head === undefined || !first?.startsWith('## Unreleased\n'))
    throw new Error("the first section of CHANGELOG.md is not '## Unreleased'");
  const notes = first.slice('## Unreleased\n'.length).trim();
  if (notes === '') throw new Error('CHANGELOG.md has nothing under ## Unreleased');
  if (rest.some((section) => section.startsWith(`## ${version} `) || section.startsWith(`## ${version}\n`)))
    throw new Error(`CHANGELOG.md already has a section for ${version}`);
  const cut = `## ${version} (${date})\n\n${notes}\n\n`;
  return { changelog: [head, '## Unreleased\n\n', cut, ...rest].join(''), notes: `${notes}\n` };
}

/** The section of an earlier version. */
export function notesOf(text: string, version: string): string {
  const section = text.split(/^(?=## )/m).find((part) => part.startsWith(`## ${version} (`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}`);
  return `${section.slice(section.indexOf('\n')).trim()}\n`;
}

/** A file and its digest. */
export interface Subject {
  readonly name: string;
  readonly sha256: string;
}

/** Input of `sha256sum --check`. */
export const renderChecksums = (subjects: readonly Subject[]): string =>
  subjects.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');

/** Inputs and environment of a build. */
export interface BuildFacts {
  readonly version: string;
  readonly repository: string;
  readonly commit: string;
  readonly lockfileSha256: string;
  readonly builder: string;
  readonly startedOn: string;
  readonly tools: Readonly<Record<string, string>>;
}

/** An in-toto statement with SLSA provenance for the files of a release. Not signed. */
export function provenanceOf(subjects: readonly Subject[], facts: BuildFacts): object {
  const { version, repository, commit, lockfileSha256, builder, startedOn, tools } = facts;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${repository}/blob/${commit}/docs/releasing.md`,
        externalParameters: { version },
        internalParameters: { tools },
        resolvedDependencies: [
          { uri: `git+${repository}`, digest: { gitCommit: commit } },
          { uri: 'package-lock.json', digest: { sha256: lockfileSha256 } },
        ],
      },
      runDetails: { builder: { id: builder }, metadata: { startedOn } },
    },
  };
}
