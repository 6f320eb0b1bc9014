// The stub: the small SKILL.md an agent gets instead of the whole skill.

import { quoteWord, SkillwrightError } from '../../base/diagnostics/index.ts';
import { decodeText, MAX_TEXT_BYTES, readInside, sha256 } from '../../base/files/index.ts';
import { collapseSpace } from '../../base/markdown/index.ts';
import type { IndexedFile } from '../../read/index/index.ts';
import { writeFrontmatter } from '../../skill/format/index.ts';
import type { BuildManifest, DeployMode, Skill } from '../../skill/skill/index.ts';
import { chooseForm, findCompanions, spellEntry } from './deploy-form.ts';
import { type CountHeadings, listSections } from './list-sections.ts';

/** Maximum length of a stub. */
export const MAX_STUB_LINES = 100;

/** Fields besides name and description that an agent needs before it decides to use a skill. */
const keptFields = [
  'license',
  'compatibility',
  'allowed-tools',
  'when_to_use',
  'argument-hint',
  'arguments',
  'disable-model-invocation',
  'user-invocable',
  'mode',
  'context',
  'agent',
  'model',
  'effort',
  'background',
  'disallowed-tools',
  'paths',
  'shell',
];

/** Input for a stub, besides its sections. */
type StubSource = Pick<Skill, 'name' | 'frontmatter' | 'gated'>;

/** Optional parts of a stub. */
interface StubContent {
  readonly sections: readonly string[];
  /** Entries next to the stub: directories with a slash at the end. */
  readonly beside?: readonly string[];
  /** Whether there are scripts that are not next to it. */
  readonly hasScripts?: boolean;
}

/** The text of the stub. The same source produces the same bytes. */
export function renderStub(source: StubSource, content: StubContent): string {
  const skill = quoteWord(source.name);
  return renderLines(source, source.gated ? gatedBody(skill) : openBody(skill, content));
}

function openBody(skill: string, { sections, beside = [], hasScripts = false }: StubContent): string[] {
  return [
    '',
    'This is a compiled skill: fetch the sections you need, and do not read its source files. Prefer the MCP tools',
    `${tools('outline', 'show', 'search')} etc., if available (faster, structured output); otherwise:`,
    '',
    '```sh',
    `skc show ${skill} --section "<title>" --fresh`,
    `skc search ${skill} "<words>" --fresh`,
    `skc outline ${skill}; skc sources ${skill}; skc open ${skill} <path>`,
    ...(hasScripts
      ? [`skc scripts ${skill}; skc run ${skill} <script> --read <file> --write <directory>`]
      : []),
    '```',
    ...(beside.length === 0
      ? []
      : [
          '',
          `Beside this file: ${beside.map(inCode).join(', ')}. Paths in the text start from its directory.`,
        ]),
    '',
    '## Top Sections',
    '',
    ...(sections.length > 0 ? sections : ['- (no headings; use `skc sources` and `skc open`)']),
  ];
}

/** Stub of a skill locked behind a quiz: how to open it, and nothing about its content. */
function gatedBody(skill: string): string[] {
  return [
    '',
    'This is a compiled skill, locked behind a quiz: take the quiz first, and do not read its source files.',
    'You can read the text for a wrong answer at once, and everything else after you pass. Prefer the MCP tools',
    `${tools('quiz', 'outline', 'show', 'search')} etc., if available (faster, structured output); otherwise:`,
    '',
    '```sh',
    `skc quiz ${skill}`,
    `skc quiz ${skill} --answer 1=2    # question, then option`,
    `skc show ${skill} --section "<title>" --fresh`,
    `skc search ${skill} "<words>" --fresh`,
    `skc outline ${skill}; skc sources ${skill}; skc open ${skill} <path>`,
    '```',
  ];
}

const tools = (...names: string[]) => names.map((name) => inCode(`skc_${name}`)).join(', ');

