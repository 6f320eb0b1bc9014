// The threat model as a table: each promise with the probes that try to break it. `npm run probes` runs them against the built
// executable, and docs/security.md is generated from this table, so that it makes no promise without a probe.

/** A promise and the test files that try to break it, relative to the repository. */
export interface Threat {
  /** Markdown, one paragraph. */
  readonly promise: string;
  readonly probes: readonly [string, ...string[]];
}

/** A section of the page. */
export interface ThreatSection {
  readonly title: string;
  /** Definitions and examples. They promise nothing. */
  readonly text?: string;
  readonly threats: readonly Threat[];
  /** Everything that is not protected. */
  readonly limits?: string;
}

/** The beginning of the page. */
export const threatIntro = `# Threat model

Skills are third-party texts and programs that a model reads and runs on your machine. This page lists what \`skc\` protects,
against whom, and by which means, and what it does not protect. To report a vulnerability, see [SECURITY](../SECURITY.md).`;

const library = (path: string) => `packages/skillwright/${path}`;
const registry = (path: string) => `packages/registry/${path}`;

export const threatSections: readonly ThreatSection[] = [
  {
    title: 'Who is who',
    text: `| | treated as |
|---|---|
| you, your account, your system's programs, \`skc\` | trusted |
| the author of a skill, and everything in its directory | hostile |
| a project you have cloned: its skills, everything in its \`.skillc\`, its lock | hostile: it may add skills and rules and lower limits, but loosen nothing |
| a server you fetch skills from, and the network in between | hostile |
| a model that reaches \`skc\` over MCP, RPC or a session | easily persuaded; it may read and run, never grant |
| **an agent that has a shell** | **you**: it can do everything you can do |

The last row matters most. \`--grant\`, \`--trust\`, \`--author\`, \`--accept\`, \`--trust-lock\`, \`--unsandboxed\` and your configuration
files are yours because no protocol offers them. An agent that may type commands can type these too, and read every file you
can read. To prevent that, set the agent's own permission rules.`,
    threats: [],
  },
  {
    title: 'Reading a skill',
    threats: [
      {
        promise:
          'Frontmatter is data: YAML without constructors, with limits on aliases and depth. Nothing in it runs.',
        probes: [library('src/skill/format/frontmatter.test.ts')],
      },
      {
        promise:
          'A path is checked as spelled and again after links are resolved; the opened file is checked once more. A link out of a skill is E012.',
        probes: [library('test/gateway-safety.test.ts')],
      },
      {
        promise:
          'Names become directories only after a check. `skc` replaces no link or directory it did not make.',
        probes: [library('test/hostile-links.test.ts')],
      },
      {
        promise:
          'Hidden files and `node_modules` are not part of a skill: no command, tool, resource or session returns them.',
        probes: [library('test/hostile-hidden-files.test.ts')],
      },
      {
        promise:
          'Patterns of globs, triggers and hooks take linear time. A file with a million headings stays within limits, and printed commands quote the names in them.',
        probes: [library('test/hostile-patterns.test.ts'), library('test/hostile-sections.test.ts')],
      },
      {
        promise:
          'Text for a model is wrapped in tags that the text cannot close. Text from a skill, script or server cannot control the terminal: control characters and characters without a shape are escaped before they are printed. The same holds for names and descriptions in the picker.',
        probes: [
          library('test/hostile-terminal.test.ts'),
          library('src/front/picker/pick-skills.test.ts'),
          library('src/front/picker/render-picker.test.ts'),
        ],
      },
      {
        promise:
          'Shell completion offers nothing that the rules hide, and a name or heading cannot run anything in your shell.',
        probes: [library('test/completion.test.ts')],
      },
      {
        promise: 'A cell in a CSV export cannot become a formula.',
        probes: [library('test/usage.test.ts')],
      },
      {
        promise:
          'A corrected search query reveals no word of a hidden skill, and while a quiz is closed, diagnostics about its skill are hidden.',
        probes: [library('src/host/runtime/nothing-silent.test.ts')],
      },
      {
        promise: 'A skill that you switch off by its path is off in every front end.',
        probes: [library('src/front/commands/switch-record.test.ts')],
      },
      {
        promise:
          'A file that claims to be huge, such as a sparse one of 20 GiB, does not make a command read it.',
        probes: [library('src/base/files/hash-file.test.ts')],
      },
      {
        promise:
          'Frontmatter, Markdown, the lock, the configuration, archives and messages that nobody wrote by hand get an answer or a code, in time. `npm run fuzz` looks for more.',
        probes: [library('test/fuzz-corpus.test.ts')],
      },
      {
        promise:
          '`find` and other searches neither rank nor quote the text of a skill that the caller may not read, skills inside it included.',
        probes: [library('test/judge-matrix.test.ts'), library('test/judge-commands.test.ts')],
      },
      {
        promise: 'Pipes, links and directories in the place of files of `.skillc` are an error with a code.',
        probes: [library('test/hostile-databases.test.ts'), library('test/second-ways.test.ts')],
      },
    ],
    limits: `The model reads the text and may follow it; no wrapping and no scanner prevents that. The model also reads
the output of scripts and tools. Into a file or a pipe \`skc\` writes text unchanged, control characters included, like \`cat\`.`,
  },
  {
    title: 'Files from a project',
    threats: [
      {
        promise:
          'Databases, indexes, manifests and stubs count only if the record in your home says that skc made them. A log with a trigger, a view or another schema is moved aside and not used; `skc` follows no link below `.skillc` when it reads or writes.',
        probes: [library('test/hostile-manifests.test.ts'), library('test/hostile-databases.test.ts')],
      },
      {
        promise:
          'Its configuration may lower a limit and add rules that deny or ask. It cannot raise a limit or undo `skills.enabled = false`, and its `build.targets` cannot lead out of the project.',
        probes: [library('src/skill/config/load-config.test.ts'), library('test/hostile-links.test.ts')],
      },
      {
        promise: 'A stub that differs from the one skc wrote fails `verify` and is rebuilt.',
        probes: [library('test/power-cut.test.ts')],
      },
      {
        promise:
          'A model that works over MCP, rpc or a session writes only where your configuration allows. Every tool declares its writes; targets, force, import and scopes are refused with E018.',
        probes: [library('test/hostile-model-writes.test.ts')],
      },
      {
        promise:
          "A project's lock and configuration name directories of agents, and others only after you confirmed them once. They never name a repository's own directory, nor one that other programs run or configure themselves from, in any spelling and through any link.",
        probes: [library('test/hostile-targets.test.ts')],
      },
      {
        promise: 'No command that writes into a project follows a link out of it.',
        probes: [library('test/hostile-written-links.test.ts')],
      },
      {
        promise: 'A `.skillc` of another user above the working directory does not make a project.',
        probes: [library('src/skill/workspace/project.test.ts')],
      },
      {
        promise:
          'A project cannot open a quiz of yours, name catalog roots outside itself, or switch off the access log.',
        probes: [
          library('src/skill/quiz/quiz-state-file.test.ts'),
          library('src/skill/config/load-config.test.ts'),
        ],
      },
    ],
    limits: `A process under your account that swaps files while \`skc\` runs, or that can write to your home directory.
A model may build any skill whose path it knows, for the agents you configured.`,
  },
  {
    title: 'Confirmations',
    text: `A rule in \`permissions.confirm\` needs an answer from you. These promises keep others from answering:`,
    threats: [
      {
        promise:
          'Over MCP a model cannot confirm for you: no tool argument counts as an answer. Your answer is bound to the request and counts once.',
        probes: [library('test/mcp-person.test.ts')],
      },
      {
        promise: 'Over rpc only `permissions.remember` counts as a yes.',
        probes: [library('test/rpc-python.test.ts'), library('test/judge-matrix.test.ts')],
      },
      {
        promise:
          'A confirmation holds for one skill at one path with the files it had, not for another skill with the same name.',
        probes: [
          library('src/host/runtime/confirmations.test.ts'),
          library('test/hostile-remembered.test.ts'),
        ],
      },
      {
        promise: 'A saved session confirms nothing unless the host trusts it.',
        probes: [library('src/host/runtime/saved-session.test.ts')],
      },
      {
        promise:
          "A recording grants nothing: the rules, `confirm` and `quizMemory` of the replaying host decide, and a load counts as the user's only after a message that names the skill.",
        probes: [library('src/host/runtime/replay.test.ts')],
      },
      {
        promise: 'A session opens no network connection.',
        probes: [library('test/clauses/seed-3-sections.test.ts')],
      },
      {
        promise: 'A context provider cannot be built without the rules.',
        probes: [library('src/host/runtime/skill-context-provider.test.ts')],
      },
    ],
  },
  {
    title: 'Servers',
    threats: [
      {
        promise:
          '`skc mcp` and `skc rpc` work in separate processes. If one of those hangs, the server still answers other requests, ends the hanging one after `server.timeout`, and stops within two seconds of a signal; idle connections make room for new ones.',
        probes: [library('test/hostile-server.test.ts')],
      },
      {
        promise: 'A cancelled request, an aborted framework run or a lost client ends the sandboxed process.',
        probes: [library('test/rpc-execution.test.ts'), library('src/host/adapters/ai-sdk.test.ts')],
      },
      {
        promise:
          'MCP completions and subscriptions reveal nothing about a skill that the model may not read.',
        probes: [library('test/judge-matrix.test.ts'), library('test/mcp-notices.test.ts')],
      },
      {
        promise: 'MCP log messages do not list the arguments of a call and contain no script output.',
        probes: [library('test/mcp-notices.test.ts'), library('test/sandbox-mcp.test.ts')],
      },
    ],
    limits: `Eight requests that hang at once make others wait up to the limit. After \`kill -9\` of the server a process
lives until its current work ends. A logged error message can quote the argument it is about, such as a skill name that does
not exist.`,
  },
  {
    title: 'Running scripts, toolsets and hooks',
    text: `Try it: the script of this skill tests what it can reach.

\`\`\`console
$ cat curious/SKILL.md
---
name: curious
description: Tries to get out of the sandbox. Use when you want to see it fail.
---

# Curious
$ cat curious/scripts/try.sh
# Prints what it can do. Usage: try.sh SECRET_FILE
try() { if eval "$2" > /dev/null 2>&1; then echo "can $1"; else echo "cannot $1"; fi; }
try 'read the secret' "cat '$1'"
try 'list the directory it is in' "ls '$(dirname "$1")'"
try 'read /etc/shadow' 'cat /etc/shadow'
try 'write into its own skill' 'echo x >> SKILL.md'
try 'connect somewhere' 'exec 3<> /dev/tcp/192.0.2.1/80'
try 'look a name up' 'getent hosts example.com'
try 'make a namespace of its own' 'unshare --user true'
try 'write to a /tmp of its own' 'echo x > /tmp/x'
$ skc run curious try.sh ~/.ssh/id_ed25519
cannot read the secret
cannot list the directory it is in
cannot read /etc/shadow
cannot write into its own skill
cannot connect somewhere
cannot look a name up
cannot make a namespace of its own
can write to a /tmp of its own
\`\`\``,
    threats: [
      {
        promise:
          "A script cannot read your files, keys, other skills, the project: its file system contains only the system's programs, a few files of `/etc`, and its skill.",
        probes: [library('test/sandbox-probes.test.ts'), library('test/sandbox-as-user.test.ts')],
      },
      {
        promise:
          'A script cannot make a lasting change: all of that is read-only; `/tmp` and home are private and temporary; grants are the exception.',
        probes: [library('test/sandbox-probes.test.ts'), library('test/sandbox-as-user.test.ts')],
      },
      {
        promise:
          'A script cannot reach a network, a socket of the machine, a name server: network namespace, no sockets in its file system, other socket families refused.',
        probes: [library('test/sandbox-probes.test.ts'), library('test/sandbox-as-user.test.ts')],
      },
      {
        promise:
          'A script cannot see or signal processes, read your environment or open files: process namespace, a separate environment, inherited files replaced.',
        probes: [library('test/sandbox-probes.test.ts'), library('test/sandbox-as-user.test.ts')],
      },
      {
        promise:
          'A script cannot escape by mounts, namespaces, tracing, keys, handles: no capabilities, a system call filter.',
        probes: [library('test/sandbox-probes.test.ts'), library('test/sandbox-as-user.test.ts')],
      },
      {
        promise:
          'A script cannot outlive its limits, ignore a signal, leave a daemon: killing the first process of the namespace kills all others.',
        probes: [library('test/sandbox-probes.test.ts'), library('test/sandbox-as-user.test.ts')],
      },
      {
        promise:
          'A script cannot use uncounted memory: `/tmp`, `/dev/shm`, page tables, sockets and pipes count too; moving pages into pipes and shared memory without a file are refused; a control group counts the rest where available.',
        probes: [library('test/sandbox-probes.test.ts'), library('test/sandbox-as-user.test.ts')],
      },
      {
        promise:
          'A script cannot be swapped between check and start: it runs from a private copy of the hashed files.',
        probes: [library('test/hostile-execution.test.ts')],
      },
      {
        promise:
          'A script cannot receive more than you typed: no shell, 100 arguments of 4,096 characters; an argument with a NUL, or an invalid skill name, is refused.',
        probes: [library('test/hostile-execution.test.ts')],
      },
      {
        promise:
          'Toolsets and hooks run in the same sandbox, and only for skills you trust, with the files they had then.',
        probes: [library('test/toolsets.test.ts')],
      },
      {
        promise: 'A guard hook that cannot run, cannot be read or gives no clear answer blocks the action.',
        probes: [
          library('src/host/runtime/session-hooks.test.ts'),
          library('src/guard/execute/dispatch-hooks.test.ts'),
        ],
      },
      {
        promise:
          'A skill asks for more in `metadata.sandbox`. You grant it for the current files; a change to any file the skill can read ends the grant, nested repositories and write directories included. A project, a protocol or the skill itself cannot grant.',
        probes: [library('test/hostile-execution.test.ts'), library('test/sandbox-mcp.test.ts')],
      },
      {
        promise: "Arguments reach the commands in a skill's text as data.",
        probes: [library('test/hostile-arguments.test.ts')],
      },
      {
        promise: 'Your files reach a script only through your own flags.',
        probes: [library('src/front/commands/run.test.ts')],
      },
      {
        promise: "Bun's environment variables run nothing in `skc`.",
        probes: [library('test/executable.test.ts')],
      },
      {
        promise: 'Without a working sandbox nothing runs: E074.',
        probes: [library('src/guard/execute/open-sandbox.test.ts')],
      },
      {
        promise:
          'A script, a toolset, a hook and a check of evals see what the reach of their skill lists: no hidden file, and no nested skill that is denied, off, locked or unconfirmed, quiz answers included.',
        probes: [library('test/hostile-reach.test.ts'), library('test/judge-matrix.test.ts')],
      },
      {
        promise:
          'Nobody listens to a script on a socket in a directory that you share, or in a skill that runs in its place: it gets connected pairs only.',
        probes: [library('test/hostile-reach.test.ts'), library('test/sandbox-probes.test.ts')],
      },
      {
        promise:
          'Root does not run a script as root: the sandbox starts as another user where it needs no file that only root may read, and a control group counts its processes. Other programs start while a script makes as many processes as it can.',
        probes: [library('test/hostile-reach.test.ts'), library('test/process-limit.soak.test.ts')],
      },
      {
        promise: 'Directories of killed runs are removed by the next run.',
        probes: [library('test/hostile-execution.test.ts')],
      },
    ],
    limits: `- Bugs in the kernel and in bubblewrap, side channels, and public kernel data: its version, memory, uptime, number of
  processors. A script also learns the path of its skill, which often contains your user name.
- A skill of more than 8 MiB or 1,000 files without grants runs in place, not from a copy; hidden files and closed skills in it
  are masked.
- A named pipe in a directory that you share works in both directions. A hard link to a hidden file is a file.
- Without a control group, and in the first quarter of a second with one, file locks, mappings without pages, and the first
  256 pipes and sockets do not count. Control groups of version 2 are supported, but we have not run them.
- A list recognises commands in a skill's text that pass data to another interpreter. It cannot be complete.
- The executable itself, started without the launcher, obeys \`BUN_INSPECT_PRELOAD\` and \`BUN_BE_BUN\`.
- CPU time: a script may use every core until its time limit. Memory and processes are checked every 25 ms, so a burst
  in between can exceed the limit. If root can make no control group, and a script writes or gets shared files, only that check
  counts its processes.
- Files in \`/usr\`, \`/bin\` and \`/lib\` are readable; for root, also those that only root may read. Keep no secrets there.
- Your grants. \`network\` means all of it: the internet, services on your own machine, the metadata address of a cloud.
  \`env(TOKEN)\` with \`network\` can send the token anywhere. \`write(directory)\` limits the size of a file, not the total.
- Text on a command line, \`--stdin\` included, is in the process list, where other users of the machine can read it. Pass
  secrets in a granted variable or a pipe (\`--stdin -\`).
- A model may run scripts of every skill it sees, without asking, in the sandbox. [Rules](#stricter-rules) change that.
- A toolset remembers its inputs until it is deactivated, and a hook sees the events it handles.
- macOS: \`sandbox-exec\` has a profile and the same contract suite, but we have not run it. It does not limit memory or
  processes, and a script can find out whether a file exists. Windows has no sandbox.
- The system call filter exists for x64 and arm64, and we have run it on x64. Elsewhere only the namespaces protect you.
- \`--unsandboxed\` turns the sandbox off: limits apply, but the script can do everything you can do.`,
  },
  {
    title: 'Quiz gates',
    threats: [
      {
        promise:
          'While a gate is closed, no command, tool, resource, prompt, stub, catalog, log or message contains the answers or the locked text; a test searches the output of all of them. Editing the skill closes the gate again.',
        probes: [library('test/quiz-silence.test.ts')],
      },
    ],
    limits: `The disk. SKILL.md contains the answers, and the index next to the stub contains headings and single words
of the locked text. Anyone who can read files or pass \`--author\` needs no quiz. Answers can be guessed; attempts are counted.
A published skill contains its answers. A gate is a seat belt for an honest reader.`,
  },
  {
    title: 'Installing',
    threats: [
      {
        promise:
          'Names, paths, links, devices, collisions and bombs in archives: one extractor that refuses them, 10,000 entries, 100 MiB, ratio 100.',
        probes: [library('src/ship/install/archive/extract-archive.test.ts')],
      },
      {
        promise:
          'URLs and refs that are options, commands or transports: checked before any program starts; git runs without a shell, hooks, submodules or prompts.',
        probes: [library('src/ship/install/source/read-source.test.ts')],
      },
      {
        promise: 'A partial installation: a transaction with a journal: the old state or the new one.',
        probes: [library('src/ship/install/transaction/change-place.soak.test.ts')],
      },
      {
        promise:
          'Content that changes later: the lock contains a hash of every file and the commit, version or digest; `verify` and `install` compare them.',
        probes: [library('src/front/commands/verify.test.ts')],
      },
      {
        promise:
          'Unchecked content: one gate scans everything that comes in: install, update, restore, cached or not, `doctor --fix`, publish.',
        probes: [library('test/hostile-install.test.ts')],
      },
      {
        promise:
          'Files that git would take for a repository without `.git`, whose settings run programs: the skill is rated dangerous and refused.',
        probes: [library('test/hostile-install.test.ts')],
      },
      {
        promise:
          'A lock that accepts a danger for you: each acceptance is shown with author and reason, and needs your confirmation once per machine.',
        probes: [library('src/ship/install/gate/gate.test.ts')],
      },
      {
        promise: 'Tags and versions that move: E221 with both commits.',
        probes: [library('test/hostile-sources.test.ts')],
      },
      {
        promise: 'Tokens in addresses: refused; never stored, logged or printed.',
        probes: [library('test/hostile-sources.test.ts')],
      },
      {
        promise:
          'A skill that calls itself official: ignored; only a registry that you chose can mark a skill as official. A repository that only a package names earns no points.',
        probes: [library('src/guard/scan/score-trust.test.ts')],
      },
      {
        promise:
          "A project that redirects you: the lock names the registry; you confirm a project's registry once, and it is never used for your own scope. Sources of `owner/repo` and npm, private addresses and allow rules come only from your configuration; your token goes only to a registry that you chose.",
        probes: [library('test/hostile-sources.test.ts')],
      },
      {
        promise:
          'Releases of `skc` itself install without install scripts, and their files have checksums and provenance.',
        probes: [library('test/release.test.ts')],
      },
    ],
    limits: `The first installation. \`skc\` has no signatures: it trusts the source at the first installation, and an
attacker who takes over an account publishes under its name. A git commit is checked by its hash, which is SHA-1 in most
repositories. An index without a digest is accepted, but the skill gets fewer points.`,
  },
  {
    title: 'Requests',
    threats: [
      {
        promise:
          'Every request of `skc` itself resolves the name once, refuses it if any address is private, loopback, link-local or otherwise special, and connects to the checked address. It follows at most five redirects, each with the same checks; size and time are limited; headers with a token go only to their origin. `skc mcp --http` listens on the loopback address and checks `Host` and `Origin`.',
        probes: [library('src/ship/network/create-fetcher.test.ts')],
      },
      {
        promise:
          'Only `install`, `update`, `outdated`, `trawl`, `publish` to a registry, and telemetry to an OpenTelemetry endpoint from the environment use the network. Reading, building, linting, scanning and running do not.',
        probes: [library('test/second-ways.test.ts')],
      },
    ],
    limits: `git over ssh resolves names itself, and behind a proxy its addresses are not pinned. It uses your proxies
and credentials, and fetches a repository on your own machine or network like any other. \`skc\` trusts DNS for public
addresses; https and the digest protect the content. \`network.allow_private\` allows the hosts and networks you list, an
address under any name; link-local addresses and metadata services stay refused. \`skc\` finds a secret in the path of a URL
only by its form. \`skc mcp --http\` has no password: all users of the machine can call it.`,
  },
  {
    title: 'Registries',
    text: `The client trusts a registry for its own answers and no further.`,
    threats: [
      {
        promise:
          "With a pinned key (`registry.key`), a version counts only if the registry's log contains it. Another key, another past, or the proof of another version is refused, and nothing is written; skc never pins a key by itself.",
        probes: [library('test/registry-trust.test.ts')],
      },
      {
        promise: 'Every bit flip in a proof, note or tile is found, and a fork is told from a damaged tile.',
        probes: [library('src/ship/log/hostile-proofs.test.ts')],
      },
      {
        promise:
          'A project cannot redirect an owner you assigned, replace a pinned key, or say whose skills plain names mean.',
        probes: [library('src/ship/network/registry-of.test.ts')],
      },
      {
        promise:
          'A token goes only to its own registry, never to one that only a project names. It is on no command line, and in no output except that of `skc token create`.',
        probes: [
          library('src/ship/network/open-registry.test.ts'),
          library('src/ship/credentials/open-credentials.test.ts'),
        ],
      },
      {
        promise:
          'A version that was quarantined after its installation does not come back from the cache once skc knows.',
        probes: [library('test/withdrawn-skills.test.ts')],
      },
      {
        promise:
          'Missing and invisible skills, owners and versions get the same answer in documents, search, counts, MCP, feeds, the log and pages.',
        probes: [
          registry('test/skill-access.test.ts'),
          registry('test/search.test.ts'),
          registry('test/page-routes.test.ts'),
        ],
      },
      {
        promise:
          'A hidden skill and an unknown one run the same statements and load the same rows when they are read.',
        probes: [registry('test/same-work.test.ts')],
      },
      {
        promise: 'The public log names no private skill.',
        probes: [registry('test/log-publication.test.ts')],
      },
      {
        promise:
          'Revoking a token or suspending an account acts on the next request; a stolen publish token makes no tokens.',
        probes: [registry('test/tokens.test.ts')],
      },
      {
        promise:
          'Other sites cannot act for a signed-in person, and a sign-in works once, in the browser that started it.',
        probes: [registry('test/sessions.test.ts'), registry('test/sign-in.test.ts')],
      },
      {
        promise: 'CI identity tokens work once; pull requests, forks and recreated owners are refused.',
        probes: [registry('test/trusted-publishing.test.ts')],
      },
      {
        promise: 'Uploads are bounded and unpacked with all guards; nobody reviews their own version.',
        probes: [registry('test/publication.test.ts'), registry('test/moderation.test.ts')],
      },
      {
        promise:
          'A namespace cannot undo what the registry decided about its skills, approve its own dangerous versions, or read reports about itself.',
        probes: [registry('test/authority.test.ts'), registry('test/moderation.test.ts')],
      },
      {
        promise: "Text and files of a skill never run in a visitor's browser.",
        probes: [registry('test/pages/hostile-pages.test.ts')],
      },
      {
        promise: 'Mirrors and webhooks do not reach private addresses unless a setting allows it.',
        probes: [registry('test/mirrors.test.ts'), registry('test/feed-and-webhooks.test.ts')],
      },
      {
        promise:
          'No acknowledged change is lost by `kill -9`, and a second process on one data directory is refused.',
        probes: [registry('test/kill.soak.test.ts'), registry('test/store/open-embedded.test.ts')],
      },
      {
        promise:
          'A registry that remembers a checkpoint signs nothing that contradicts it, not even after a backup was restored or its database was set back.',
        probes: [registry('test/log-restore.test.ts')],
      },
      {
        promise: 'Made-up tokens are limited before the database is asked.',
        probes: [registry('test/running.test.ts')],
      },
      {
        promise: 'An import checks every skill as a publication does.',
        probes: [registry('test/import.test.ts')],
      },
      {
        promise: 'A second signal does not damage the embedded database.',
        probes: [registry('test/stop.test.ts')],
      },
    ],
    limits: `The log shows how many entries there are, and which are private. Without a pinned key, or before the first
contact, a registry can show you a different past than it shows others; witnesses make that visible. A registry that always
answers with its last index can hide a newer version. Administrators of a registry can read everything in it. A PostgreSQL
database that was set back while no server ran is noticed only with \`--log-memory\`.`,
  },
  {
    title: 'The studio and reports',
    threats: [
      {
        promise:
          'The studio listens on the loopback address only. It refuses other host names, other origins, missing and used tokens, and forged forms, and it writes nothing before you allow changes.',
        probes: [library('test/studio.test.ts')],
      },
      {
        promise:
          "Names, texts, searches and log rows of strangers cannot run, load or imitate anything on a page, and commands on a page quote a skill's name as one shell word.",
        probes: [library('test/studio/studio-pages.test.ts'), library('test/studio/studio-text.test.ts')],
      },
      {
        promise:
          'A report has no script and makes no request. Comments for pull requests mention nobody and link nowhere. A baseline counts only if the user names it.',
        probes: [library('src/front/commands/report.test.ts')],
      },
      {
        promise: '`skc studio --export` replaces only an export that the record in your home knows.',
        probes: [library('test/studio.test.ts')],
      },
    ],
    limits: `Browsers send cookies to every port of a host: if you visit a page that another user of the machine serves on the
loopback address while the studio runs, that user gets its cookie.`,
  },
  {
    title: 'Models',
    threats: [
      {
        promise:
          'Only the user configures models; a project cannot name an endpoint, a command or a key variable.',
        probes: [library('src/front/commands/test-with-model.test.ts')],
      },
      {
        promise:
          "A model's key is in no output, error, transcript or results file. It goes to no redirect target, and no check sees it, not even by a grant.",
        probes: [library('src/host/models/ask-endpoint.test.ts')],
      },
      {
        promise:
          'A skill that a rule, a quiz or `disable-model-invocation` keeps from models is not sent to one.',
        probes: [library('test/judge-matrix.test.ts')],
      },
      {
        promise: 'Tool results and text of skills are data to the runner, and checks run in the sandbox.',
        probes: [library('src/front/commands/test-with-model.test.ts')],
      },
      {
        promise:
          'A command starts in an empty directory, is found on absolute paths only, gets few variables, and nothing reads the prompt as a program.',
        probes: [library('src/front/commands/test-with-model.test.ts')],
      },
      {
        promise:
          'Evals send a model no hidden file and no file of a nested skill that it may not read, and their checks obey the rules for running.',
        probes: [
          library('test/judge-commands.test.ts'),
          library('src/front/commands/test-with-model.test.ts'),
        ],
      },
    ],
  },
  {
    title: 'What the scanner is worth',
    text: `The scanner finds code that downloads and runs programs, leaks of secrets, hidden text, and orders to the model. Measured:

- 1,412 real skills with all their files, in two halves, one of them never used to tune the rules: 0 % and 0.2 % rated dangerous, 1.6 % and 2.4 % caution.
- Malicious skills written after public reports, counted before the rules were changed for them: of 62, 81 % rated dangerous and 82 % flagged; of 40 hidden in real skills, 73 % and 88 %; of the 24 newest, 54 % and 83 %.`,
    threats: [
      {
        promise:
          'The authors of the rules wrote all malicious samples: expect lower rates on others. A test sets a minimum and names every miss.',
        probes: [library('src/guard/scan/samples.test.ts')],
      },
      {
        promise:
          "NUL bytes, archives, UTF-16 and files run by name are all read. An unreadable file is never rated clean, and a project's baseline counts only when you name it.",
        probes: [library('test/hostile-scan.test.ts')],
      },
    ],
    limits: `The scanner reads files; it does not run them. Text that only persuades, code that decides at run time, an
address that changes its content, two layers of encoding, compiled programs, and files over the limits (listed as not
scanned) can all pass. Persuasion without an action reaches caution at most, and programs from well-known forges pass. No
scanner can rule out prompt injection.

The trust score adds up known facts. Licence, version and author are the skill's own claims, 20 points together, and a small
skill without findings gets 35 more, so anyone can reach 55. The score warns about missing facts; it proves nothing.`,
  },
  {
    title: 'Stricter rules',
    text: `In \`~/.skillc/config.toml\`:

\`\`\`toml
[scripts]
timeout = 10

[[permissions.confirm]]     # ask before running anything of any skill; a protocol that cannot ask refuses with E061
tool = "skill_run"

[[permissions.deny]]        # refuse to load this one
tool = "skill_load"
skill_name = "curious"
\`\`\``,
    threats: [
      {
        promise:
          'The rules above hold as shown. A project can add to `deny` and `confirm`, never to `allow`. Variables such as `SKC_SCRIPTS_TIMEOUT` count as yours.',
        probes: [library('test/guides.test.ts'), library('src/skill/workspace/permissions.test.ts')],
      },
    ],
  },
  {
    title: 'Files on your disk',
    text: `\`~/.skillc/state.json\` contains grants and trust: anyone who can write it can grant. The cache contains the files of installed
skills.`,
    threats: [
      {
        promise:
          'Files of a killed command are removed by the next one, or reported by `skc doctor` ten minutes later.',
        probes: [
          library('src/ship/doctor/checks/leftovers.test.ts'),
          library('src/base/files/private-directory.test.ts'),
        ],
      },
      {
        promise:
          'The access log contains the requests to each skill and their directories, in plain text; `[usage] enabled = false` switches it off.',
        probes: [library('test/usage.test.ts'), library('test/clauses/seed-3-sections.test.ts')],
      },
    ],
  },
];
