// A skill as scan rules see it: its files, what is in them, and how a place in them is meant.

import type { LiteralFinder, LiteralHits } from './literal-finder.ts';
import { MAX_MATCHES, matchProbe, type Probe, type ProbeNumbers } from './probe.ts';
import type { Layer, ScanFile, Zone } from './scan-file.ts';

/** One place where a probe matched. */
export interface Match {
  readonly file: ScanFile;
  readonly layer: Layer;
  readonly index: number;
  readonly text: string;
  readonly groups: readonly (string | undefined)[];
  readonly line: number;
  readonly zone: Zone;
}

/** A match whose zone is looked for when it is asked for: that takes a reading of the whole file. */
class PlacedMatch implements Match {
  readonly file: ScanFile;
  readonly layer: Layer;
  readonly index: number;
  readonly text: string;
  readonly groups: readonly (string | undefined)[];
  readonly line: number;
  #zone: Zone | undefined;

  constructor(place: Omit<Match, 'zone'>) {
    this.file = place.file;
    this.layer = place.layer;
    this.index = place.index;
    this.text = place.text;
    this.groups = place.groups;
    this.line = place.line;
  }

  get zone(): Zone {
    this.#zone ??=
      this.layer.via === undefined
        ? this.file.zoneAt(this.index)
        : this.file.kind === 'instructions'
          ? 'prose'
          : 'code';
    return this.#zone;
  }
}

/** Something in the skill's directory that is no readable text: a link that leads out, a program, a device. */
export interface OddEntry {
  readonly path: string;
  readonly kind: 'escape' | 'program' | 'special' | 'disguised';
  readonly what: string;
}

/** What a subject is made from. */
export interface SubjectParts {
  readonly directoryName: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly files: readonly ScanFile[];
  readonly odd: readonly OddEntry[];
  readonly finder: LiteralFinder;
  readonly numbers: ReadonlyMap<Probe, ProbeNumbers>;
}

const securityWords =
  /\b(?:secur|pen-?test|penetration|vulnerab|exploit|malware|malicious|threat|red[- ]?team|ctf\b|forensic|harden|owasp|injection|attack|phishing|incident|privilege escalation|offensive|hack|bug.?bount|prompt.?inject|guardrail|safety|detect)/i;

/** One skill under scan. */
export class ScanSubject {
  readonly directoryName: string;
  /** The frontmatter of SKILL.md; empty when there is none that can be read. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly files: readonly ScanFile[];
  readonly odd: readonly OddEntry[];
  /** Whether the skill says that it is about security: its texts then describe attacks for good reasons. */
  readonly isAboutSecurity: boolean;
  readonly #finder: LiteralFinder;
  readonly #numbers: ReadonlyMap<Probe, ProbeNumbers>;
  readonly #hits = new Map<Layer, LiteralHits>();
  readonly #matches = new Map<Probe, readonly Match[]>();
  readonly #crowded = new Set<string>();

  constructor(parts: SubjectParts) {
    this.directoryName = parts.directoryName;
    this.data = parts.data;
    this.files = parts.files;
    this.odd = parts.odd;
    this.#finder = parts.finder;
    this.#numbers = parts.numbers;
    this.isAboutSecurity = securityWords.test(`${this.name} ${this.description}`);
  }

  get name(): string {
    return typeof this.data.name === 'string' ? this.data.name : this.directoryName;
  }

  get description(): string {
    return typeof this.data.description === 'string' ? this.data.description : '';
  }

  /** Files in which so much was found that not all of it was looked at. */
  get crowded(): readonly string[] {
    return [...this.#crowded];
  }

  /** Every place in every file where a probe matches; a place in joined strings only when it is not one already. */
  matches(probe: Probe): readonly Match[] {
    const known = this.#matches.get(probe);
    if (known !== undefined) return known;
    const found: Match[] = [];
    for (const file of this.files) this.#collect(file, probe, found);
    this.#matches.set(probe, found);
    return found;
  }

  #collect(file: ScanFile, probe: Probe, found: Match[]): void {
    const numbers = this.#numbers.get(probe);
    if (numbers === undefined) throw new RangeError('a rule asks a probe that it does not list');
    const seen = new Set<string>();
    for (const layer of file.layers) {
      if (probe.hiddenOnly && !isHidden(layer)) continue;
      if (probe.inProse && layer.via === undefined && file.kind !== 'instructions') continue;
      let hits = this.#hits.get(layer);
      if (hits === undefined) {
        hits = this.#finder.find(layer.text);
        this.#hits.set(layer, hits);
      }
      const matched = matchProbe(probe, layer.text, { hits, numbers });
      if (matched.length >= MAX_MATCHES) this.#crowded.add(file.path);
      for (const { index, text, groups } of matched) {
        const line = layer.lineAt(index);
        const key = isHidden(layer) ? undefined : `${line} ${text}`;
        if (key !== undefined && seen.has(key)) continue;
        if (key !== undefined) seen.add(key);
        found.push(new PlacedMatch({ file, layer, index, text, groups, line }));
      }
    }
  }

  /** How likely a match is meant, from 0 to 1, judged by where it stands. */
  weigh({ file, layer, index, line, zone }: Match): number {
    if (isHidden(layer)) return file.isExample ? 0.6 : 1;
    let weight = zoneWeights[zone];
    if (file.kind === 'instructions') {
      const hidden = zone === 'comment';
      if (hidden) weight = 1;
      const described = isDescribed(file, { layer, index, line });
      if (described) weight *= hidden ? 0.6 : 0.3;
      if (this.isAboutSecurity && !hidden && (described || isShown(file, { layer, index, line, zone })))
        weight *= 0.5;
    } else {
      if (zone === 'comment') weight = 0.3;
      if (inQuotedPattern(layer.text, index)) weight *= 0.4;
    }
    return file.isExample ? weight * 0.4 : weight;
  }

