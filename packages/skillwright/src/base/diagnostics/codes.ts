// The one table of diagnostic codes: what each says, when it appears and what to do about it.
// `<x>` in a message is filled in by whoever raises the code; the compiler checks the names.

/** One row of the table. */
export interface CodeDefinition {
  readonly message: string;
  /** When the code appears. */
  readonly when: string;
  /** What a user can do about it. */
  readonly fix: string;
  /** Printed as `warning: …` without its code, because the text is fixed elsewhere word for word. */
  readonly bare?: true;
}

/** Every diagnostic code of the product. `E` codes end a command with status 1, `W` codes do not. */
export const codes = {
  E001: {
    message: "skill '<skill>' not found",
    when: 'No directory, no skill of the project or user store and no skill an agent would see has this name.',
    fix: 'Check the spelling, give the path of the directory that holds SKILL.md, or run `skc list` to see the known names.',
  },
  E002: {
    message: "search index unusable; run 'skc build <skill>' to rebuild",
    when: 'The search index of the skill is missing, damaged, or older than the files of the skill.',
    fix: 'Run `skc build <skill>`, or pass `--fresh` to rebuild on the way.',
  },
  E003: {
    message: 'index hash collision; delete .skillc/search-<hash16>.db and rebuild',
    when: 'The index file in the runtime directory was built from another source path.',
    fix: 'Delete the named file and build the skill again.',
  },
  E004: {
    message: 'empty query',
    when: 'A search was asked for nothing.',
    fix: 'Give at least one word to look for.',
  },
  E005: {
    message: "ambiguous skill '<skill>'",
    when: 'Several skills carry this name, and none of them is in the project or user store.',
    fix: 'Use the path of the one you mean; the message lists the candidates.',
  },
  E010: {
    message: "not a valid skill: '<path>' (missing SKILL.md)",
    when: 'The directory exists but holds no file named exactly SKILL.md.',
    fix: 'Create SKILL.md (`skc init <name>` writes one), or name another directory.',
  },
  E011: {
    message: "missing frontmatter field '<field>' in SKILL.md",
    when: 'A field the operation cannot do without is absent, empty or not text.',
    fix: 'Add the field to the frontmatter; `skc lint` shows every other problem as well.',
  },
  E012: {
    message: "path escapes skill root: '<path>'",
    when: 'A path with `..`, an absolute path or a symbolic link leads out of the skill directory.',
    fix: 'Keep every path and link inside the skill, and copy what is needed into it.',
  },
  E013: {
    message: "refusing to overwrite '<path>'",
    when: 'Something that skc did not put there stands where a file or directory would be written.',
    fix: 'Move it away, or pass `--force`, which keeps the old one under `.skillc/backups`.',
  },
  E014: {
    message: "unreadable frontmatter in '<path>': <why>",
    when: 'The YAML between the two `---` lines cannot be parsed, even after the usual repairs.',
    fix: 'Correct the named line; quoting the value is the usual remedy.',
  },
  E015: {
    message: "cannot read '<path>': <why>",
    when: 'A file or directory exists but cannot be read: permissions, a device, a loop of links, too large, not text.',
    fix: 'Check the permissions and the kind of file.',
  },
  E016: {
    message: "cannot write '<path>': <why>",
    when: 'The disk is full or read-only, or the place may not be written.',
    fix: 'Free some space or choose another place. What was there before is unchanged.',
  },
  E017: {
    message: "refusing to follow the link '<path>'",
    when: 'Something that skc keeps below `.skillc` is a symbolic link, as a stranger could ship it in a repository. What it leads to was neither read nor changed.',
    fix: 'Look where the link leads. If you did not make it, delete it; if you did, put a file or directory in its place.',
  },
  E018: {
    message: "'<input>' is for the user to decide: <why>",
    when: 'A model asked for something, over MCP, rpc or in a session, that only the user may ask for: another target, force, import or another scope.',
    fix: 'Leave the input out. The user sets it in the configuration, or runs the command in a terminal.',
  },
  E019: {
    message: "cannot deploy to '<path>': <why>",
    when: 'The place for a link or copy is the runtime directory itself, lies in it, or holds it.',
    fix: 'Deploy somewhere else; an agent directory must not be a link to `.skillc/runtime`.',
  },
  E020: {
    message: "section not found: '<section>'",
    when: 'No heading of the skill matches.',
    fix: 'Run `skc outline <skill>` for the headings there are.',
  },
  E021: {
    message: "file not found: '<file>'",
    when: 'The skill has no such file.',
    fix: 'Run `skc sources <skill>` for the files there are.',
  },
  E022: {
    message: "directory not found: '<directory>'",
    when: 'The skill has no such directory.',
    fix: 'Run `skc sources <skill>` for the directories there are.',
  },
  E023: {
    message: "source of '<skill>' not found: '<source>'",
    when: 'The skill was compiled, and the directory that it was compiled from is gone.',
    fix: 'Put the source back, build the skill from where it is now, or remove what was compiled with `skc clean <skill>`.',
  },
  E030: {
    message: "invalid query type: '<query>'",
    when: 'The statistics cannot be grouped that way.',
    fix: 'Use one of the groups named by `skc stats --help`.',
  },
  E031: {
    message: "invalid filter: '<why>'",
    when: 'A date or project filter of the statistics cannot be understood.',
    fix: 'Dates are RFC 3339 or YYYY-MM-DD.',
  },
  E040: {
    message: 'no local logs found',
    when: 'The name given to `skc sync` means neither a skill nor a local log. A sync with nothing to do succeeds.',
    fix: 'Check the name. `skc sync` without one syncs everything there is.',
  },
  E041: {
    message: "sync destination not writable: '<path>'",
    when: 'The log of the runtime directory cannot be written.',
    fix: 'Make the runtime directory writable and run `skc sync` again; the local rows are kept until then.',
  },
  E042: {
    message: "sync source not readable: '<path>'",
    when: 'A local fallback log cannot be opened, or the directory that --project names does not exist.',
    fix: 'Check the path and the permissions.',
  },
  E050: {
    message: "skill '<skill>' already exists",
    when: 'The directory for a new skill is already there.',
    fix: 'Choose another name, or edit the existing skill.',
  },
  E060: {
    message: "denied by permission rule: '<skill>'",
    when: 'A deny rule matches the skill that would be loaded.',
    fix: 'Change the rule in the configuration of the user, if the skill should be allowed.',
  },
  E061: {
    message: "confirmation required: '<skill>'",
    when: 'A rule asks the user before this skill is loaded.',
    fix: 'Confirm in the host, or add an allow rule.',
  },
  E062: {
    message: "quiz gate not passed: '<skill>'",
    when: 'The content is behind a quiz that has not been passed in this session.',
    fix: 'Take the quiz with `skc quiz <skill>`.',
  },
  E070: {
    message: "script not found: '<script>'",
    when: 'The skill has no such script.',
    fix: 'Run `skc scripts <skill>` for the scripts there are.',
  },
  E071: {
    message: "script timed out: '<script>'",
    when: 'The script ran longer than it may and was stopped.',
    fix: 'Raise the limit with `--timeout`, or give the script less to do.',
  },
  E072: {
    message: "script wrote too much output: '<script>'",
    when: 'The output passed its limit and the script was stopped.',
    fix: 'Write large results to a file, or print less.',
  },
  E073: {
    message: "script failed: '<script>'",
    when: 'The script ended with a status other than zero.',
    fix: 'Read what the script wrote to its error stream.',
  },
  E074: {
    message: 'sandbox unavailable: <why>',
    when: 'No sandbox works on this machine, so nothing is run.',
    fix: 'Install bubblewrap, or allow unsandboxed runs in the configuration of the user.',
  },
  E075: {
    message: 'arguments refused: <why>',
    when: 'There are too many arguments, or one is too long or holds a forbidden character.',
    fix: 'Pass at most 100 arguments of at most 4,096 characters.',
  },
  E076: {
    message: 'program not started: <why>',
    when: 'A word of a command line, a variable or a directory holds a NUL character or is not text. The system would cut it in two.',
    fix: 'Correct the file, the setting or the argument the word comes from.',
  },
  E077: {
    message: "nothing of the skill at '<dir>' is run: its name cannot name a skill",
    when: 'Scripts, tools, hooks and commands run only for a skill whose `name` could name a directory.',
    fix: 'Give the skill a name of letters, digits, hyphens, dots and spaces.',
  },
  E080: {
    message: "toolset refused or failed to load: '<toolset>'",
    when: 'A toolset is not trusted, not found, or broke while it was loaded.',
    fix: 'Check the toolset path and whether the skill is trusted.',
  },
  E090: {
    message: "time limit reached: '<what>' took longer than <seconds> s",
    when: 'A request to a server took longer than it may, and was given up.',
    fix: 'Ask for less at a time, or raise `server.timeout` in the configuration of the user.',
  },
  E091: {
    message: "interrupted: '<what>'",
    when: 'A request to a server was cancelled, or the process that worked on it ended.',
    fix: 'Ask again; the server goes on.',
  },
  E100: {
    message: '<why>',
    when: "The command line, or the input of a tool, cannot be understood. An unknown flag reads `invalid option: '--flag'`; every other message says what is wrong.",
    fix: 'Run the command with `--help`.',
  },
  E110: {
    message: 'invalid configuration: <where>: <why>',
    when: 'A configuration file is not TOML, or a value has the wrong type.',
    fix: 'Correct the named line; `skc config --show-origin` lists every value and where it comes from.',
  },
  E200: {
    message: "network unreachable: '<url>'",
    when: 'The server did not answer.',
    fix: 'Check the connection and try again.',
  },
  E201: {
    message: "not found: '<what>'",
    when: 'The server has no such thing.',
    fix: 'Check the name and the version.',
  },
  E202: {
    message: "unauthorised: '<url>'",
    when: 'The server asks for credentials, or refuses the ones it got.',
    fix: 'Log in, or ask for access.',
  },
  E203: {
    message: "version exists: '<what>'",
    when: 'This version is already published and cannot be replaced.',
    fix: 'Raise the version.',
  },
  E204: {
    message: "integrity mismatch: '<what>'",
    when: 'The content is not what its digest promises.',
    fix: 'Do not use it; tell whoever publishes it.',
  },
  E205: {
    message: "unsafe archive: '<why>'",
    when: 'An archive holds entries that would write outside, links that lead out, or more than is allowed.',
    fix: 'Do not unpack it.',
  },
  E206: {
    message: "address refused: '<url>'",
    when: 'The address is private, local or of a forbidden kind.',
    fix: 'Allow private addresses in the configuration of the user, if this is intended.',
  },
  E207: {
    message: "too large: '<what>'",
    when: 'The answer is larger than its limit.',
    fix: 'Raise the limit in the configuration, if this is intended.',
  },
  E208: {
    message: "refused by scan: '<what>'",
    when: 'The scanner found something dangerous.',
    fix: 'Read the findings. The help line is the command that accepts exactly these, with a reason; the lock keeps both.',
  },
  E209: {
    message: "rate limited: '<url>'",
    when: 'The server asks to wait.',
    fix: 'Wait, or log in for a higher limit.',
  },
  E210: {
    message: "cannot understand source '<source>': <why>",
    when: 'What is to be installed is named in a way that means nothing, or that is refused as unsafe.',
    fix: 'Name a directory, a git URL, `owner/repo[/path][@ref]`, `npm:<package>`, an archive, a domain, or `name[@range]` of the registry.',
  },
  E211: {
    message: "lock file unusable: '<path>': <why>",
    when: 'The lock of installed skills is not JSON, was edited into something else, or holds conflict markers.',
    fix: 'Take back the last good version of the file; nothing was changed.',
  },
  E212: {
    message: "local edits in the way: '<skill>'",
    when: 'An installed skill was edited where the new version changed too, or would be lost.',
    fix: 'Keep your edits by settling the named files, or pass `--force`, which keeps a backup.',
  },
  E213: {
    message: "risk not accepted: '<skill>'",
    when: 'The trust score is so low that a plain yes is not enough.',
    fix: 'Read the reasons. The help line is the command that accepts it, with a reason.',
  },
  E214: {
    message: "'<command>' failed: <why>",
    when: 'A program that fetches skills, git or npm, could not do what was asked.',
    fix: 'Run the named command yourself to see more.',
  },
  E215: {
    message: "answer not understood: '<url>': <why>",
    when: 'A server answered with something that is not what the protocol says.',
    fix: 'Check the address; tell whoever runs the server.',
  },
  E216: {
    message: "busy: another skc is changing '<path>'",
    when: 'Two commands want to change the installed skills at the same time.',
    fix: 'Wait for the other one, and try again.',
  },
  E217: {
    message: "needs the network: '<what>'",
    when: 'Something is not in the cache, and the command was told to stay offline.',
    fix: 'Run it once without `--offline`.',
  },
  E218: {
    message: "refused by the registry: '<what>': <why>",
    when: 'The registry does not take what was sent to it.',
    fix: 'Correct what it names; `skc validate --profile registry` finds most of it beforehand.',
  },
  E219: {
    message: "accepted by somebody else: '<skill>'",
    when: 'The lock of a project accepts dangerous findings, and you have not agreed to that on this machine.',
    fix: 'Read who accepted what, and why. Pass `--trust-lock` to agree; it is remembered.',
  },
  E220: {
    message: "registry not confirmed: '<url>'",
    when: 'A project names a registry that you have not confirmed.',
    fix: 'Add it to `registry.trusted` in your own configuration, if you rely on it.',
  },
  E221: {
    message: "moved: '<what>'",
    when: 'A tag or a version now stands for other content than when the skill was installed.',
    fix: 'Ask whoever publishes it. Pass `--accept-moved` to take what it stands for now.',
  },
  E223: {
    message: "scan baseline unusable: '<path>' (<why>)",
    when: 'The file named with `--baseline` is missing, cannot be read, or does not hold reviewed findings.',
    fix: 'Check the path, or write a new one with `skc scan --baseline <file> --write-baseline --why <text>`.',
  },
  E224: {
    message: "edits missing on this machine: '<skill>'",
    when: 'The lock says that the project edited an installed skill, and the edited files are nowhere on this machine.',
    fix: 'Commit `.skillc/edits` on the machine that has them and pull, or pass `--force`, which restores the skill without the edits.',
  },
  E226: {
    message: "skill '<skill>' needs skc <needed> or newer; this is <version>",
    when: 'The field `min-skillli-version` of a skill names a version that this skc does not reach.',
    fix: 'Install a newer skc, or an older version of the skill.',
  },
  E300: {
    message: '<rule-id> <rule-name>: <message>',
    when: 'A lint rule found an error.',
    fix: 'Run `skc explain <rule-id>` for the rule.',
  },
  E999: {
    message: 'internal error: <why>',
    when: 'A bug in skc.',
    fix: 'Please report it, with the command that caused it.',
  },
  W001: {
    message: 'multiple matches for "<heading>"; showing first',
    when: 'Several sections have this heading.',
    fix: 'Name the file with `--file`, or use the anchor.',
    bare: true,
  },
  W002: {
    message: 'logging disabled: <why>',
    when: 'The access could not be written to any log.',
    fix: 'Make the runtime directory writable.',
  },
  W003: {
    message: "stale local logs, run 'skc sync'",
    when: 'Accesses logged beside the project have waited to be merged for more than an hour.',
    fix: 'Run `skc sync`.',
  },
  W004: {
    message: "skill '<skill>' shadowed by another of the same name",
    when: 'Two skills have the same name and one takes precedence.',
    fix: 'Rename one of them.',
  },
  W005: {
    message: 'command of a skill not run: <command>',
    when: 'The text of a skill asks for the output of a command, and the host does not allow that.',
    fix: 'Run the command yourself, or allow it in the host.',
  },
  W006: {
    message: "'<written>' is not a name for a skill; '<name>', the directory's, is used",
    when: 'The name in the frontmatter breaks the rules for names, and the name of the directory does not.',
    fix: 'Write a name of lower-case letters, digits and single hyphens.',
  },
  W007: {
    message: "not all of '<root>' was searched: <why>",
    when: 'A directory that holds skills has more directories, or deeper ones, than are looked into.',
    fix: 'Raise `catalog.max_directories` or `catalog.max_depth`, or move what is not a skill elsewhere.',
  },
  W008: {
    message: "'<link>' now leads to '<runtime>' and no longer to '<before>'",
    when: 'A build took over the link of another skill of the same name.',
    fix: 'Rename one of the two skills, or deploy each into its own project with `--scope project`.',
  },
  W009: {
    message: "set aside: '<path>': <why>; kept as '<kept>'",
    when: 'A file that skc did not make stood where skc keeps its own, for instance a database that a repository ships.',
    fix: 'Nothing, if you do not miss it. Otherwise look at the file that was kept.',
  },
  W010: {
    message: "ignored: '<path>': <why>",
    when: 'Something looks as if skc or the user had made it, and there is no record of that: a manifest that a repository ships, a link in place of a file below `.skillc`, a remembered permission that names no particular skill.',
    fix: 'Follow the help of the message: build the skill again, replace the link, or confirm the permission again.',
  },
  W012: {
    message: "text of '<file>' is not searched: it has <size>, more than <limit>",
    when: 'A text file of a skill is too large for the search index. The headings of a Markdown file are indexed all the same.',
    fix: 'Split the file, if its text should be found.',
  },
  W013: {
    message: "only the first <limit> headings of '<file>' are listed",
    when: 'A Markdown file has more headings than are listed, shown and searched.',
    fix: 'Split the file.',
  },
  W014: {
    message: "the stub of '<skill>' loses <lost>",
    when: 'A stub was asked for, or the skill may not be deployed whole, and agents need more than the stub to use it.',
    fix: 'Build it with `--whole`, or without `--stub`; scripts can be run with `skc run`.',
  },
  W015: {
    message: "'<skill>' is deployed as a stub: <why>",
    when: 'The skill should be deployed whole, and agents would then read what a quiz or a rule keeps closed.',
    fix: 'Remove the quiz or the rule, or leave it: agents read the skill through the gateway.',
  },
  W016: {
    message: 'frontmatter of <where>: <what>',
    when: 'The YAML of a SKILL.md could only be read after a repair, or has a key twice.',
    fix: 'Correct the line, or let `skc lint --fix` do it: other agents may leave the skill out.',
  },
  W070: {
    message: 'not granted to the skill: <grants>',
    when: 'A skill declares that its scripts need more than the sandbox gives, and the user has not granted it.',
    fix: 'Read the script, then run it with `--grant`; an edited skill has to be granted anew.',
  },
  W071: {
    message: 'placeholder <placeholder> not filled in: <command>',
    when: 'A placeholder stands in single quotes of a command, where a shell expands nothing.',
    fix: 'Write the placeholder outside the quotes or in double quotes; escape it as `\\$0` if it is not one.',
  },
  W080: {
    message: "hook without effect: '<hook>': <why>",
    when: 'A hook of a skill failed, took too long, or was not run; what it was about goes on.',
    fix: 'Correct the hook, or say that you trust the skill with `skc tools <skill> --trust`.',
  },
  W110: {
    message: 'unknown configuration key: <where>: <key>',
    when: 'A configuration file has a key that nothing reads.',
    fix: 'Check the spelling.',
  },
  W215: {
    message: "left out of '<where>': <why>",
    when: 'A site publishes an index of skills with something in it that cannot be used; the rest of it is.',
    fix: 'Tell whoever publishes it.',
  },
  W216: {
    message: "'--accept' names nothing that was found: <finding>",
    when: 'An id or a rule was accepted, and no finding has it.',
    fix: 'Check the spelling, or leave it out: a changed file gives its findings other ids.',
  },
  W217: {
    message: "the lock does not say which registry '<skill>' came from; asking yours: '<url>'",
    when: 'The skill was installed before locks named the registry.',
    fix: 'Run `skc update <skill>`, which writes it down.',
  },
  W218: {
    message: "'network.allow_private = true' is replaced by a list of hosts",
    when: 'The configuration opens every private address at once.',
    fix: 'Name the hosts, addresses or networks: `allow_private = ["localhost", "10.0.0.0/8", "git.corp:8443"]`.',
  },
  W222: {
    message: "'<skill>' is no longer in the lock, but was edited here; it stays at '<path>'",
    when: 'Somebody uninstalled a skill and the lock says so, but your copy of it has edits of your own.',
    fix: 'Move what you want to keep elsewhere, and delete the directory.',
  },
  W223: {
    message: 'left out of the source: <what>',
    when: 'A repository names other repositories, packages or archives, as submodules or as plugins, that were not fetched.',
    fix: 'Install from the places it names, if you want what they hold.',
  },
  W224: {
    message: "'<what>' is <kind>: <why>",
    when: 'The registry withdrew the version, holds it back, advises against the skill, or has an advisory about it.',
    fix: 'Read the reason, then run `skc update <skill>` or `skc uninstall <skill>`.',
  },
  W226: {
    message: "'<skill>' is taken as it lies in the project: <why>",
    when: 'A skill of `skills-lock.json` is intact on the disk, but its source does not give that content any more.',
    fix: 'Commit the store, or run `skc update <skill>`: other machines cannot restore this version from its source.',
  },
  W300: {
    message: '<rule-id> <rule-name>: <message>',
    when: 'A lint rule found something to improve.',
    fix: 'Run `skc explain <rule-id>` for the rule.',
  },
} as const satisfies Record<string, CodeDefinition>;

/** A diagnostic code such as `E012`. */
export type Code = keyof typeof codes;

type Placeholders<Message extends string> = Message extends `${string}<${infer Name}>${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** The values a code's message needs. */
export type CodeValues<C extends Code> = Record<Placeholders<(typeof codes)[C]['message']>, string>;

/** The message of a code with its placeholders filled in. Control characters in values are made visible. */
export function formatMessage<C extends Code>(code: C, values: CodeValues<C>): string {
  const known: Record<string, string> = values;
  return codes[code].message.replace(/<([\w-]+)>/g, (whole, name: string) => {
    const value = known[name];
    return value === undefined ? whole : makeVisible(value);
  });
}

const VISIBLE_LIMIT = 2000;

/** Text from outside on one line: line breaks, escapes and bidirectional controls become visible, very long text is cut. */
export function makeVisible(value: string): string {
  // A character outside the basic plane is not cut in half.
  const cut =
    value.length > VISIBLE_LIMIT
      ? `${value.slice(0, VISIBLE_LIMIT).replace(/[\ud800-\udbff]$/, '')}…`
      : value;
  return cut.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) =>
    character === '\n'
      ? '\\n'
      : character === '\t'
        ? '\\t'
        : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
