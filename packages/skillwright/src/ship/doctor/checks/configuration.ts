// Checks of the files that skc reads first: configuration, state and locks.

import { join } from 'node:path';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { readState } from '../../../skill/workspace/index.ts';
import { type InstallPlace, readSkillsCliLock } from '../../install/index.ts';
import { checksOf, defineCheck, type Fault } from '../check.ts';

/** Reports broken configuration files and unknown keys. */
const unusableConfig = defineCheck({
  id: 'unusable-config',
  summary: 'Configuration files are valid, and every key in them is known.',
  always: true,
  *find({ configError, configProblems }) {
    if (configError !== undefined)
      yield {
        severity: 'error',
        subject: 'config.toml',
        message: configError.message,
        why: 'Every command that reads the configuration fails with this error.',
        fix: configError.help ?? 'correct the line, or remove it',
      };
    for (const { message, help } of configProblems)
      yield {
        severity: 'warning',
        subject: 'config.toml',
        message,
        why: 'skc ignores it.',
        fix: help ?? 'correct the key, or remove it',
      };
  },
});

/** Reports an unusable state file. */
const unusableState = defineCheck({
  id: 'unusable-state',
  summary: 'The record of switched-off skills and grants can be read.',
  always: true,
  *find({ places }) {
    for (const { place } of places) {
      const { problem } = readState(place.store.state);
      if (problem === undefined) continue;
      yield {
        severity: 'error',
        subject: place.store.state,
        message: problem.message,
        why: 'Skills you switched off are on again, and grants to scripts are lost.',
        fix: 'correct the file, or remove it and switch skills off again',
      };
    }
  },
});

/** Reports unusable locks. */
const unusableLock = defineCheck({
  id: 'unusable-lock',
  summary: 'The locks of installed skills can be read.',
  always: true,
  *find({ places }) {
    for (const { place, lockProblem } of places) {
      yield* checkOther(place);
      if (lockProblem === undefined) continue;
      yield {
        severity: 'error',
        subject: place.store.lock,
        message: lockProblem.message,
        why: 'skc cannot install, update, restore or check skills.',
        fix: lockProblem.help ?? 'restore the last good version of the file',
      };
    }
  },
});

function* checkOther({ base, scope }: InstallPlace): Generator<Fault> {
  if (scope === 'user') return;
  try {
    readSkillsCliLock(base);
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    yield {
      severity: 'warning',
      subject: join(base, 'skills-lock.json'),
      message: error.message,
      why: 'It belongs to another tool; skc cannot import or check its skills.',
      fix: 'correct the file',
    };
  }
}

/** In the order of their findings. */
export const configuration = checksOf('configuration', [unusableConfig, unusableState, unusableLock]);
