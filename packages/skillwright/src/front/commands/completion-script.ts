// Completion scripts. They ask skc for everything: `skc --complete` gets the words of the line and prints the offers,
// one word a line with a note behind a tab; `:files` asks the shell to add files.

import { COMPLETE_WORD } from './command-context.ts';

/** Inside an open quote the shell adds only the closing quote, so skc offers only words that need nothing more. */
const bash = `# bash completion for skc
_skc() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line quoted files=""
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = :files ]; then
      files=1
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <(skc ${COMPLETE_WORD} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ -n "$files" ]; then
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
    # The shell quotes the names then, and ends directories with a slash.
    if compopt -o filenames 2>/dev/null; then return; fi
  fi
  case "$current" in
    \\"* | \\'*) return ;;
  esac
  for line in "\${!COMPREPLY[@]}"; do
    case "\${COMPREPLY[line]}" in
      *[!A-Za-z0-9_./,=-]*)
        printf -v quoted %q "\${COMPREPLY[line]}"
        COMPREPLY[line]="$quoted"
        ;;
    esac
  done
}
complete -F _skc skc
`;

const zsh = `#compdef skc
# zsh completion for skc
_skc() {
  local line files
  local -a offers shown
  for line in "\${(@f)$(skc ${COMPLETE_WORD} "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      files=1
    elif [[ -n $line ]]; then
      offers+=("\${line%%$'\\t'*}")
      shown+=("\${line//$'\\t'/  -- }")
    fi
  done
  (( $#offers )) && compadd -l -d shown -a offers
  [[ -n $files ]] && _files
}
# Sourced, or found by the completion system under the name of the function.
if [ "$funcstack[1]" = _skc ]; then
  _skc "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _skc skc
fi
`;

const fish = `# fish completion for skc
function __skc_offers
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in (skc ${COMPLETE_WORD} $words[2..] "$current" 2>/dev/null)
    if test "$line" = :files
      __fish_complete_path "$current"
    else
      printf '%s\\n' $line
    end
  end
end
complete -c skc -f -a '(__skc_offers)'
`;

/** Older versions drop empty arguments, so one is passed in quotes. */
const powershell = `# PowerShell completion for skc
Register-ArgumentCompleter -Native -CommandName skc -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
  $current = if ($wordToComplete) { $wordToComplete } else { '""' }
  & skc ${COMPLETE_WORD} @words $current 2>$null | Where-Object { $_ -ne ':files' } | ForEach-Object {
    $offer, $note = $_ -split "\`t", 2
    $text = if ($offer -match '^[A-Za-z0-9._/=,-]+$') { $offer } else { "'" + $offer.Replace("'", "''") + "'" }
    [System.Management.Automation.CompletionResult]::new($text, $offer, 'ParameterValue', $(if ($note) { $note } else { $offer }))
  }
}
`;

/** The script for each shell. */
export const completionScripts = { bash, zsh, fish, powershell } as const;
