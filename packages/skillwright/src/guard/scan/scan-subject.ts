// A skill as scan rules see it: its files, their content, and how likely a match is intended.

import type { Source } from './flow/code-of.ts';
import { type Acts, actsOf, type Flow, type Followed, traceFlows } from './flow/trace-flows.ts';
import { usualHosts } from './known-hosts.ts';
import { lineAround, lineStart } from './line-around.ts';
import { Match, type ProbeMatch } from './match.ts';
import { isRefused } from './orders/passages.ts';
import { defineProbe, findWords, type Probe, type WordId } from './probe.ts';
import type { Layer, ScanFile, Zone } from './scan-file.ts';

/** Something in the skill's directory besides readable text: a link that leads out, a program, a device, a repository. */
export interface OddEntry {
  readonly path: string;
  readonly kind: 'escape' | 'program' | 'special' | 'disguised' | 'locked' | 'nul' | 'repository';
  readonly what: string;
}

/** Input for a subject. */
interface SubjectParts {
  readonly directoryName: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly files: readonly ScanFile[];
  readonly odd: readonly OddEntry[];
}

const securityWords =
  /\b(?:secur|pen-?test|penetration|vulnerab|exploit|malware|malicious|threat|red[- ]?team|ctf\b|forensic|harden|owasp|injection|attack|phishing|incident|privilege escalation|offensive|hack|bug.?bount|prompt.?inject|guardrail|safety|detect)/i;

/** Web and mail addresses: a skill is about the service that it names often. */
const addresses = defineProbe(
  /\b(?:https?|wss?|ftp):\/\/([\w.-]{3,100})|(?<![\w/.+-])[\w.+-]{2,40}@((?:[\w-]{1,40}\.){1,4}[a-z]{2,12})\b/gi,
  { needs: 'http://,https://,ws://,wss://,ftp://,@' },
);

/** A skill is about an address that it names this often. */
const OFTEN = 4;

/** One skill being scanned. */
export class ScanSubject {
  readonly directoryName: string;
  /** The frontmatter of SKILL.md; empty if missing or unreadable. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly files: readonly ScanFile[];
  readonly odd: readonly OddEntry[];
  /** Whether the skill says it is about security: then its texts have good reasons to describe attacks. */
  readonly isAboutSecurity: boolean;
  readonly #probed = new Map<Layer, ProbedText>();
  readonly #matches = new Map<Probe, ReadonlyMap<ScanFile, readonly Match[]>>();
  readonly #crowded = new Set<string>();
  #followed: Followed | undefined;
  #hosts: Map<string, number> | undefined;

  constructor(parts: SubjectParts) {
    this.directoryName = parts.directoryName;
    this.data = parts.data;
    this.files = parts.files;
    this.odd = parts.odd;
    this.isAboutSecurity = securityWords.test(this.topic);
  }

  get name(): string {
    return typeof this.data.name === 'string' ? this.data.name : this.directoryName;
  }

  get description(): string {
    return typeof this.data.description === 'string' ? this.data.description : '';
  }

  /** The stated subject of the skill. */
  get topic(): string {
    return `${this.name} ${this.description}`;
  }

