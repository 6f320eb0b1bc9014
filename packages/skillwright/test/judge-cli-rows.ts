// How every command is asked about a skill. See judge-matrix.test.ts.

import { hiddenWords, type Kind, marks, type Target } from './judge-world.ts';

/** The calls of a command. `everything`: those that name no skill. */
export interface CliRow {
  readonly kind: Kind;
  readonly named?: (target: Target) => readonly (readonly string[])[];
  readonly everything?: readonly (readonly string[])[];
  /** Calls that send text to a model, with what it received in the file `sent.json`. */
  readonly sending?: readonly (readonly string[])[];
  /** Hands out the source itself, as its author wants it. */
  readonly packs?: true;
  /** Why the row gives nothing of a skill that may be read. */
  readonly silent?: string;
}

const reference = `references/${marks.fileName}.md`;
const script = `${marks.scriptName}.sh`;

/** A row for each command, or the reason why none is needed. */
export const cliRows: Readonly<Record<string, CliRow | string>> = {
  init: 'makes new skills',
  lint: {
    kind: 'inspect',
    named: ({ word }) => [
      ['lint', word],
      ['lint', word, '--profile', 'strict', '--format', 'agent'],
    ],
    everything: [
      ['lint', '.skillc/skills'],
      ['lint', '.skillc/skills', '--profile', 'strict'],
    ],
  },
  test: {
    kind: 'inspect',
    named: ({ word }) => [
      ['test', word],
      ['test', word, '--write', '--dry-run'],
    ],
    everything: [['test', '.skillc/skills']],
    sending: [['test', 'outer', '--model', 'echo', '--runs', '1', '--output', 'sent.json']],
  },
  validate: {
    kind: 'inspect',
    named: ({ word }) => [
      ['validate', word],
      ['validate', word, '--profile', 'claude-code'],
    ],
  },
  list: { kind: 'list', everything: [['list'], ['list', '--check-obsolete']], silent: 'names and paths' },
  info: { kind: 'inspect', named: ({ word }) => [['info', word]], silent: 'counts and places' },
  outline: { kind: 'read', named: ({ word }) => [['outline', word]] },
  show: {
    kind: 'read',
    named: ({ word, inside }) => [
      ['show', word, '--section', 'Chapter'],
      ['show', word, '--section', 'Chapter', '--file', `${inside}SKILL.md`, '--fresh'],
      ['show', word, '--section', 'Chaptr'],
      ['show', word, '--section', 'Zorilla'],
    ],
  },
  search: {
    kind: 'read',
    named: ({ word }) => [
      ['search', word, 'zorilla'],
      ['search', word, 'zorilla', '--fresh'],
    ],
  },
  open: {
    kind: 'read',
    named: ({ word, inside }) => [
      ['open', word, `${inside}SKILL.md`],
      ['open', word, `${inside}${reference}`, '--lines', '1-3'],
      ['open', word, `${inside}scripts/${script}`],
      ['open', word, `${inside}references/qxfil.md`],
    ],
  },
  sources: {
    kind: 'read',
    named: ({ word, inside }) => [
      ['sources', word],
      ['sources', word, '--depth', '9'],
      ['sources', word, '--dir', `${inside}references`],
      ['sources', word, '--pattern', '**/*.md'],
    ],
  },
  find: {
    kind: 'find',
    everything: [
      ...hiddenWords.map((word) => ['find', word]),
      ['find', 'zorilla'],
      ['find', 'chapter', 'zorilla', 'text'],
      ['find', 'quagga'],
    ],
  },
  skills: { kind: 'list', everything: [['skills'], ['skills', 'zorilla']] },
  roots: { kind: 'list', everything: [['roots'], ['roots', '--agents', 'all']], silent: 'places and names' },
  install: 'fetches skills from elsewhere',
  update: 'asks where a skill came from',
  uninstall: 'removes what was installed, and names it',
  outdated: {
    kind: 'inspect',
    named: ({ word }) => [['outdated', word, '--offline']],
    everything: [['outdated', '--offline']],
    silent: 'versions',
  },
  verify: { kind: 'inspect', everything: [['verify']], silent: 'compares installed skills with the lock' },
  diff: {
    kind: 'read',
    named: ({ word }) => [['diff', word, '--offline']],
    silent: 'only installed skills have something to compare with',
  },
  doctor: { kind: 'inspect', everything: [['doctor']], silent: 'looks at installations' },
  scan: {
    kind: 'inspect',
    named: ({ word }) => [['scan', word]],
    everything: [['scan', '.skillc/skills']],
  },
  report: {
    kind: 'inspect',
    named: ({ word }) => [
      ['report', word],
      ['report', word, '--format', 'html'],
    ],
    everything: [['report', '--format', 'markdown']],
  },
  ci: {
    kind: 'inspect',
    named: ({ word }) => [
      ['ci', word],
      ['ci', word, '--format', 'markdown'],
    ],
    everything: [['ci'], ['ci', '--format', 'sarif']],
  },
  stats: {
    kind: 'inspect',
    named: ({ word }) =>
      ['summary', 'sections', 'files', 'errors', 'quiz'].map((group) => ['stats', word, '--group-by', group]),
    everything: ['summary', 'sections', 'files'].map((group) => ['stats', '--all', '--group-by', group]),
  },
  sync: {
    kind: 'inspect',
    named: ({ word }) => [['sync', word, '--dry-run']],
    everything: [['sync', '--dry-run']],
    silent: 'counts',
  },
  load: { kind: 'read', named: ({ word, isName }) => [isName ? ['load', word] : ['load', '--path', word]] },
  quiz: {
    kind: 'read',
    named: ({ word }) => [
      ['quiz', word],
      ['quiz', word, '--status'],
      ['quiz', word, '--answer', '9=9'],
    ],
    silent: 'questions alone',
  },
  scripts: {
    kind: 'read',
    named: ({ word, inside }) => [
      ['scripts', word],
      ['scripts', word, `${inside}scripts/${script}`],
    ],
  },
  run: {
    kind: 'read',
    named: ({ word, inside }) => [['run', word, `${inside}scripts/${script}`]],
    everything: [['run', 'outer', 'own.sh']],
  },
  tools: {
    kind: 'read',
    named: ({ word }) => [
      ['tools', word],
      ['tools', word, 'x'],
    ],
    silent: 'the skill brings none along',
  },
  publish: {
    kind: 'make',
    packs: true,
    named: ({ word }) => [['publish', word, '--static', '../published', '--dry-run']],
    silent: 'names, sizes and digests',
  },
  build: {
    kind: 'make',
    named: ({ word }) => [
      ['build', word, '--target', 'none'],
      ['build', word, '--whole', '--dry-run'],
    ],
    everything: [['build', '--all', '--target', 'none']],
    silent: 'names and counts',
  },
  clean: {
    kind: 'inspect',
    named: ({ word }) => [
      ['clean', word, '--dry-run'],
      ['clean', word],
    ],
    silent: 'what a build made',
  },
  trawl: 'searches the network',
  explain: 'explains codes',
  config: 'reads and writes configuration',
  agents: 'knows agents, not skills',
  cache: 'knows digests, not skills',
  login: 'gets a token',
  registry: 'reads the log of a registry',
  logout: 'removes a token',
  whoami: 'knows accounts, not skills',
  yank: 'names a skill at a registry',
  deprecate: 'names a skill at a registry',
  access: 'names a skill at a registry',
  owner: 'knows owners, not skills',
  verification: 'names a skill at a registry',
  token: 'knows tokens, not skills',
  rate: 'names a skill at a registry',
  completion: 'knows commands, not skills',
  version: 'says what this is',
  mcp: 'asked tool by tool',
  rpc: 'asked method by method',
  studio: 'asked page by page',
};
