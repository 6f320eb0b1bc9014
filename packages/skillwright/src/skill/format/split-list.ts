// Lists written as one text: `Bash(git:*) Read`, `typescript, testing`, `src/**/*.{ts,tsx}, docs/**`.

/** Parts between commas or white space; brackets keep their content together. */
export function splitWords(text: string): string[] {
  return split(text, /[\s,]/);
}

/** Parts between commas; brackets keep their content together. */
export function splitCommas(text: string): string[] {
  return split(text, /,/);
}

function split(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const character of text) {
    if (character === '(' || character === '{' || character === '[') depth++;
    else if (character === ')' || character === '}' || character === ']') depth = Math.max(0, depth - 1);
    if (depth === 0 && separator.test(character)) {
      parts.push(part.trim());
      part = '';
    } else part += character;
  }
  parts.push(part.trim());
  return parts.filter((entry) => entry !== '');
}
