// Lists, after a test run, every test that could not run, and why.

import type { Reporter, TestModule } from 'vitest/node';

/** A vitest reporter for skipped tests only. */
export class SkippedTestsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        const note = result.state === 'skipped' ? result.note : undefined;
        console.log(`not run: ${module.relativeModuleId} > ${test.fullName}: ${note ?? 'skipped'}`);
      }
    }
  }
}
