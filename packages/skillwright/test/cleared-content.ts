// Content that passed the gate, for tests of later steps.

import { type ClearedContent, noConsent, openGate } from '../src/ship/install/gate/gate.ts';
import { describeFiles, type SkillFiles } from '../src/ship/install/place/stored-files.ts';
import type { Review } from '../src/ship/install/plan/preview.ts';
import { makeContext } from './install-world.ts';

/** Files in which nothing was found. */
export async function clearedContent(files: SkillFiles): Promise<ClearedContent> {
  const { digest } = describeFiles(files);
  const trust = { score: 100, factors: [], cap: null };
  const review: Review = { digest, files: files.size, bytes: 1, verdict: 'clean', findings: [], trust };
  const candidate = { name: 'demo', review, files: () => files, accepted: [], isScored: true };
  const gate = openGate(noConsent, makeContext({ project: '/project', home: '/home' }));
  return (await gate.clear([candidate], { place: { scope: 'user' }, command: 'skc install' })).get('demo')!;
}
