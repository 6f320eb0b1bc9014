// Completion scripts, made from the command table so that they cannot fall behind it.

import { optionsOf } from './options-of.ts';
import type { CommandEntry } from './table.ts';

interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  /** Words the first argument may be; empty means files. */
  readonly words: readonly string[];
}

interface CompletedFlag {
  readonly flag: string;
  readonly short: string | undefined;
  readonly description: string;
  readonly takesValue: boolean;
  readonly values: readonly string[];
}

/** The script for one shell, for the words of a table. */
export async function completionScript(
  shell: 'bash' | 'zsh' | 'fish',
  table: Readonly<Record<string, CommandEntry>>,
): Promise<string> {
  const commands = await Promise.all(Object.entries(table).map(describeCommand));
  return { bash, zsh, fish }[shell](commands);
}

async function describeCommand([name, entry]: [string, CommandEntry]): Promise<CompletedCommand> {
  const command = await entry.load();
  const { positionals, flags } = optionsOf(command);
  const own = flags.map((option): CompletedFlag => {
    const negative = option.kind === 'boolean' && option.default === true;
    return {
      flag: negative ? `no-${option.flag}` : option.flag,
      short: option.short,
      description: option.description,
      takesValue: option.kind !== 'boolean',
      values: option.values ?? [],
    };
  });
  const formats = ['text', 'json', ...Object.keys(command.formats ?? {})];
  const shared: CompletedFlag[] = [
    {
      flag: 'format',
      short: undefined,
      description: 'How to print the result',
      takesValue: true,
      values: formats,
    },
    {
      flag: 'json',
      short: undefined,
      description: 'Print the result as JSON',
      takesValue: false,
      values: [],
    },
    { flag: 'help', short: 'h', description: 'Explain the command', takesValue: false, values: [] },
  ];
  return {
    name,
    summary: entry.summary,
    flags: [...own, ...shared],
    words: positionals[0]?.values ?? [],
  };
}

function bash(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ name, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map(({ flag, short, values: words }) => {
        const patterns = [`${name}:--${flag}`, ...(short === undefined ? [] : [`${name}:-${short}`])];
        const reply = words.length === 0 ? '_skc_files' : `_skc_words "${words.join(' ')}"`;
        return `    ${patterns.join('|')}) ${reply}; return ;;`;
      }),
  );
  const flags = commands.map(
    ({ name, flags: all }) => `    ${name}) flags="${all.map(({ flag }) => `--${flag}`).join(' ')}" ;;`,
  );
  const words = commands
    .filter((command) => command.words.length > 0)
    .map((command) => `    ${command.name}) words="${command.words.join(' ')}" ;;`);
  return `# bash completion for skc
_skc_words() {
  COMPREPLY=($(compgen -W "$1" -- "$current"))
}
_skc_files() {
  # One name a line, so that a name may hold spaces; the shell then quotes it and ends directories with a slash.
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "$current"))
  compopt -o filenames 2>/dev/null
}
_skc() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" flags="" words=""
  local command="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    _skc_words "${commands.map(({ name }) => name).join(' ')} --help --version"
    return
  fi
  # The shell takes --flag=value for three words.
  if [ "$current" = = ]; then
    current=""
  elif [ "$previous" = = ]; then
    previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  case "$command:$previous" in
${values.join('\n')}
  esac
  case "$command" in
${flags.join('\n')}
  esac
  case "$command" in
${words.join('\n')}
  esac
  case "$current" in
    -*) _skc_words "$flags" ;;
    *) if [ -n "$words" ]; then _skc_words "$words"; else _skc_files; fi ;;
  esac
}
complete -F _skc skc
`;
}

function zsh(commands: readonly CompletedCommand[]): string {
  const quote = (text: string) => text.replace(/'/g, "'\\''").replace(/[[\]:]/g, '\\$&');
  const cases = commands.map(({ name, flags, words }) => {
    const specs = flags.flatMap(({ flag, short, description, takesValue, values }) => {
      const value = takesValue ? `:value:${values.length === 0 ? '_files' : `(${values.join(' ')})`}` : '';
      const long = `        '*--${flag}${takesValue ? '=' : ''}[${quote(description)}]${value}'`;
      return short === undefined ? [long] : [long, `        '*-${short}[${quote(description)}]${value}'`];
    });
    const rest = words.length === 0 ? "'*:path:_files'" : `'1:value:(${words.join(' ')})'`;
    return `      ${name})\n        _arguments \\\n${[...specs, `        ${rest}`].join(' \\\n')}\n        ;;`;
  });
  return `#compdef skc
# zsh completion for skc
_skc() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    '${name}:${quote(summary)}'`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
# Sourced, or found by the completion system under the name of the function.
if [ "$funcstack[1]" = _skc ]; then
  _skc "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _skc skc
fi
`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const quote = (text: string) => `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`;
  const lines = commands.flatMap(({ name, summary, flags, words }) => {
    const when = `-n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c skc -f -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
      ...flags.map(({ flag, short, description, takesValue, values }) => {
        const letter = short === undefined ? '' : ` -s ${short}`;
        const value = !takesValue ? '' : values.length === 0 ? ' -r' : ` -x -a ${quote(values.join(' '))}`;
        return `complete -c skc ${when} -l ${flag}${letter}${value} -d ${quote(description)}`;
      }),
      ...(words.length === 0
        ? [`complete -c skc ${when} -F`]
        : [`complete -c skc -f ${when} -a ${quote(words.join(' '))}`]),
    ];
  });
  const top = ['help', 'version'].map((flag) => `complete -c skc -f -n __fish_use_subcommand -l ${flag}`);
  return `# fish completion for skc\n${[...top, ...lines].join('\n')}\n`;
}
