// Needs of a skill, according to its frontmatter.

import { cutText } from '../../base/diagnostics/index.ts';
import { isMapping, readRequires, splitWords } from '../../skill/format/index.ts';
import { declaredGrants, spellGrant } from '../execute/index.ts';
import { ABILITY_KINDS, type AbilityKind, programName } from '../scan/index.ts';

/** One declaration of an ability. */
export interface DeclaredAbility {
  readonly kind: AbilityKind;
  /** The field, and what it says: `allowed-tools: Bash(git:*)`. */
  readonly text: string;
  /** The program, variable or tool it is about; undefined when it covers the whole kind. */
  readonly about?: string | undefined;
}

type Frontmatter = Readonly<Record<string, unknown>>;

/** Every declaration, by kind, in the order of the fields. */
export function declaredAbilities(data: Frontmatter): DeclaredAbility[] {
  const all = [
    ...toolsOf(data['allowed-tools']).flatMap(fromTool),
    ...fromSandbox(data),
    ...readRequires({ ...data }).map(
      (command): DeclaredAbility => ({
        kind: 'programs',
        text: `metadata.requires: ${command}`,
        about: programName(command),
      }),
    ),
    ...fromCompatibility(data.compatibility),
    ...listOf(data.toolsets).map(
      (path): DeclaredAbility => ({ kind: 'tools', text: `toolsets: ${path}`, about: path }),
    ),
    ...fromHooks(data.hooks),
  ];
  return ABILITY_KINDS.flatMap((kind) => all.filter((one) => one.kind === kind));
}

const listOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Array.isArray(value)
      ? value.filter((item) => typeof item === 'string')
      : [];

/** The tools of `allowed-tools`, a list or one text. */
function toolsOf(value: unknown): string[] {
  return typeof value === 'string' ? splitWords(value) : listOf(value);
}

const networkTool = /^(?:Web(?:Fetch|Search)\b|mcp__)/;
const writingTool = /^(?:Write|Edit|MultiEdit|NotebookEdit)\b/;
const remoteProgram =
  /^(?:curl|wget|ssh|scp|sftp|rsync|git|gh|glab|npm|npx|pnpm|yarn|bun|pip|uv|uvx|docker|kubectl|aws|gcloud|az)$/;
const writingProgram = /^(?:mkdir|cp|mv|rm|touch|tee|sed|ln|unzip)$/;

function fromTool(tool: string): DeclaredAbility[] {
  const text = `allowed-tools: ${tool}`;
  const own: DeclaredAbility = {
    kind: 'tools',
    text,
    about: /^\*$|^all$/i.test(tool) ? undefined : tool.replace(/\(.*$/s, ''),
  };
  if (/^(?:\*|all)$|^Bash(?:\(\s?\*?(?::\*)?\s?\))?$/i.test(tool))
    return [own, { kind: 'network', text }, { kind: 'programs', text }, { kind: 'writes', text }];
  const command = /^Bash\(\s{0,2}([^\s:)*]+)/i.exec(tool)?.[1];
  if (command !== undefined) {
    const about = programName(command.replace(/^.*\//, ''));
    return [
      own,
      { kind: 'programs', text, about },
      ...(remoteProgram.test(about) ? [{ kind: 'network' as const, text, about }] : []),
      ...(writingProgram.test(about) ? [{ kind: 'writes' as const, text }] : []),
    ];
  }
  if (networkTool.test(tool)) return [own, { kind: 'network', text }];
  return writingTool.test(tool) ? [own, { kind: 'writes', text }] : [own];
}

function fromSandbox(data: Frontmatter): DeclaredAbility[] {
  return declaredGrants(data).grants.map((grant) => {
    const text = `metadata.sandbox: ${spellGrant(grant)}`;
    if (grant.kind === 'network') return { kind: 'network', text };
    return grant.kind === 'write' ? { kind: 'writes', text } : { kind: 'secrets', text, about: grant.name };
  });
}

const SHOWN = 160;

/** Reads the sentence about the environment: network, keys by name, and programs by name. */
function fromCompatibility(value: unknown): DeclaredAbility[] {
  const sentence = listOf(value).join(', ').replace(/\s+/g, ' ').trim();
  if (sentence === '') return [];
  const text = `compatibility: ${cutText(sentence, SHOWN)}`;
  const declared: DeclaredAbility[] = [];
  const hasNone =
    /\b(?:no|without|not need|not require)\b[^.,;]{0,24}\b(?:network|internet|online)\b|\boffline\b/i.test(
      sentence,
    );
  if (/\b(?:network|internet|online|web access|API access)\b/i.test(sentence) && !hasNone)
    declared.push({ kind: 'network', text });
  if (/\b(?:api[ -]?keys?|access tokens?|credentials?|personal access token|account)\b/i.test(sentence))
    declared.push({ kind: 'secrets', text });
  for (const [name] of sentence.matchAll(/\b[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,5}\b/g))
    declared.push({ kind: 'secrets', text, about: name });
  for (const [word] of sentence.matchAll(/[A-Za-z][\w.+-]{1,30}/g)) {
    const about = programName(
      word
        .toLowerCase()
        .replace(/[.,]$/, '')
        .replace(/^(?:node\.js|nodejs)$/, 'node')
        .replace(/^python[\d.]+$/, 'python'),
    );
    declared.push({ kind: 'programs', text, about });
  }
  return declared;
}

function fromHooks(hooks: unknown): DeclaredAbility[] {
  if (!isMapping(hooks)) return [];
  return Object.keys(hooks).map((event) => ({
    kind: 'programs',
    text: `hooks: ${event}`,
    about: `hooks ${event}`,
  }));
}
