// Joins strings that a script assembles from pieces.

/** Stands for a joined line break, until the end of its line. */
const BREAK = '\u0001';

/** Text that must be present to make joining worthwhile. */
const signs = ['"+', "'+", '`+', '" +', "' +", '` +', '+ "', "+ '", '""', "''", 'IFS', '$@', '.join('];

const joins: readonly [RegExp, string][] = [
  // 'a' + 'b'
  [/(["'`])[ \t]{0,8}\+[ \t]{0,8}\1/g, ''],
  // the same across a line break
  [/(["'`])[ \t]{0,8}(?:\\?\n[ \t]{0,80}\+[ \t]{0,8}|\+[ \t]{0,8}\\?\n[ \t]{0,80})\1/g, BREAK],
  // cu''rl, cu""rl
  [/(?<=\w)(?:''|"")(?=\w)/g, ''],
  [/\$\{IFS\}|\$IFS(?!\w)/g, ' '],
  // w$@get
  [/(?<=\w)\$@(?=\w)/g, ''],
];

const lists = [
  /\[((?:\s{0,4}["'][^"'\n]{0,60}["']\s{0,4},?){2,60})\s{0,4}\]\s{0,2}\.join\(\s{0,2}(?:''|"")\s{0,2}\)/g,
  /(?:''|"")\.join\(\s{0,2}[[(]((?:\s{0,4}["'][^"'\n]{0,60}["']\s{0,4},?){2,60})\s{0,4}[\])]\s{0,2}\)/g,
];

/** The lines that change when pieces are joined, with their line numbers; undefined when none does. */
export function joinStrings(text: string): { text: string; lines: readonly number[] } | undefined {
  if (!signs.some((sign) => text.includes(sign))) return undefined;
  let joined = text;
  for (const [pattern, replacement] of joins) joined = joined.replace(pattern, replacement);
  for (const pattern of lists)
    joined = joined.replace(pattern, (whole: string, items: string) => {
      const breaks = BREAK.repeat(whole.split('\n').length - 1);
      return `"${items.replace(/["'][\s,]*["']|["']/g, '').trim()}"${breaks}`;
    });
  if (joined === text) return undefined;
  const before = text.split('\n');
  const changed: string[] = [];
  const lines: number[] = [];
  let at = 0;
  for (const line of joined.split('\n')) {
    const parts = line.split(BREAK);
    if (line !== before[at]) {
      changed.push(parts.join(''));
      lines.push(at + 1);
    }
    at += parts.length;
  }
  return { text: changed.join('\n'), lines };
}