  /**
   * How likely an order in a sentence is meant. Only what stands right beside it can make it a description: no heading, and no
   * word about security in the description of the skill, turns an order into an example.
   */
  weighOrder({ file, layer, index, zone }: Match): number {
    if (isHidden(layer)) return file.isExample ? 0.6 : 1;
    let weight = zone === 'comment' ? 1 : zone === 'shell' ? 0.6 : 0.8;
    if (isDescribedBeside({ layer, index })) weight *= zone === 'comment' ? 0.6 : 0.3;
    if (this.isAboutSecurity && isQuotedOrRow({ layer, index })) weight *= 0.35;
    return file.isExample ? weight * 0.4 : weight;
  }
}

/** Whether a text had to be decoded before it could be read. */
const isHidden = ({ via }: Layer): boolean =>
  via !== undefined && !['joined strings', 'notebook cells', 'translation'].includes(via);

const zoneWeights: Readonly<Record<Zone, number>> = {
  prose: 0.8,
  inline: 0.7,
  shell: 0.8,
  code: 1,
  comment: 0.5,
  frontmatter: 0.8,
  config: 0.9,
};

const negation =
  /(?:\bnever|\bdon['’]?t|\bdo not|\bavoid|\bnot to|\bmust not|\bshould not|\bshouldn['’]t|\bwithout|\brather than|\binstead of|\bprevent|\brefuse|\breject|\bblock)\b[^.!?\n]{0,80}$/i;
const description =
  /❌|✗|🚫|⚠|\b(?:bad|wrong|unsafe|insecure|vulnerable|vulnerabilit(?:y|ies)|malicious|attack(?:s|er|ers)?|suspicious|red flags?|detect(?:s|ion|ed)?|flag(?:s|ged)?|watch (?:out )?for|look(?:s|ing)? (?:for|like)|search for|grep|beware|dangerous|anti-?patterns?|exploit(?:s|ation)?|payloads?|injection|injected|malware|phishing|indicators?|threats?|forbidden|prohibited|disallowed|blocked|risk[sy]?|examples? of|hostile|adversar(?:y|ial)|untrusted|jailbreaks?|compromised)\b/i;

/** Whether the words around a place in instructions describe it as something to see or to avoid, not to do. */
function isDescribed(file: ScanFile, place: { layer: Layer; index: number; line: number }): boolean {
  if (isDescribedBeside(place)) return true;
  return file.headingsAbove(place.line).some((heading) => description.test(heading));
}

/** The same, by the line of the place and the one above it alone. */
function isDescribedBeside(place: { layer: Layer; index: number }): boolean {
  const { text } = place.layer;
  const start = text.lastIndexOf('\n', place.index - 1) + 1;
  const before = text.slice(Math.max(start, place.index - 240), place.index);
  if (negation.test(before) || description.test(before)) return true;
  const previous = text.slice(
    Math.max(0, text.lastIndexOf('\n', start - 2) + 1, start - 240),
    Math.max(0, start - 1),
  );
  const end = text.indexOf('\n', place.index);
  const after = text.slice(place.index, Math.min(end < 0 ? text.length : end, place.index + 300));
  if (/^\s*(?:#|\/\/|<!--)?.{0,120}$/.test(previous) && description.test(previous)) return true;
  if (
    /(?:^|\s)(?:#|\/\/)\s.{0,60}\b(?:bad|wrong|unsafe|vulnerable|malicious|never|don't|dangerous)\b/i.test(
      after,
    )
  )
    return true;
  return /^\s*\|/.test(before) && description.test(after);
}

/** Whether a place stands in a row of a table, or in a line that is a quotation. */
function isQuotedOrRow({ layer: { text }, index }: { layer: Layer; index: number }): boolean {
  const start = text.lastIndexOf('\n', index - 1) + 1;
  return /^\s{0,8}(?:\||(?:[-*+>]|\d{1,3}[.)])?\s{0,4}["“'`*])/.test(text.slice(start, start + 20));
}

const setup =
  /\b(?:install(?:ation|ing)?|set-?up|prerequisites?|requirements?|required|getting started|quick ?start|before you (?:start|begin)|usage|dependenc(?:y|ies)|configur(?:e|ation))\b/i;

/**
 * Whether a skill about security shows a command rather than asks for it: commands in blocks and tables, outside of what is to
 * be installed or set up. Sentences are never taken as shown: an order is an order whatever the skill calls itself.
 */
function isShown(file: ScanFile, place: { layer: Layer; index: number; line: number; zone: Zone }): boolean {
  const { text } = place.layer;
  const start = text.lastIndexOf('\n', place.index - 1) + 1;
  const isRow = /^\s{0,8}\|/.test(text.slice(start, start + 12));
  if (place.zone !== 'shell' && place.zone !== 'code' && place.zone !== 'inline' && !isRow) return false;
  return !file.headingsAbove(place.line).some((heading) => setup.test(heading));
}

/** Whether a place in a program stands in a regular expression or in a list of things to look for. */
function inQuotedPattern(text: string, index: number): boolean {
  const start = text.lastIndexOf('\n', index - 1) + 1;
  const end = text.indexOf('\n', index);
  const line = text.slice(Math.max(start, index - 200), Math.min(end < 0 ? text.length : end, index + 200));
  return /\bre\.(?:compile|search|match|findall)|\br["']|RegExp\(|\.test\(|pattern|regex|\\[bsw][+*]|\(\?:|grep\b/i.test(
    line,
  );
}
