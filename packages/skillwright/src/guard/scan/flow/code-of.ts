// The code of a skill: its programs, its settings with commands, and the blocks and spans of code in its instructions.

import type { Layer, ScanFile } from '../scan-file.ts';

export type Language = 'python' | 'javascript' | 'shell' | 'powershell';

/** A program, or a block of code in instructions. */
export interface Source {
  readonly text: string;
  readonly offset: number;
  readonly language: Language;
  readonly layer?: Layer;
  /** The language of a fenced block as written, and its first line. */
  readonly block?: { readonly language: string; readonly line: number };
}

const languages: readonly (readonly [Language, RegExp])[] = [
  ['python', /\.(?:pyw?|ipynb)$/i],
  ['powershell', /\.(?:ps1|psm1|psd1)$/i],
  [
    'shell',
    /\.(?:sh|bash|zsh|fish|ksh|command|bats|bat|cmd|mk|ya?ml|toml|conf|service|timer|env)$|(?:^|\/)(?:makefile|justfile|dockerfile|procfile|\.npmrc|\.envrc)$/i,
  ],
  [
    'javascript',
    /\.(?:[cm]?[jt]sx?|rb|go|rs|php|java|kt|cs|swift|lua|pl|pm|c|cc|cpp|h|hpp|m|mm|scala|dart|groovy|gradle|ex|exs|r|nim|zig)$/i,
  ],
];

const blockLanguages: readonly (readonly [Language, RegExp])[] = [
  ['python', /^(?:python|py|python3|ipython)\b/i],
  [
    'javascript',
    /^(?:js|javascript|ts|typescript|jsx|tsx|mjs|node|ruby|rb|php|go|java|csharp|rust|kotlin|swift)\b/i,
  ],
  ['powershell', /^(?:powershell|pwsh|ps1|posh)\b/i],
  [
    'shell',
    /^(?:|bash|sh|zsh|fish|ksh|shell|shellsession|console|terminal|cmd|bat|te?xt|plain(?:text)?|dockerfile|makefile|ya?ml)$/i,
  ],
];

/** The code of a file. */
export function* sourcesOf(file: ScanFile): Generator<Source> {
  if (file.kind === 'instructions') {
    yield* codeBlocksOf(file);
    return;
  }
  const { path, text } = file;
  if (/\.json[c5]?$/i.test(path)) {
    // Commands in the settings of programs, such as the scripts of a package.
    for (const match of text.matchAll(/:\s{0,4}"((?:[^"\\\n]|\\.){8,4000})"/g))
      if (/[|;&$]|\b(?:curl|wget|node|python|bash|sh|npx)\b/.test(match[1]!))
        yield {
          text: match[1]!.replace(/\\(["\\/])/g, '$1').replaceAll('\\n', '\n'),
          offset: match.index + match[0].length - match[1]!.length - 1,
          language: 'shell',
        };
    // A program and its arguments, such as those of a server.
    for (const match of text.matchAll(
      /"command"\s*:\s*"((?:[^"\\]|\\.){1,200})"\s*,\s*"args"\s*:\s*\[([^\]]{1,2000})\]/g,
    ))
      yield {
        text: `${match[1]!} ${match[2]!.replace(/",\s*"/g, '" "')}`,
        offset: match.index,
        language: 'shell',
      };
    return;
  }
  const notebook = file.layers.find(({ via }) => via === 'notebook cells');
  if (notebook !== undefined) {
    yield { text: notebook.text, offset: 0, language: 'python', layer: notebook };
    return;
  }
  if (/\.(?:html?|vue|svelte|svg)$/i.test(path)) {
    for (const match of text.matchAll(/<script\b[^>]{0,300}>/gi)) {
      const start = match.index + match[0].length;
      const end = text.indexOf('</script', start);
      yield { text: text.slice(start, end < 0 ? text.length : end), offset: start, language: 'javascript' };
    }
    return;
  }
  const interpreter = /^#!.{0,60}\b(python|node|bun|deno|ruby|perl|php|pwsh)/.exec(text)?.[1];
  const named = languages.find(([, pattern]) => pattern.test(path))?.[0];
  const language =
    named ??
    (interpreter === undefined
      ? 'shell'
      : interpreter === 'python'
        ? 'python'
        : interpreter === 'pwsh'
          ? 'powershell'
          : 'javascript');
  // `Net::HTTP.post` and `env::var` in other languages are names with dots.
  const isPhp = path.endsWith('.php');
  const plain = isPhp
    ? text
        .replace(/(?<=[)'"\w]) \. (?=['"$\w])/g, ' + ')
        .replace(/<\?(?:php|=)?|\?>/g, (mark) => ' '.repeat(mark.length))
    : text;
  yield { text: language === 'javascript' ? likeJavaScript(plain) : plain, offset: 0, language };
}

/** Other languages with the names and assignments of JavaScript, every letter at its place. */
const likeJavaScript = (text: string): string =>
  text
    .replaceAll('::', '. ')
    .replace(
      /\b(\w+)((?:\s*,\s*\w+)*\s*):=/g,
      (_, name: string, rest: string) => `${name}${' '.repeat(rest.length)} =`,
    );

/** The language of code within a sentence. */
const spokenIn = (code: string): Language =>
  /^(?:python[\d.]*|node|(?:ba)?sh|curl|sudo|export)\s/.test(code)
    ? 'shell'
    : /\b(?:require\(|process\.env|fetch\(|=>|(?:const|let|var) \w)/.test(code)
      ? 'javascript'
      : /^(?:import|from)\s|\b(?:os|requests|subprocess|urllib)\.\w+[.(]|^\w+\s?=\s?\w+[.(]/.test(code)
        ? 'python'
        : /\$\w+\s?=|\b(?:iex|irm|iwr|Invoke-\w+|Get-\w+)\b/i.test(code)
          ? 'powershell'
          : 'shell';

function* codeBlocksOf(file: ScanFile): Generator<Source> {
  const starts = [0];
  for (const line of file.lines) starts.push(starts.at(-1)! + line.length + 1);
  let done = 1;
  const spans = function* (until: number): Generator<Source> {
    for (; done < until; done++) {
      const line = file.lines[done - 1] ?? '';
      if (/^(?: {4}|\t)\S/.test(line) && /\S\s+-|[|$(]/.test(line))
        yield { text: line, offset: starts[done - 1]!, language: 'shell' };
      if (!line.includes('`')) continue;
      for (const span of line.matchAll(/`([^`\n]{1,800})`/g))
        if (span[1]!.length >= 8 && /\s/.test(span[1]!))
          yield { text: span[1]!, offset: starts[done - 1]! + span.index + 1, language: spokenIn(span[1]!) };
    }
  };
  for (const { line, endLine, language: written } of file.document.codeBlocks) {
    yield* spans(line);
    done = endLine + 1;
    const language = blockLanguages.find(([, pattern]) => pattern.test(written))?.[0];
    if (language === undefined) continue;
    const inner = file.lines.slice(line, Math.max(line, endLine - 1)).join('\n');
    // Prompts are not part of a command.
    const text = language === 'shell' ? inner.replace(/^([ \t]{0,8})[$>%❯](?= )/gm, '$1 ') : inner;
    yield { text, offset: starts[line] ?? 0, language, block: { language: written, line } };
  }
  yield* spans(file.lines.length + 1);
}
