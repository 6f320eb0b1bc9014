// The one table of diagnostic codes: the message, when it appears and how to fix it.
// The code that raises a diagnostic fills in `<x>` in its message; the compiler checks the names.

/** One row of the table. */
export interface CodeDefinition {
  readonly message: string;
  /** When the code appears. */
  readonly when: string;
  /** How to fix it. */
  readonly fix: string;
  /** Printed as `warning: …` without its code, because the text is fixed elsewhere word for word. */
  readonly bare?: true;
}

/** Every diagnostic code of the product. `E` codes end a command with status 1, `W` codes do not. */
export const codes = {
  E001: {
    message: "skill '<skill>' not found",
    when: 'No directory, no skill in the project or user store, and no skill an agent would see has this name.',
    fix: 'Check the spelling, give the path of the directory with SKILL.md, or run `skc list` to see all names.',
  },
  E002: {
    message: "search index unusable; run 'skc build <skill>' to rebuild",
    when: "The search index of a skill in a store, or of one that was built, is missing, damaged, or older than the skill's files. The detail says which file changed.",
    fix: 'Run `skc build <skill>`, or pass `--fresh` to rebuild first.',
  },
  E003: {
    message: 'index hash collision; delete .skillc/search-<hash16>.db and rebuild',
    when: 'The index file in the runtime directory was built from another source path.',
    fix: 'Delete the named file and build the skill again.',
  },
  E004: {
    message: 'empty query',
    when: 'The search query is blank.',
    fix: 'Give at least one word to search for.',
  },
  E005: {
    message: "ambiguous skill '<skill>'",
    when: 'Several skills have this name, and none of them is in the project or user store.',
    fix: 'Use the path of the one you mean. The message lists the candidates.',
  },
  E010: {
    message: "not a valid skill: '<path>' (missing SKILL.md)",
    when: 'The directory exists but has no file named exactly SKILL.md.',
    fix: 'Create SKILL.md (`skc init my-skill` writes one), or name another directory.',
  },
  E011: {
    message: "missing frontmatter field '<field>' in SKILL.md",
    when: 'A required field is missing, empty or not text.',
    fix: 'Add the field to the frontmatter. `skc lint` lists any other problems.',
  },
  E012: {
    message: "path escapes skill root: '<path>'",
    when: 'A path with `..`, an absolute path or a symbolic link points outside the skill directory.',
    fix: 'Use a path inside the skill. Copy the files it needs into it.',
  },
  E013: {
    message: "refusing to overwrite '<path>'",
    when: 'A file or directory that skc did not create is in the way.',
    fix: 'Move it, or pass `--force`, which keeps a backup under `.skillc/backups`.',
  },
  E014: {
    message: "unreadable frontmatter in '<path>': <why>",
    when: 'The YAML between the two `---` lines cannot be parsed, even after the usual repairs.',
    fix: 'Fix the line. Quoting the value usually helps.',
  },
  E015: {
    message: "cannot read '<path>': <why>",
    when: 'A file or directory exists but cannot be read: permissions, a device, a loop of links, too large, not text.',
    fix: 'Check the permissions and the file type.',
  },
  E016: {
    message: "cannot write '<path>': <why>",
    when: 'The disk is full or read-only, or you have no permission to write there.',
    fix: 'Free some space, or choose another place. The old content is unchanged.',
  },
  E017: {
    message: "refusing to follow the link '<path>'",
    when: 'A path under `.skillc` is a symbolic link, which anyone could ship in a repository. skc did not read or change its target.',
    fix: 'Check where the link points. Delete it if it is not yours. If it is, replace it with a real file or directory.',
  },
  E018: {
    message: "'<input>' is for the user to decide: <why>",
    when: 'A model asked, over MCP, rpc or in a session, for something only the user may ask for: another target, force, import or another scope.',
    fix: 'Leave the input out. You can set it in your configuration, or run the command in a terminal.',
  },
  E019: {
    message: "cannot deploy to '<path>': <why>",
    when: "The destination is the runtime directory itself, inside it, or around it; or agents would read the skill there instead of the project's own skill of that name.",
    fix: 'Deploy somewhere else, such as with `--scope project`. An agent directory must not be a link to `.skillc/runtime`.',
  },
  E020: {
    message: "section not found: '<section>'",
    when: 'No heading of the skill matches.',
    fix: 'Run `skc outline <skill>` to list the headings.',
  },
  E021: {
    message: "file not found: '<file>'",
    when: 'The skill has no such file.',
    fix: 'Run `skc sources <skill>` to list the files.',
  },
  E022: {
    message: "directory not found: '<directory>'",
    when: 'The skill has no such directory.',
    fix: 'Run `skc sources <skill>` to list the directories.',
  },
  E023: {
    message: "source of '<skill>' not found: '<source>'",
    when: 'The skill was compiled from a directory that is gone.',
    fix: 'Restore the source, build the skill from its new place, or remove the compiled files with `skc clean <skill>`.',
  },
  E030: {
    message: "invalid query type: '<query>'",
    when: 'Statistics cannot be grouped by this.',
    fix: 'Use a group listed by `skc stats --help`.',
  },
  E031: {
    message: "invalid filter: '<why>'",
    when: 'A date or project filter is not valid.',
    fix: 'Write dates as RFC 3339 or YYYY-MM-DD.',
  },
  E040: {
    message: 'no local logs found',
    when: 'The name given to `skc sync` is neither a skill nor a local log. A sync with nothing to do succeeds.',
    fix: 'Check the name. Without one, `skc sync` merges every local log.',
  },
  E041: {
    message: "sync destination not writable: '<path>'",
    when: 'The log in the runtime directory is not writable.',
    fix: 'Make the runtime directory writable and run `skc sync` again. The local rows are kept until then.',
  },
  E042: {
    message: "sync source not readable: '<path>'",
    when: 'A local fallback log cannot be opened, or the directory that --project names does not exist.',
    fix: 'Check the path and the permissions.',
  },
  E050: {
    message: "skill '<skill>' already exists",
    when: 'The directory for the new skill already exists.',
    fix: 'Choose another name, or edit the existing skill.',
  },
  E060: {
    message: "denied by permission rule: '<skill>'",
    when: 'A deny rule matches the skill.',
    fix: 'To allow the skill, change the rule in your configuration.',
  },
  E061: {
    message: "confirmation required: '<skill>'",
    when: "A rule requires the user's consent before this skill is used.",
    fix: 'Confirm when asked, in a terminal or by the host, or add an allow rule to your configuration.',
  },
  E062: {
    message: "quiz gate not passed: '<skill>'",
    when: 'The content is locked behind a quiz that has not been passed in this session.',
    fix: 'Take the quiz with `skc quiz <skill>`.',
  },
  E063: {
    message: 'saved session damaged: <why>',
    when: 'A session is to be resumed from a value that is not as it was saved.',
    fix: 'Take the value as it was saved, or start a new session.',
  },
  E064: {
    message: 'not a saved session of this version: <why>',
    when: 'A session is to be resumed from something else, or from what a newer version has saved.',
    fix: 'Update Skillwright, or start a new session.',
  },
  E065: {
    message: 'not a recording, or a damaged one: <why>',
    when: 'A value that `replay` is given is not as `recordSession` makes it.',
    fix: 'Record the conversation again, or correct the field.',
  },
  E070: {
    message: "script not found: '<script>'",
    when: 'The skill has no such script.',
    fix: 'Run `skc scripts <skill>` to list the scripts.',
  },
  E071: {
    message: "script timed out: '<script>'",
    when: 'The script reached its time limit and was stopped.',
    fix: 'Raise the limit with `--timeout`, or give the script less work.',
  },
  E072: {
    message: "script wrote too much output: '<script>'",
    when: 'The script reached its output limit and was stopped.',
    fix: 'Write large results to a file, or print less.',
  },
  E073: {
    message: "script failed: '<script>'",
    when: 'The script exited with a non-zero status.',
    fix: "Read the script's stderr.",
  },
  E074: {
    message: 'sandbox unavailable: <why>',
    when: 'This machine has no working sandbox, so nothing is run.',
    fix: 'Install bubblewrap, or allow unsandboxed runs in your configuration.',
  },
  E075: {
    message: 'arguments refused: <why>',
    when: 'There are too many arguments, or one is too long or contains a forbidden character.',
    fix: 'A script takes at most 100 arguments of at most 4,096 characters. `skc tools <skill>` lists the inputs of tools.',
  },
  E076: {
    message: 'program not started: <why>',
    when: 'An argument, a variable or a directory contains a NUL character or is not text. The system would truncate it.',
    fix: 'Fix the file, setting or argument it comes from.',
  },
  E077: {
    message: "the skill at '<dir>' runs nothing: its name is not valid",
    when: 'Scripts, tools, hooks and commands run only for a skill whose `name` is also a valid directory name.',
    fix: 'Use letters, digits, hyphens, dots and spaces in the name.',
  },
  E080: {
    message: "toolset refused or failed to load: '<toolset>'",
    when: 'A toolset is not trusted, not found, or failed to load.',
    fix: 'Check the toolset path and whether the skill is trusted.',
  },
  E090: {
    message: "time limit reached: '<what>' took longer than <seconds> s",
    when: "A request reached the server's time limit and was stopped.",
    fix: 'Ask for less at a time, or raise `server.timeout` in your configuration.',
  },
  E091: {
    message: "interrupted: '<what>'",
    when: 'A request was cancelled, or its worker process ended.',
    fix: 'Try again. The server is still running.',
  },
  E092: {
    message: "no active tool: '<tool>'",
    when: 'A tool of a skill was called that the skill does not have, or whose skill is not active.',
    fix: 'Activate the skill first, and call a tool from the list that gives.',
  },
  E095: {
    message: 'too many subscriptions: a connection may have <limit>',
    when: 'An MCP client subscribed to too many files.',
    fix: 'Unsubscribe from files that are no longer needed.',
  },
  E096: {
    message: 'the studio refused the request: <why>',
    when: 'A request to `skc studio` came without its cookie or form token, from another site or host, or asked for a change before changes were switched on.',
    fix: 'Open the address that `skc studio` prints. It works once; start `skc studio` again for a new one.',
  },
  E100: {
    message: '<why>',
    when: "The command line, or the input of a tool, is not valid. An unknown flag reads `invalid option: '--flag'`; every other message says what is wrong.",
    fix: 'Run `skc <command> --help` to see the options.',
  },
  E101: {
    message: "no skill matches '<query>'",
    when: 'Enter was pressed in the list of `skc skills` where nothing matches.',
    fix: 'Shorten the query, or look at another scope with Tab.',
  },
  E110: {
    message: 'invalid configuration: <where>: <why>',
    when: 'A configuration file is not valid TOML, or a value has the wrong type.',
    fix: 'Fix the line. `skc config --show-origin` lists every value and its origin.',
  },
  E200: {
    message: "network unreachable: '<url>'",
    when: 'The server did not answer.',
    fix: 'Check the connection and try again.',
  },
  E201: {
    message: "not found: '<what>'",
    when: 'The server does not have it.',
    fix: 'Check the name and the version.',
  },
  E202: {
    message: "unauthorised: '<url>'",
    when: 'The server requires credentials, or rejected yours.',
    fix: 'Log in, or ask for access.',
  },
  E203: {
    message: "version exists: '<what>'",
    when: 'This version is already published and cannot be replaced.',
    fix: 'Raise the version.',
  },
  E204: {
    message: "integrity mismatch: '<what>'",
    when: 'The content does not match its digest.',
    fix: 'Do not use it. Tell the publisher.',
  },
  E205: {
    message: "unsafe archive: '<why>'",
    when: 'An archive has entries or links that point outside it, or exceeds a limit.',
    fix: 'Do not unpack it.',
  },
  E206: {
    message: "address refused: '<url>'",
    when: 'The address is private, local or not allowed.',
    fix: 'If this is intended, add the host to `network.allow_private` in your configuration.',
  },
  E207: {
    message: "too large: '<what>'",
    when: 'The response exceeds its size limit.',
    fix: 'If this is intended, raise the limit in your configuration.',
  },
  E208: {
    message: "refused by scan: '<what>'",
    when: 'The scanner found something dangerous.',
    fix: 'Read the findings. The help line has the command that accepts exactly these, with a reason. The lock records both.',
  },
  E209: {
    message: "rate limited: '<url>'",
    when: 'The server asked you to wait.',
    fix: 'Wait, or log in for a higher limit.',
  },
  E210: {
    message: "cannot understand source '<source>': <why>",
    when: 'The source is not in a known form, or is refused as unsafe.',
    fix: 'Use a directory, a git URL, `owner/repo[/path][@ref]`, `npm:package`, an archive, a domain, or `@owner/name[@range]` from a registry.',
  },
  E211: {
    message: "lock file unusable: '<path>': <why>",
    when: 'The lock file is not valid JSON, does not fit its format, or contains conflict markers.',
    fix: 'Restore the last good version of the file. If it contains conflict markers, `skc install` merges both sides. Nothing was changed.',
  },
  E212: {
    message: "local edits in the way: '<skill>'",
    when: 'You edited lines of an installed skill that the new version changes too, or the edits would be lost.',
    fix: 'Resolve the listed files to keep your edits, or pass `--force`, which keeps a backup.',
  },
  E213: {
    message: "risk not accepted: '<skill>'",
    when: 'The trust score is too low for `--yes`.',
    fix: 'Read the reasons. The help line has the command that accepts it, with a reason.',
  },
  E214: {
    message: "'<command>' failed: <why>",
    when: 'A git or npm command failed while fetching a skill.',
    fix: 'Run the command yourself to see more.',
  },
  E215: {
    message: "unexpected response: '<url>': <why>",
    when: "The server's response does not follow the protocol.",
    fix: 'Check the address, or tell the people who run the server.',
  },
  E216: {
    message: "busy: another skc is changing '<path>'",
    when: 'Another command is changing the installed skills.',
    fix: 'Wait for it to finish, then try again.',
  },
  E217: {
    message: "needs the network: '<what>'",
    when: 'The content is not in the cache, and `--offline` forbids fetching it.',
    fix: 'Run it once without `--offline`.',
  },
  E218: {
    message: "refused by the registry: '<what>': <why>",
    when: 'The registry rejected the request.',
    fix: 'Fix the problem it names. `skc validate --profile registry` finds most problems before you publish.',
  },
  E219: {
    message: "accepted by somebody else: '<skill>'",
    when: "The project's lock accepts dangerous findings, and you have not agreed to that on this machine.",
    fix: 'Read who accepted what, and why. Pass `--trust-lock` to agree; skc remembers it.',
  },
  E220: {
    message: "registry not confirmed: '<url>'",
    when: 'A project names a registry that you have not confirmed, or another one for an owner than you do.',
    fix: 'If you trust it, run the command in the help line. It changes your own configuration.',
  },
  E221: {
    message: "moved: '<what>'",
    when: 'A tag or version now points to different content than when the skill was installed.',
    fix: 'Ask the publisher. Pass `--accept-moved` to accept the new content.',
  },
  E222: {
    message: "target not confirmed: '<path>'",
    when: "A project's lock or configuration names a directory that no agent uses, and you have not confirmed it.",
    fix: 'If skills may be written there, run the command in the help line. It changes your own configuration.',
  },
  E223: {
    message: "scan baseline unusable: '<path>' (<why>)",
    when: 'The `--baseline` file is missing, unreadable, or not a list of reviewed findings.',
    fix: 'Check the path, or write a new one with `skc scan --baseline <file> --write-baseline --why <text>`.',
  },
  E224: {
    message: "edits missing on this machine: '<skill>'",
    when: 'The lock records edits to an installed skill, but this machine does not have the edited files.',
    fix: 'Commit `.skillc/edits` on the machine that has them, then pull. Or pass `--force` to restore the skill without the edits.',
  },
  E225: {
    message: "both sides of a merge changed '<skills>' in '<path>'",
    when: 'The lock of installed skills holds conflict markers of a merge, and both sides changed the same skills in it.',
    fix: 'Run `skc install --take ours` or `skc install --take theirs`. It decides for these skills; all others are merged.',
  },
  E226: {
    message: "skill '<skill>' needs skc <needed> or newer; this is <version>",
    when: "The skill's `min-skillli-version` is newer than this skc.",
    fix: 'Install a newer skc, or an older version of the skill.',
  },
  E230: {
    message: "log note not signed by the pinned key: '<origin>'",
    when: "The checkpoint of a registry's transparency log has no valid signature of the key in your configuration.",
    fix: 'Ask the people who run the registry whether its log has a new key. Change the pinned key in your configuration only if they confirm it.',
  },
  E231: {
    message: "the log shows a different past: '<origin>'",
    when: "A registry's transparency log does not contain what it contained when this machine last saw it: two signed checkpoints contradict each other.",
    fix: 'Install nothing from this registry. Tell the people who run it, and send them both checkpoints.',
  },
  E232: {
    message: "log proof does not match: '<what>'",
    when: "A proof or a tile of a registry's transparency log does not lead to the log's signed checkpoint.",
    fix: 'Try again. If it fails again, tell the people who run the registry, and do not use what the proof is for.',
  },
  E233: {
    message: 'malformed log data: <why>',
    when: 'A key, checkpoint, tile or proof of a transparency log does not follow its format.',
    fix: 'Check the address and the key, or tell the people who run the server.',
  },
  E236: {
    message: "'<what>' was purged from its registry: <why>",
    when: 'The registry deleted the files of this version for good, and tells why.',
    fix: 'Use another version. If the skill is installed, read the reason and consider `skc uninstall <skill>`.',
  },
  E237: {
    message: "'<what>' cannot be installed: <why>",
    when: 'The registry withholds this version: it is quarantined, waits for a review, was rejected, or the scan found danger.',
    fix: 'Use another version, or ask the people who run the registry.',
  },
  E238: {
    message: "'<what>' needs skc <range>; this is <version>",
    when: 'The version document names the versions of skc that can install it, and yours is not among them.',
    fix: 'Install a newer skc, or another version of the skill.',
  },
  E239: {
    message: "'<name>' does not say whose skill it is",
    when: 'Skills in a registry have owners, and your configuration names none for plain names.',
    fix: 'Write `@owner/name`, or set `registry.owner` in your own configuration.',
  },
  E240: {
    message: "'<skill>' is installed from <known>; <other> has the same name",
    when: 'A directory holds one skill of a name, and the installed one is of another owner.',
    fix: 'Uninstall the installed one first, install the other for another scope, or pass `--force`, which keeps a backup.',
  },
  E241: {
    message: "the registry went back: the index of '<skill>': <why>",
    when: 'The registry sent an older index than before, or one that lacks a version you have seen. Versions are never removed.',
    fix: 'Ask the people who run the registry. If they restored a backup, run `skc cache --forget <registry>`: this machine then forgets what it has seen of the registry.',
  },
  E242: {
    message: "the log of '<registry>' started again as '<origin>': <why>",
    when: 'The registry lost the newest entries of its log, for example with a restored backup, and started another log with the same key.',
    fix: 'Ask the people who run the registry. To accept the new log, run `skc cache --forget <registry>`: this machine then forgets what it has seen of the old one.',
  },
  E243: {
    message: "no proof for '<what>': <why>",
    when: 'A key of the log is pinned, and the registry did not prove that its log contains this version.',
    fix: 'Do not use it. Tell the people who run the registry.',
  },
  E244: {
    message: "too few witnesses have cosigned the log of '<registry>': <count> of <quorum>",
    when: 'Your configuration names witnesses (`registry.witnesses`), and the checkpoint of the log does not have the cosignatures of enough of them.',
    fix: 'Wait a minute and try again: witnesses cosign at intervals. If it stays so, the registry may show you another log than them; ask the people who run it.',
  },
  E246: {
    message: "credentials unusable: '<path>': <why>",
    when: 'The file with your logins can be read or replaced by other users, is a link, or is damaged. skc sends no token from it.',
    fix: 'Make the file yours alone with `chmod 600`, or remove it and run `skc login` again.',
  },
  E247: {
    message: "not logged in to '<url>'",
    when: 'The request needs an account, and skc has no token for this registry.',
    fix: 'Run `skc login <url>`, or put a token into SKC_TOKEN.',
  },
  E248: {
    message: "login at '<url>' failed: <why>",
    when: 'The login was denied, its code expired, or the registry did not accept the token.',
    fix: 'Run `skc login <url>` again.',
  },
  E249: {
    message: 'no identity for trusted publishing: <why>',
    when: 'The CI system gives this job no identity token, or the registry does not accept the one it gives.',
    fix: 'In GitHub Actions add `permissions: id-token: write`. In GitLab add `SKC_ID_TOKEN` to `id_tokens`. The registry must list the workflow as a publisher of the skill.',
  },
  E251: {
    message: "not allowed: '<what>': <why>",
    when: 'The registry knows you, but your token or your role does not allow this.',
    fix: 'Ask an admin of the owner for a role, or create a token with the scope it names.',
  },
  E252: {
    message: "not possible now: '<what>': <why>",
    when: 'The request contradicts the state of the registry: the name is taken or too similar to another, or somebody else changed the same thing.',
    fix: 'Look at the current state, then choose another name or try again.',
  },
  E260: {
    message: 'no evals in <what>',
    when: 'No tested skill has a file with evals: in itself, in its `evals/`, or in the `evals/` of its repository.',
    fix: 'Let skc propose cases with `skc test <skill> --write`, or write `evals/eval_queries.json`: a list of `{"query": "…", "should_trigger": true}`.',
  },
  E261: {
    message: "report baseline unusable: '<path>' (<why>)",
    when: 'The `--baseline` file is missing, unreadable, or not a baseline that `skc report` wrote.',
    fix: 'Check the path, or write a new one with `skc report --baseline <file> --write-baseline`.',
  },
  E262: {
    message: "not a report: '<path>'",
    when: 'The `--output` file exists, and `skc report` did not write it.',
    fix: 'Choose another name, or remove the file.',
  },
  E265: {
    message: "cannot use the model '<name>': <why>",
    when: 'The model that `skc test --model` names is not in your own configuration, or its entry is not complete or not safe.',
    fix: 'Correct `[models.<name>]` in `~/.skillc/config.toml`, and set the variable that holds its key.',
  },
  E266: {
    message: "no answer from the model '<name>': <why>",
    when: 'The endpoint refused the request, stayed busy, or sent something that is not an answer; or the command failed.',
    fix: 'Follow the message of the endpoint or the command, then run the test again. `--resume` keeps the answers you have.',
  },
  E267: {
    message: "cannot use the results in '<path>': <why>",
    when: 'The file that `--output` names was not written by `skc test`, or cannot be read.',
    fix: 'Name another file, or remove this one.',
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
    when: 'No access log could be written.',
    fix: 'Make the runtime directory writable.',
  },
  W003: {
    message: "stale local logs, run 'skc sync'",
    when: "Accesses in the project's local log have waited more than an hour to be merged.",
    fix: 'Run `skc sync`.',
  },
  W004: {
    message: "skill '<skill>' shadowed by another of the same name",
    when: 'Two skills have the same name and one takes precedence.',
    fix: 'Rename one of them.',
  },
  W005: {
    message: 'command of a skill not run: <command>',
    when: "The skill's text asks for a command's output, and the host does not allow that.",
    fix: 'Run the command yourself, or allow it in the host.',
  },
  W006: {
    message: "'<written>' is not a valid skill name; using the directory name '<name>'",
    when: "The name in the frontmatter is not valid, but the directory's name is.",
    fix: 'Use lower-case letters, digits and single hyphens.',
  },
  W007: {
    message: "not all of '<root>' was searched: <why>",
    when: 'A skill root has more directories, or deeper ones, than the search limit.',
    fix: 'Raise `catalog.max_directories` or `catalog.max_depth`, or move other files out.',
  },
  W008: {
    message: "'<link>' now points to '<runtime>', not to '<before>'",
    when: 'A build replaced the link of another skill with the same name.',
    fix: 'Rename one of the two skills, or deploy each into its own project with `--scope project`.',
  },
  W009: {
    message: "moved out of the way: '<path>': <why>; kept as '<kept>'",
    when: 'A file that skc did not make was in a place skc uses, such as a database shipped by a repository.',
    fix: 'Nothing, unless you need the file. It was kept.',
  },
  W010: {
    message: "ignored: '<path>': <why>",
    when: 'A file looks as if skc or you had made it, but skc has no record of that: a manifest shipped by a repository, a link in place of a file under `.skillc`, a remembered permission for no particular skill.',
    fix: 'Follow the help line: build the skill again, replace the link, or confirm the permission again.',
  },
  W011: {
    message: "name '<name>' <why>",
    when: "A skill's name breaks the rules of the standard, or is not its directory's name. skc uses it anyway.",
    fix: 'Rename the skill or its directory: other agents may skip it.',
  },
  W012: {
    message: "the text of '<file>' is not indexed: <size> is over the limit of <limit>",
    when: 'A text file is too large for the search index. The headings of a Markdown file are still indexed.',
    fix: 'Split the file to make its text searchable.',
  },
  W013: {
    message: "only the first <limit> headings of '<file>' are listed",
    when: 'A Markdown file has more headings than the limit.',
    fix: 'Split the file.',
  },
  W014: {
    message: "the stub of '<skill>' loses <lost>",
    when: 'You asked for a stub, or the skill cannot be deployed whole, but agents need more than the stub to use it.',
    fix: 'Build it with `--whole`, or without `--stub`. `skc run` runs its scripts.',
  },
  W015: {
    message: "'<skill>' is deployed as a stub: <why>",
    when: 'Deployed whole, the skill would expose text that a quiz or a rule locks.',
    fix: 'Nothing: agents read the skill through the gateway. To deploy it whole, remove the quiz or the rule.',
  },
  W016: {
    message: 'frontmatter of <where>: <what>',
    when: 'The YAML of a SKILL.md needed a repair, or has a duplicate key.',
    fix: 'Fix the line, or let `skc lint --fix` do it. Other agents may skip the skill.',
  },
  W017: {
    message: "left out of skill '<skill>': <what>",
    when: 'An entry of the frontmatter, such as one hook or one toolset, is malformed. The other entries are used.',
    fix: 'Correct the entry; `skc validate` names its line.',
  },
  W018: {
    message: "rule for an unknown tool: <where>: '<tool>'",
    when: 'A permission rule names a tool that skc never asks about. Only a host that asks about it itself obeys the rule.',
    fix: 'Check the spelling: `skill_load` stands for reading a skill, `skill_run` for running something of it.',
  },
  W019: {
    message: "unknown hook event '<event>'",
    when: 'A skill has hooks for an event that no agent is known to raise, or a host reported such an event.',
    fix: 'Check the spelling. Hooks for an event that nobody raises never run.',
  },
  W020: {
    message: "<skills> of '<project>' hidden: the user has not trusted this project",
    when: 'A host opened a session for a project without trust, so its skills and configuration are not used.',
    fix: 'If the user trusts the project, open the session with `trust: true`; over rpc, `initialize` takes it.',
  },
  W060: {
    message: "hook without an answer: '<hook>': <why>",
    when: 'A hook decides whether something happens, and it could not be run or its answer was not understood. Nobody has said yes, so the report says block, or ask for a request for permission.',
    fix: 'Correct the hook, say that you trust the skill with `skc tools <skill> --trust`, or switch the skill off.',
  },
  W061: {
    message: 'not kept: <what>: <why>',
    when: 'A permanent confirmation could not be saved, or part of a resumed session is no longer valid or must be confirmed again.',
    fix: 'Confirm or activate it again, if you still want it.',
  },
  W065: {
    message: 'not replayed: <what>: <why>',
    when: 'A recorded conversation holds a step that `replay` leaves out, or carries out with fewer rights.',
    fix: 'Test this step on its own. For skills behind a quiz, pass a `quizMemory` that has passed it.',
  },
  W070: {
    message: 'not granted to the skill: <grants>',
    when: "The skill's scripts ask for more than the sandbox allows, and you have not granted it.",
    fix: 'Read the script, then run it with `--grant`. After an edit you must grant it again.',
  },
  W071: {
    message: 'placeholder <placeholder> not filled in: <command>',
    when: 'A placeholder is in single quotes, where a shell expands nothing.',
    fix: 'Use double quotes or none. If it is not a placeholder, escape it as `\\$0`.',
  },
  W080: {
    message: "hook without effect: '<hook>': <why>",
    when: 'A hook failed, timed out, or was not run. The action it watches continues.',
    fix: 'Fix the hook, or trust the skill with `skc tools <skill> --trust`.',
  },
  W110: {
    message: 'unknown configuration key: <where>: <key>',
    when: 'A configuration file has an unknown key.',
    fix: 'Check the spelling.',
  },
  W111: {
    message: 'skills are switched off: <where>',
    when: 'The key `skills.enabled` is false: agents see no skill, and nothing of one is read or run.',
    fix: 'Set `skills.enabled` to true, or remove the key, in the file or variable that the message names.',
  },
  W112: {
    message: '<name> and <old> are both set: <name> counts',
    when: 'A variable is set under its name and under the name of earlier versions, to different values.',
    fix: 'Unset the one that starts with `SKILLC_`.',
  },
  W215: {
    message: "left out of '<where>': <why>",
    when: "A site's skill index has an entry that cannot be used. The other entries are used.",
    fix: 'Tell the publisher.',
  },
  W216: {
    message: "'--accept' matches no finding: <finding>",
    when: 'You accepted an id or a rule that no finding has.',
    fix: 'Check the spelling, or leave it out. When a file changes, its findings get new ids.',
  },
  W217: {
    message: "the lock does not say which registry '<skill>' came from; asking yours: '<url>'",
    when: 'The skill was installed before locks named the registry.',
    fix: 'Run `skc update <skill>` to record it.',
  },
  W218: {
    message: "'network.allow_private = true' is replaced by a list of hosts",
    when: 'The configuration allows every private address.',
    fix: 'List the hosts, addresses or networks: `allow_private = ["localhost", "10.0.0.0/8", "git.corp:8443"]`.',
  },
  W222: {
    message: "'<skill>' is no longer in the lock, but has local edits; kept at '<path>'",
    when: 'The skill was uninstalled elsewhere, but your copy has local edits.',
    fix: 'Save what you want to keep, then delete the directory.',
  },
  W223: {
    message: 'not fetched: <what>',
    when: 'The repository refers to other repositories, packages or archives (submodules or plugins) that skc did not fetch.',
    fix: 'If you need them, install from those sources directly.',
  },
  W224: {
    message: "'<what>' is <kind>: <why>",
    when: 'The registry yanked or quarantined the version, deprecated the skill, or has an advisory about it.',
    fix: 'Read the reason, then run `skc update <skill>` or `skc uninstall <skill>`.',
  },
  W225: {
    message: "merged both sides of '<path>': <what>",
    when: 'The lock of installed skills held conflict markers of a merge, and both sides could be brought together.',
    fix: 'Read what came from which side, and tell git that the file is settled: `git add .skillc/lock.json`. Uninstall a skill that you had removed and that came back.',
  },
  W226: {
    message: "using the copy of '<skill>' in the project: <why>",
    when: 'A skill in `skills-lock.json` is intact on disk, but its source no longer has that content.',
    fix: 'Commit the store, or run `skc update <skill>`. Other machines cannot restore this version from its source.',
  },
  W236: {
    message: "the log of '<registry>' is not checked: it offers no key",
    when: 'Your configuration names no key for the transparency log of the registry, and the registry offers none.',
    fix: 'Ask the people who run the registry for its key, and pin it: `skc config registry.key <key> --scope user`.',
  },
  W237: {
    message: "'<registry>' shows an older state of its log: <size> of <known> entries",
    when: 'The log is consistent with the one you have seen, but shorter: another server may be behind.',
    fix: 'Nothing to do. If it stays so, tell the people who run the registry.',
  },
  W238: {
    message: "'<registry>' was not asked (<why>); <last>",
    when: 'A command reports what a registry says about installed skills, and could not ask it now.',
    fix: 'Run it again when the registry can be reached.',
  },
  W239: {
    message: "the key of the log of '<registry>' is pinned from now on, as first seen: <key>",
    when: 'Your configuration names no key for the transparency log of the registry, so this machine remembers the first one it sees. Another key is refused later.',
    fix: 'Compare the key with the one that the people who run the registry publish. If it is another, run `skc cache --forget <registry>` and tell them.',
  },
  W246: {
    message: "the keyring did not keep the token; it is stored in '<path>'",
    when: 'The system has a keyring, but it is locked or does not work. The token is stored in a file that only you can read.',
    fix: 'Unlock the keyring and run `skc login` again to move the token there.',
  },
  W247: {
    message: 'SKC_TOKEN is set and is used instead of this login',
    when: 'You logged in to the registry in `registry.url` while the variable SKC_TOKEN is set.',
    fix: 'Remove the variable to use the login.',
  },
  W248: {
    message: "the token is still valid at '<url>': <why>",
    when: 'The token was removed from this machine by `skc logout`, but the registry did not revoke it.',
    fix: "Revoke it on the registry's page of tokens.",
  },
  W249: {
    message: "the registry '<url>' offers another key for its log than the one you pinned: <offered>",
    when: 'The registry changed the key of its transparency log, or somebody answers in its place.',
    fix: 'Ask its operators. If the change is theirs, write the new key to `registry.key` in your configuration.',
  },
  W260: {
    message: "cannot use a case in '<file>': <why>",
    when: 'A file with evals is damaged, its shape is not known, or a case in it lacks a field or names a skill that does not exist.',
    fix: 'Correct the case or rename a file that is none. `skc help evals` shows the formats.',
  },
  W265: {
    message: 'the run with the model stopped early: <why>',
    when: 'A limit was reached, you interrupted the run, or the model failed again and again. The result has what was done until then.',
    fix: 'Raise the limit, or solve the problem, then run it again with `--output <file> --resume`.',
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