  /** Whether the skill is about a host: named in its description or often, or known to everybody. */
  isAbout(host: string): boolean {
    if (usualHosts.test(host)) return true;
    if (this.#hosts === undefined) {
      this.#hosts = new Map();
      for (const { groups } of this.matches(addresses)) {
        const named = (groups[0] ?? groups[1] ?? '').toLowerCase();
        this.#hosts.set(named, (this.#hosts.get(named) ?? 0) + 1);
      }
    }
    const times = this.#hosts.get(host) ?? 0;
    const label = host.split('.').at(-2) ?? '';
    const names = this.description.match(/(?<=[\w,] \(?)[A-Z]\w{4,40}/g) ?? [];
    return (
      times >= OFTEN ||
      names.some((name) => label.startsWith(name.toLowerCase())) ||
      (label.length > 3 &&
        (this.description.toLowerCase().includes(label) || (times > 1 && this.name.includes(label))))
    );
  }

  /** Files with so many matches that not all were checked. */
  get crowded(): readonly string[] {
    return [...this.#crowded];
  }

  /** Data flows of the skill. */
  get flows(): readonly Flow[] {
    if (this.#followed === undefined) {
      this.#followed = traceFlows(this);
      for (const { path } of this.#followed.unfinished) this.#crowded.add(path);
    }
    return this.#followed.flows;
  }

  /** The acts of a part of a file, as seen when its data was followed, or else now. */
  actsOf(file: ScanFile, source: Source): Acts {
    return this.#followed?.acts.get(file)?.get(source.offset) ?? actsOf(source, file);
  }

  /** Whether any of these words is in a file. */
  mentions(file: ScanFile, words: readonly WordId[]): boolean {
    return this.#probedText(file.layers[0]!).mentions(words);
  }

  /** Every match of a probe in every file; a match in the cells of a notebook only if it is new. */
  matches(probe: Probe): readonly Match[] {
    return [...this.#byFile(probe).values()].flat();
  }

  /** The matches in one file. */
  matchesIn(file: ScanFile, probe: Probe): readonly Match[] {
    return this.#byFile(probe).get(file) ?? [];
  }

  #byFile(probe: Probe): ReadonlyMap<ScanFile, readonly Match[]> {
    const known = this.#matches.get(probe);
    if (known !== undefined) return known;
    const found = new Map<ScanFile, readonly Match[]>();
    for (const file of this.files) {
      const own = this.#collect(file, probe);
      if (own.length > 0) found.set(file, own);
    }
    this.#matches.set(probe, found);
    return found;
  }

  #collect(file: ScanFile, probe: Probe): Match[] {
    const found: Match[] = [];
    const seen = new Set<string>();
    for (const layer of file.layers) {
      if (probe.hiddenOnly && !isHidden(layer)) continue;
      if (probe.inProse && layer.via === undefined && file.kind !== 'instructions') continue;
      const matched = this.#probedText(layer).match(probe);
      if (matched.length >= MAX_MATCHES) this.#crowded.add(file.path);
      for (const place of matched) {
        const match = new Match({ file, layer }, place);
        const key = `${match.line} ${match.text}`;
        if (!isHidden(layer) && seen.has(key)) continue;
        if (!isHidden(layer)) seen.add(key);
        found.push(match);
      }
    }
    return found;
  }

  /** Where any of these words is in a text, in order. */
  places(layer: Layer, words: readonly WordId[]): readonly number[] {
    return this.#probedText(layer).places(words);
  }

  #probedText(layer: Layer): ProbedText {
    const probed = this.#probed.get(layer) ?? new ProbedText(layer.text);
    this.#probed.set(layer, probed);
    return probed;
  }

  /** How likely a match is intended, from 0 to 1, judged by its place. */
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
      if (file.kind === 'text' && this.isAboutSecurity) weight *= 0.3;
      if (inQuotedPattern(layer.text, index))
        weight *= inExpression.test(lineAround(layer.text, index, { before: 200, after: 0 })) ? 0.3 : 0.4;
    }
    return file.isExample ? weight * 0.4 : weight;
  }

  /**
   * How likely an order in a sentence is intended. Only the text right next to it can make it a description: a heading, or a word
   * about security in the description of the skill, does not turn an order into an example.
   */
  weighOrder({ file, layer, index, zone }: Match): number {
    if (isHidden(layer)) return file.isExample ? 0.6 : 1;
    let weight = zone === 'comment' ? 1 : zone === 'shell' ? 0.6 : 0.8;
    if (isDescribedBeside({ layer, index })) weight *= zone === 'comment' ? 0.6 : 0.3;
    if (this.isAboutSecurity && (file.kind === 'config' || isQuotedOrRow({ layer, index }))) weight *= 0.35;
    return file.isExample ? weight * 0.4 : weight;
  }
}

/** Maximum matches of one probe in one text. An author who puts in more hides something among them. */
export const MAX_MATCHES = 1000;

