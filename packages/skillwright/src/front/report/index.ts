// Reports on skills: what is known about each, to decide whether to use it.

export { buildReport } from './build-report.ts';
export { readLicence } from './read-licence.ts';
export { type ReportedSkill, SkillReport } from './report.ts';
export { markdownCode } from './report-markdown.ts';
export { renderReportText } from './report-text.ts';
export { formatOf, reportDocuments, requireReportPlace, writeReport } from './write-report.ts';
