// Words that people use for one another when they ask about software and its documentation. A search looks for all words
// of a group and counts the others less.

import { analyzeRun, type Tokenizer } from './analyze-text.ts';

const groups = `
delete remove erase drop clear discard
create make add generate new build construct
change modify update edit alter adjust
show display view print render visualize
find search look locate query lookup
get fetch retrieve read obtain load
send post submit publish upload
start begin launch initialize setup run execute
stop cancel abort end terminate halt
error failure problem issue fault exception crash bug
fix repair solve resolve troubleshoot debug
fast quick speed performance optimize slow latency
picture image photo figure
plot chart graph diagram
price cost pay pricing billing charge fee credit
secret credential password token key
login authenticate auth
user person people customer
permission access right authorization privilege
limit quota maximum cap threshold
check verify validate test confirm
choose select pick decide
compare versus difference
install setup deploy
folder directory path
file document
color colour theme style
big large huge size
small little tiny
wait timeout delay
repeat loop retry iterate
join merge combine concatenate link
split divide separate partition
average mean
count number amount total
save store persist write
copy duplicate clone
convert transform translate
sort order rank
group aggregate cluster
missing empty null absent
wrong incorrect invalid bad
explain describe interpret
example sample demo
option setting parameter configuration config
rule policy guideline
danger risk threat
attack exploit hack
backup restore recover
schedule cron
notify alert notification
email mail newsletter
video clip footage
subtitle caption
table row column
database db
package library dependency module
environment env variable
`
  .trim()
  .split('\n')
  .map((line) => line.split(' '));

/** Terms of the other words in the groups of a term. Few groups have a word that begins like it, and only those are read. */
export function synonymsOf(term: string, tokenizer: Tokenizer): string[] {
  const beginning = term.slice(0, 2);
  const termOf = (word: string) => analyzeRun(word, tokenizer).words[0]?.term ?? word;
  const found = groups
    .filter((group) => group.some((word) => word.startsWith(beginning) && termOf(word) === term))
    .flatMap((group) => group.map(termOf));
  return [...new Set(found)].filter((other) => other !== term);
}
