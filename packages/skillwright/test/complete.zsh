# complete.zsh <script> <line>...: loads the completion script into an interactive shell on a pseudo terminal, presses
# Tab after each line and prints what was offered: <line>, then <offer> for each word.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; stty cols 200; zstyle ':completion:*' insert-tab false; source ${(q)1}"
zpty -w shell 'compadd() {
  if (( ! ${@[(I)-[OAD]*]} )); then
    local -a found
    builtin compadd -O found "$@"
    print -l -- "<offer>"$^found"</offer>"
  fi
  builtin compadd "$@"
}'
# The prompt shows that the line editor listens. It is split in two here, so that its echo is not taken for it.
zpty -w shell 'PS1="[rea""dy]"'
zpty -r shell seen '*\[ready\]*'
shift
for line; do
  zpty -w -n shell "$line"$'\t'
  zpty -w shell $'\x15print do""ne'
  zpty -r shell seen '*done*\[ready\]*'
  print -r -- "<line>$line</line>"
  print -r -- "$seen"
done
zpty -d shell
