// Describes files of skills for the skills extension: size and digest, read again only when they change on disk.

import { attempt } from '../../base/diagnostics/index.ts';
import {
  type IndexedFile,
  isSameStat,
  listSourceFiles,
  readSkillFile,
  statSkillFile,
} from '../../read/index/index.ts';
import { parseYaml, readFrontmatter } from '../../skill/format/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';

/** A SKILL.md's description of its skill. */
export interface SkillManifest {
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** Fields as any YAML parser reads them; undefined when the frontmatter had to be repaired. */
  readonly verbatim: Readonly<Record<string, unknown>> | undefined;
  readonly size: number;
}

/** Caches what it reads; its answers always match the disk. */
export interface SkillReader {
  /** Undefined when SKILL.md is missing, leads out of the skill or has no readable frontmatter. */
  manifest(dir: string): SkillManifest | undefined;
  /** All files in bytewise order; undefined when they cannot be listed or read. */
  files(dir: string): readonly IndexedFile[] | undefined;
  /** Forgets all other skills. */
  retain(dirs: ReadonlySet<string>): void;
}

interface KnownSkill {
  files: Map<string, IndexedFile>;
  manifest?: { readonly sha256: string; readonly value: SkillManifest | undefined };
}

/** Creates a reader with an empty cache. */
export function createSkillReader(): SkillReader {
  const skills = new Map<string, KnownSkill>();
  const known = (dir: string): KnownSkill => {
    const skill = skills.get(dir) ?? { files: new Map() };
    skills.set(dir, skill);
    return skill;
  };
  /** State of one file, with its text if it had to be read. */
  const look = (dir: string, path: string): { file: IndexedFile; text?: string | undefined } | undefined => {
    const stat = statSkillFile(dir, path);
    const before = skills.get(dir)?.files.get(path);
    if (stat !== undefined && before !== undefined && isSameStat(stat, before)) return { file: before };
    return readSkillFile(dir, path);
  };
  return {
    manifest: (dir) =>
      attempt(() => {
        const skill = known(dir);
        const looked = look(dir, SKILL_FILE);
        if (looked === undefined) return undefined;
        const { file } = looked;
        skill.files.set(SKILL_FILE, file);
        if (skill.manifest?.sha256 !== file.sha256) {
          const text = looked.text ?? readSkillFile(dir, SKILL_FILE)?.text;
          const value = text === undefined ? undefined : readManifest(text, file.size);
          skill.manifest = { sha256: file.sha256, value };
        }
        return skill.manifest.value;
      }),
    files: (dir) =>
      attempt(() => {
        const found = listSourceFiles(dir).flatMap((path) => look(dir, path)?.file ?? []);
        known(dir).files = new Map(found.map((file) => [file.path, file]));
        return found;
      }),
    retain(dirs) {
      for (const dir of skills.keys()) if (!dirs.has(dir)) skills.delete(dir);
    },
  };
}

function readManifest(text: string, size: number): SkillManifest | undefined {
  const { data, yaml, problems } = readFrontmatter(text);
  if (data === undefined) return undefined;
  const reading = problems.length === 0 ? parseYaml(yaml) : undefined;
  const verbatim = reading?.ok ? (reading.value as SkillManifest['verbatim']) : undefined;
  return { frontmatter: data, verbatim: verbatim ?? undefined, size };
}
