// Classifies a file of a skill by its name and first line.

/** Instructions for an agent, a program, settings for programs, or any other text. */
export type FileKind = 'instructions' | 'script' | 'config' | 'text';

const kinds: readonly [FileKind, string][] = [
  ['instructions', 'md mdx markdown mdc rst txt adoc prompt'],
  [
    'script',
    'py pyw sh bash zsh fish ksh js mjs cjs ts mts cts tsx jsx rb pl pm php ps1 psm1 psd1 bat cmd vbs lua go rs java kt swift scpt applescript r ipynb html htm svg vue svelte cs c cc cpp h hpp m mm scala clj ex exs dart nim zig awk tcl groovy gradle mk command tmpl jinja j2',
  ],
  [
    'config',
    'json jsonc json5 yaml yml toml ini cfg conf env plist xml service timer desktop lock properties',
  ],
];

const byExtension = new Map(
  kinds.flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind] as const)),
);

const byName = new Map<string, FileKind>([
  ['makefile', 'script'],
  ['dockerfile', 'script'],
  ['justfile', 'script'],
  ['rakefile', 'script'],
  ['gemfile', 'script'],
  ['vagrantfile', 'script'],
  ['procfile', 'script'],
  ['.env', 'config'],
  ['.envrc', 'script'],
  ['.npmrc', 'config'],
  ['.cursorrules', 'instructions'],
  ['.windsurfrules', 'instructions'],
]);

/** The kind of a file. */
export function fileKind(path: string, text: string): FileKind {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const named = byName.get(name);
  if (named !== undefined) return named;
  if (/(?:^|\/)(?:\.git\/|\.)?hooks\/[a-z-]+$/.test(path.toLowerCase())) return 'script';
  const dot = name.lastIndexOf('.');
  const extension = dot < 0 ? undefined : byExtension.get(name.slice(dot + 1));
  if (extension !== undefined) return extension;
  return text.startsWith('#!') ? 'script' : 'text';
}

/** Files that other programs start by themselves. */
const startsItself =
  /(?:^|\/)(?:conftest|setup|sitecustomize|usercustomize)\.py$|\.pth$|(?:^|\/)(?:\.git|\.husky|\.githooks)\//i;

/** True for files that show or test something instead of doing it. */
export function isExampleFile(path: string): boolean {
  return (
    /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|examples?|samples?|evals?|testdata|mocks?)\/|(?:^|[/._-])(?:tests?|spec|example|sample|fixture|mock)\.[a-z]+$|(?:^|\/)(?:changelog|history|releases)[^/]*\.md$|(?:^|\/)test_[^/]*\.py$/i.test(
      path,
    ) && !startsItself.test(path)
  );
}
