// Writes a report to a file, in place of an earlier report only.

import { dirname } from 'node:path';
import { invalidOption, SkillwrightError } from '../../base/diagnostics/index.ts';
import { makeDirectory, readRegularFile, writeFileAtomic } from '../../base/files/index.ts';
import type { SkillReport } from './report.ts';
import { renderCycloneDx } from './report-cyclonedx.ts';
import { COMMENT_MARK, MARKDOWN_MARK, renderReportComment, renderReportMarkdown } from './report-markdown.ts';
import { PAGE_MARK, renderReportPage } from './report-page.ts';

/** The formats that `--format` prints, and a file may have. */
export const reportDocuments = {
  html: renderReportPage,
  markdown: renderReportMarkdown,
  comment: renderReportComment,
  cyclonedx: renderCycloneDx,
} satisfies Record<string, (report: SkillReport) => string>;

const renderers = {
  ...reportDocuments,
  json: (report: SkillReport) => `${JSON.stringify(report, null, 2)}\n`,
};
type ReportFormat = keyof typeof renderers;

const byEnding: Readonly<Record<string, ReportFormat>> = {
  html: 'html',
  htm: 'html',
  md: 'markdown',
  markdown: 'markdown',
  json: 'json',
};

/** The format of a file: the one the user chose, else by its name. E100 when neither says it. */
export function formatOf(path: string, chosen: string | undefined): ReportFormat {
  if (chosen !== undefined && Object.hasOwn(renderers, chosen)) return chosen as ReportFormat;
  const format = byEnding[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''];
  if (format === undefined)
    throw invalidOption(
      '--output needs a name that ends in .html, .md or .json',
      'or choose one with --format',
    );
  return format;
}

/** Any text that a report starts with. */
const marks = [
  MARKDOWN_MARK,
  COMMENT_MARK,
  `<meta name="generator" content="${PAGE_MARK}">`,
  '"kind": "skc-report"',
  '"bomFormat": "CycloneDX"',
];
const MAX_BYTES = 256 * 1024 * 1024;

/** E262 unless there is no file, or an earlier report. */
export function requireReportPlace(path: string): void {
  const bytes = readRegularFile(path, { maxBytes: MAX_BYTES });
  if (bytes === undefined || bytes.length === 0) return;
  const start = bytes.subarray(0, 4096).toString('utf8');
  if (!marks.some((mark) => start.includes(mark))) throw SkillwrightError.of('E262', { path });
}

/** Writes the report. */
export function writeReport(path: string, report: SkillReport, format: ReportFormat): void {
  requireReportPlace(path);
  makeDirectory(dirname(path));
  writeFileAtomic(path, renderers[format](report));
}