/** A text in which many probes are looked for. */
export class ProbedText {
  readonly #text: string;
  #found: ReadonlyMap<WordId, number[]> | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Where each declared word is. */
  get #places(): ReadonlyMap<WordId, number[]> {
    if (this.#found === undefined) {
      const lower = this.#text.toLowerCase();
      // Words are found at the offsets of the text.
      const isSame = lower.length === this.#text.length;
      this.#found = findWords(
        isSame ? lower : this.#text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
      );
    }
    return this.#found;
  }

  /** Whether it contains any of these words. */
  mentions(words: readonly WordId[]): boolean {
    return words.some((word) => this.#places.has(word));
  }

  /** Where any of these words is, in order. */
  places(words: readonly WordId[]): readonly number[] {
    const found = this.#places;
    const lists: number[][] = [];
    for (const word of words) {
      const places = found.get(word);
      if (places !== undefined) lists.push(places);
    }
    return lists.length === 1 ? lists[0]! : lists.flat().sort((a, b) => a - b);
  }

  /** The matches of a probe: the same as in the whole text, but tried only near the texts it needs. */
  match(probe: Probe): ProbeMatch[] {
    const matches: ProbeMatch[] = [];
    const { pattern } = probe;
    for (const [from, to] of this.#windows(probe)) {
      // Cut only at the end, so that the pattern sees the text before. Not `matchAll`, which clones the expression each time.
      const part = this.#text.slice(0, to);
      pattern.lastIndex = from;
      for (let match = pattern.exec(part); match !== null; match = pattern.exec(part)) {
        matches.push({ index: match.index, text: match[0], groups: match.slice(1) });
        if (matches.length >= MAX_MATCHES) {
          // Reset the shared expression for the next text.
          pattern.lastIndex = 0;
          return matches;
        }
        if (match[0] === '') pattern.lastIndex++;
      }
    }
    return matches;
  }

  /** The parts of the text that contain every match, in order and without overlap. */
  #windows({ needs, reach }: Probe): [from: number, to: number][] {
    if (needs.length === 0) return [[0, this.#text.length]];
    const windows: [from: number, to: number][] = [];
    for (const place of this.places(needs)) {
      const last = windows.at(-1);
      if (last !== undefined && place - reach <= last[1]) last[1] = place + reach;
      else windows.push([Math.max(0, place - reach), place + reach]);
    }
    return windows;
  }
}

/** Whether a text had to be decoded to be readable. */
const isHidden = ({ via }: Layer): boolean => via !== undefined && via !== 'notebook cells';

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
  /❌|✗|🚫|⚠|\b(?:bad|wrong|unsafe|insecure|vulnerable|vulnerabilit(?:y|ies)|malicious|attack(?:s|er|ers)?|suspicious|red flags?|detect(?:s|ion|ed)?|flag(?:s|ged)?|watch (?:out )?for|look(?:s|ing)? (?:for|like)|search for|beware|dangerous|anti-?patterns?|exploit(?:s|ation)?|payloads?|injection|injected|malware|phishing|indicators?|threats?|forbidden|prohibited|disallowed|blocked|risk[sy]?|examples? of|hostile|adversar(?:y|ial)|untrusted|jailbreaks?|compromised)\b/i;

/** The same for whole sections: words that other fields use too do not make a section about attacks. */
const reported =
  /❌|✗|🚫|\b(?:bad|wrong|unsafe|insecure|vulnerable|vulnerabilit(?:y|ies)|malicious|attacks?|attackers?|red flags?|dangerous|anti-?patterns?|exploits?|exploitation|malware|phishing|threats?|forbidden|prohibited|jailbreaks?|hostile|adversarial|reverse shells?|privilege escalation|persistence)\b/i;

/** Whether the words around a place in instructions describe it as something to notice or avoid, not to do. */
function isDescribed(file: ScanFile, place: { layer: Layer; index: number; line: number }): boolean {
  if (isDescribedBeside(place)) return true;
  const above = file.headingsAbove(place.line);
  return above.some((heading) => reported.test(heading)) && !above.some((heading) => setup.test(heading));
}

/** The same, judged only by the line of the place and the one above it. */
function isDescribedBeside(place: { layer: Layer; index: number }): boolean {
  const { text } = place.layer;
  const start = lineStart(text, place.index);
  const before = lineAround(text, place.index, { before: 240, after: 0 });
  if (negation.test(before) || description.test(before) || isRefused(text, place.index)) return true;
  const previous = start === 0 ? '' : lineAround(text, start - 1, { before: 240, after: 0 });
  const after = lineAround(text, place.index, { before: 0, after: 300 });
  if (/^\s*(?:#|\/\/|<!--)?.{0,120}$/.test(previous) && description.test(previous)) return true;
  if (
    /(?:^|\s)(?:#|\/\/)\s.{0,60}\b(?:bad|wrong|unsafe|vulnerable|malicious|never|don't|dangerous)\b/i.test(
      after,
    )
  )
    return true;
  return /^\s*\|/.test(before) && description.test(after);
}

/** Whether a place is in a table row or in a quotation. */
function isQuotedOrRow({ layer: { text }, index }: { layer: Layer; index: number }): boolean {
  const start = lineStart(text, index);
  return /^\s{0,8}(?:\||(?:[-*+>]|\d{1,3}[.)])?\s{0,4}["“'`*])/.test(text.slice(start, start + 20));
}

const setup =
  /\b(?:install(?:ation|ing)?|set-?up|prerequisites?|requirements?|required|getting started|quick ?start|before you (?:start|begin)|usage|dependenc(?:y|ies)|configur(?:e|ation))\b/i;

/**
 * Whether a skill about security shows a command instead of asking for it: commands in blocks and tables, outside installation
 * and set-up. Sentences never count as shown: an order is an order, whatever the skill calls itself.
 */
function isShown(file: ScanFile, place: { layer: Layer; index: number; line: number; zone: Zone }): boolean {
  const { text } = place.layer;
  const start = lineStart(text, place.index);
  const isRow = /^\s{0,8}\|/.test(text.slice(start, start + 12));
  if (place.zone !== 'shell' && place.zone !== 'code' && place.zone !== 'inline' && !isRow) return false;
  return !file.headingsAbove(place.line).some((heading) => setup.test(heading));
}

/** The beginning of a line up to a place inside a regular expression. */
const inExpression = /\b(?:re\.\w+|RegExp)\(\s?r?(["'])(?:(?!\1).)*$/;

/** Whether a place in a program is in a regular expression or in a list of things to look for. */
function inQuotedPattern(text: string, index: number): boolean {
  const line = lineAround(text, index, { before: 200, after: 200 });
  return /\bre\.(?:compile|search|match|findall)|\br["']|RegExp\(|\.test\(|pattern|regex|\\[bsw][+*]|\(\?:|grep\b/i.test(
    line,
  );
}
