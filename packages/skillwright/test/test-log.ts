// A transparency log in memory, with the misdeeds that tests need.

import {
  appendLeaf,
  cosign,
  encodeEntries,
  generateLogKey,
  hashLeaf,
  inclusionProof,
  type LeafOpening,
  type LogSigner,
  leafOf,
  originOf,
  parseTilePath,
  proveSubject,
  type ReadHash,
  rootOf,
  signNote,
  spellCheckpoint,
  spellOpening,
  spellProof,
  subjectsOf,
  tileWidth,
} from '../src/ship/log/index.ts';
import type { LogEntry } from '../src/ship/protocol/index.ts';

/** A log that grows. */
export class TestLog {
  readonly name: string;
  key: ReturnType<typeof generateLogKey>;
  generation = 1;
  openings: LeafOpening[] = [];
  /** They cosign every checkpoint. */
  witnesses: LogSigner[] = [];
  #hashes = new Map<string, Uint8Array>();
  #size = 0;

  constructor(name: string) {
    this.name = name;
    this.key = generateLogKey(name);
  }

  /** Adds an entry; `salt` makes its leaf a commitment. Returns its index. */
  async append(entry: LogEntry, salt: Uint8Array | null = null): Promise<number> {
    const isSubject = salt !== null && entry.kind === 'version';
    const subject = isSubject ? subjectsOf(entry.name, this.key.signer)(entry.version) : undefined;
    this.openings.push({ entry, salt, subject });
    await this.#hash();
    return this.#size - 1;
  }

  /** Replaces all leaves: the past of a fork. */
  async replace(openings: LeafOpening[]): Promise<void> {
    this.openings = openings;
    this.#hashes = new Map();
    this.#size = 0;
    await this.#hash();
  }

  async #hash(): Promise<void> {
    for (; this.#size < this.openings.length; this.#size++)
      for (const { level, index, hash } of await appendLeaf(
        this.#size,
        hashLeaf(leafOf(this.openings[this.#size]!)),
        this.#read,
      ))
        this.#hashes.set(`${level}/${index}`, hash);
  }

  #read: ReadHash = async (level, index) => {
    const hash = this.#hashes.get(`${level}/${index}`);
    if (hash === undefined) throw new Error(`no hash ${level}/${index}`);
    return hash;
  };

  get size(): number {
    return this.#size;
  }

  /** The signed checkpoint of the log when it had `size` leaves. */
  async checkpoint(size = this.#size): Promise<string> {
    const origin = originOf(this.name, this.generation);
    const text = spellCheckpoint({ origin, size, root: await rootOf(size, this.#read) });
    const note = signNote(text, [this.key.signer]);
    return this.witnesses.reduce((cosigned, witness) => cosign(cosigned, witness, { time: 1 }), note);
  }

  /** The proof of an entry, with the checkpoint of `size` leaves. */
  async proof(index: number, size = this.#size): Promise<string> {
    const opening = this.openings[index]!;
    const { entry, subject } = opening;
    const isProved = subject !== undefined && entry.kind === 'version';
    const proof = isProved ? proveSubject(entry.name, this.key.signer) : undefined;
    return spellProof({
      index,
      hashes: await inclusionProof({ index, size }, this.#read),
      checkpoint: await this.checkpoint(size),
      extra: spellOpening({ ...opening, proof }),
    });
  }

  /** The bytes of a tile or bundle by its path below `tile/`; undefined when there is none. */
  async tile(path: string): Promise<Uint8Array | undefined> {
    const tile = parseTilePath(path);
    if (tile === undefined || tile.width > tileWidth(tile, this.#size)) return undefined;
    const places = Array.from({ length: tile.width }, (_, at) => tile.index * 256 + at);
    const { level } = tile;
    if (level === 'entries') return encodeEntries(places.map((at) => leafOf(this.openings[at]!)));
    return Buffer.concat(await Promise.all(places.map((at) => this.#read(level * 8, at))));
  }

  /** Starts the next origin, as after a restored backup with `size` leaves. */
  async restart(size: number): Promise<void> {
    const entry: LogEntry = {
      kind: 'origin',
      previous: originOf(this.name, this.generation),
      checkpoint: await this.checkpoint(size),
      kept: size,
      time: '2026-01-02T03:04:05.000Z',
    };
    this.generation++;
    await this.replace([{ entry, salt: null }]);
  }
}
