// Installing by the library, for tests: a context, the usual requests, and skills in two versions.

import { diagnosticOf } from '../src/base/diagnostics/diagnostic.ts';
import { SkillwrightError } from '../src/base/diagnostics/skillwright-error.ts';
import { noConsent } from '../src/ship/install/gate/gate.ts';
import type { InstallContext } from '../src/ship/install/place/install-place.ts';
import type { InstallRequest } from '../src/ship/install/plan/plan-skill.ts';
import type { UpdateRequest } from '../src/ship/install/update-skills.ts';
import type { Tree } from './make-directory.ts';
import { workspaceAt } from './open-workspace.ts';

/** A context whose messages are collected. */
export interface RecordingContext extends InstallContext {
  readonly said: string[];
}

/** A context for these directories. */
export function makeContext(
  places: { readonly project: string; readonly home: string },
  overrides: Partial<InstallContext> = {},
  env: Readonly<Record<string, string | undefined>> = {},
): RecordingContext {
  const said: string[] = [];
  return {
    workspace: workspaceAt({ cwd: places.project, home: places.home }, { env }),
    signal: new AbortController().signal,
    now: () => new Date('2026-01-02T03:04:05.000Z'),
    report: ({ code, message }) => said.push(`${code} ${message}`),
    note: (text) => said.push(text),
    progress: () => {},
    said,
    ...overrides,
  };
}

/** Everything is agreed to, for Claude and, by a copy of its own, nobody else. */
export const installRequest: InstallRequest = {
  source: '',
  skills: [],
  all: true,
  targets: ['claude', 'goose'],
  copy: false,
  pin: false,
  acceptMoved: false,
  force: false,
  yes: true,
  ...noConsent,
  dryRun: false,
  offline: false,
};

/** Everything is agreed to. */
export const updateRequest: UpdateRequest = {
  skills: [],
  force: false,
  conflict: 'stop',
  unpin: false,
  acceptMoved: false,
  yes: true,
  ...noConsent,
  dryRun: false,
  offline: false,
};

/** The skill `demo` in a version: many lines that can be edited apart from each other, and a file of each version alone. */
export function demoSkill(version: number, at = 'demo'): Tree {
  const lines = Array.from({ length: 40 }, (_, index) => `Line ${index} of the demo.`);
  lines[5] = `Version ${version}.`;
  return {
    [`${at}/SKILL.md`]: `---\nname: demo\ndescription: Use when trying demo ${version}.\n---\n\n# Demo\n\n${lines.join('\n')}\n`,
    [`${at}/references/guide.md`]: `# Guide\n\nof version ${version}\n`,
    [`${at}/references/only-${version}.md`]: `# Only in ${version}\n`,
    [`${at}/assets/data.png`]: Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1'),
      Uint8Array.from({ length: 64 }, (_, index) => (index * version) % 256),
    ]),
  };
}

/** The code and message of a failed operation, or its result. */
export async function outcomeOf<T>(work: Promise<T>): Promise<T | string> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    const { code, message } = diagnosticOf(error);
    return `${code} ${message}`;
  }
}
