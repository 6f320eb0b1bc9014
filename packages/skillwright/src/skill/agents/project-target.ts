// Directories that a project may name as targets. A project's lock and configuration are third-party: a target must not become
// part of another program.

import { dirname, join, relative, sep } from 'node:path';
import { once, SkillwrightError } from '../../base/diagnostics/index.ts';
import { isInside, isThere, realPathAhead } from '../../base/files/index.ts';
import { agents } from './agents.ts';

/** Directories that hold a repository. */
const repositories = new Set(
  '.git .jj .hg .svn .sl .bzr .pijul .repo _darcs cvs _fossil_ .fslckout'.split(' '),
);

/** Directories from which programs run or configure themselves, besides those of agents. */
const programs = new Set(
  (
    '.github .gitlab .gitea .forgejo .circleci .buildkite .woodpecker .vscode .vs .idea .fleet .zed .devcontainer ' +
    '.husky .githooks .lefthook .cargo .config .mvn .gradle .m2 .yarn .npm .pnpm .bundle .nuget .composer .venv .tox ' +
    '.nox .direnv .devenv .local .bin .ssh .gnupg .aws .kube .docker .terraform .mise .asdf node_modules ' +
    '__pypackages__ .pre-commit .git-hooks .hooks .run .settings .vim .nvim .emacs.d .ipython .jupyter .storybook ' +
    '.moon .nx .turbo .pixi .flox .opam _opam .sbt .bloop .metals .azuredevops .azure-pipelines .pipelines .cirrus ' +
    '.drone .semaphore .tekton .travis .teamcity .appveyor .envrc.d .opencode .amp .cline .clinerules .dagger .vscode-server .skillc'
  ).split(' '),
);

/** Some agents read in a project what others read in the home directory. */
const agentDirectories = once(() =>
  [
    ...new Set(agents.flatMap(({ project, user, marks = [] }) => [project, user ?? project, ...marks])),
  ].filter((directory) => /(?:^|\/)skills$/.test(directory)),
);
/** `.claude`: what an agent reads besides skills, such as its hooks, is around them. */
const agentHomes = once(
  () =>
    new Set(
      agentDirectories().flatMap((directory) =>
        directory.startsWith('.') ? [directory.split('/')[0]!] : [],
      ),
    ),
);

/**
 * Whether a target inside a project is a known agent's directory. E016 for a place outside the project, in a repository's own
 * directory, or where other programs run or configure themselves from, also after links.
 */
export function isAgentTarget(project: string, dir: string): boolean {
  const real = { project: realPathAhead(project), dir: realPathAhead(dir) };
  const isPlain = real.project === project && real.dir === dir;
  for (const [root, place] of [
    ...(isPlain ? [] : [[project, dir] as const]),
    [real.project, real.dir] as const,
  ]) {
    const why = isInside(root, place)
      ? (whyNotNamed(segmentsBelow(root, place)) ?? whyNoPlace(root, place))
      : 'it leads out of the project';
    const help =
      "use an agent's directory, such as .claude/skills, or one of your own that no other program reads";
    if (why !== undefined) throw SkillwrightError.of('E016', { path: dir, why }, { help });
  }
  const segments = segmentsBelow(real.project, real.dir);
  return agentDepth(segments) < segments.length;
}

const IN_REPOSITORY = "it is in a repository's own directory";

function whyNotNamed(segments: readonly string[]): string | undefined {
  if (segments.some((name) => repositories.has(name) || /^(?:git|hg|svn)~\d+$/.test(name)))
    return IN_REPOSITORY;
  const isProgram = (name: string) => programs.has(name) || agentHomes().has(name);
  const around = segments.slice(0, agentDepth(segments));
  return around.some(isProgram) ? 'other programs run or configure themselves from there' : undefined;
}

/** A directory that holds a repository, whatever its name: git finds it through a `.git` file or as a bare one. */
function whyNoPlace(root: string, place: string): string | undefined {
  const holdsRepository = ['HEAD', 'objects', 'refs'].every((name) => isThere(join(place, name)));
  if (holdsRepository && place !== root) return IN_REPOSITORY;
  return isInside(root, dirname(place)) ? whyNoPlace(root, dirname(place)) : undefined;
}

/** Number of directories around an agent's own; all of them when none is an agent's. A package may have its own `.claude/skills`. */
function agentDepth(segments: readonly string[]): number {
  const depth = segments.findIndex((_, at) =>
    agentDirectories().some(
      (directory) =>
        (at === 0 || directory.startsWith('.')) &&
        `${segments.slice(at).join('/')}/`.startsWith(`${directory}/`),
    ),
  );
  return depth === -1 ? segments.length : depth;
}

/** As a file system that ignores case, or characters nobody sees, would read them. */
const segmentsBelow = (root: string, place: string): string[] =>
  relative(root, place)
    .split(sep)
    .map((name) =>
      name
        .normalize('NFKC')
        .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
        // Windows reads what follows as a stream of the file.
        .replace(/:.*$/s, '')
        .replace(/[. ]+$/, '')
        .toUpperCase()
        .toLowerCase(),
    );