/** In backticks, more of them than the text has. */
function inCode(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return longest === 0 ? `\`${text}\`` : `${ticks} ${text} ${ticks}`;
}

function renderLines(source: StubSource, body: readonly string[]): string {
  return `${[...renderHead(source, MAX_STUB_LINES - body.length), ...body].join('\n')}\n`;
}

/** The frontmatter as an author would write it; one line per field if that would be too long. */
function renderHead({ name, frontmatter: data }: StubSource, limit: number): string[] {
  const present = keptFields.filter((field) => Object.hasOwn(data, field));
  const fields = {
    name,
    description: data.description,
    ...Object.fromEntries(present.map((field) => [field, data[field]])),
  };
  const readable = writeFrontmatter(fields).trimEnd().split('\n');
  if (readable.length <= limit) return readable;
  return ['---', ...Object.entries(fields).map(([field, value]) => `${field}: ${onOneLine(value)}`), '---'];
}

/** JSON is also YAML, except for characters that YAML wants escaped and lone surrogates. */
function onOneLine(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    typeof part === 'string' ? part.toWellFormed() : part,
  ).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A stub, and the form recorded in the manifest. */
interface CompiledStub
  extends Required<Pick<BuildManifest, 'form' | 'why' | 'beside' | 'left_out' | 'lost'>> {
  readonly stub: string;
  /** Whether the files were unchanged since they were indexed. */
  readonly isWhole: boolean;
}

/** Input for a stub. */
interface CompileOptions {
  readonly files: readonly Pick<IndexedFile, 'path' | 'sha256' | 'indexed'>[];
  /** Directories inside the skill that the stub does not mention, with `/` at the end. */
  readonly hidden: readonly string[];
  readonly mode: DeployMode;
  readonly count: CountHeadings;
}

/** Compiles the stub of a skill. */
export function compileStub(source: Skill, { files, hidden, mode, count }: CompileOptions): CompiledStub {
  const known = new Map(
    files
      .filter(({ path }) => !hidden.some((prefix) => path.startsWith(prefix)))
      .map((file) => [file.path, file.sha256]),
  );
  let isWhole = known.get('SKILL.md') === source.digest;
  const texts = new Map<string, string | undefined>();
  const read = (path: string): string | undefined => {
    if (texts.has(path)) return texts.get(path);
    const bytes = readReference(source.dir, path);
    if (bytes !== 'unreadable' && (bytes === undefined || sha256(bytes) !== known.get(path))) isWhole = false;
    const decoded = bytes === undefined || bytes === 'unreadable' ? undefined : decodeText(bytes);
    const text = decoded?.binary ? undefined : decoded?.text;
    texts.set(path, text);
    return text;
  };
  const paths = [...known.keys()];
  // Files that are not text cannot be shown, so they are not listed either.
  const shown = new Set(files.filter(({ indexed }) => indexed).map(({ path }) => path));
  const sections = listSections(
    source,
    paths.filter((path) => shown.has(path)),
    { read, count },
  );
  const companions = findCompanions(source.text, { dir: source.dir, paths, hidden, read });
  const render = (beside: readonly string[]) =>
    renderStub(source, {
      sections,
      beside: beside.map((entry) => collapseSpace(spellEntry(entry, paths))),
      hasScripts: beside.length === 0 && companions.hasScripts,
    });
  const { form, why, beside, leftOut, lost } = chooseForm(source, {
    mode,
    paths,
    companions,
    hidden,
    render,
  });
  return { stub: render(beside), isWhole, form, why, beside, left_out: leftOut, lost };
}

function readReference(dir: string, path: string): Buffer | undefined | 'unreadable' {
  try {
    return readInside(dir, path, { maxBytes: MAX_TEXT_BYTES });
  } catch (error) {
    // Too large to look for a title.
    if (error instanceof SkillwrightError && error.code === 'E015') return 'unreadable';
    throw error;
  }
}
