// What is fuzzed: `npm run fuzz` tries new inputs, and a test tries those that were kept.

import { readFileSync } from 'node:fs';
import { archives } from './fuzz-archives.ts';
import { messageTargets } from './fuzz-messages.ts';
import { textTargets } from './fuzz-text.ts';

export const fuzzTargets = [...textTargets, archives, ...messageTargets];

/** Inputs that once failed, by target. */
export const corpusFile = new URL('corpus.json', import.meta.url);
export const readCorpus = (): Record<string, unknown[]> => JSON.parse(readFileSync(corpusFile, 'utf8'));
