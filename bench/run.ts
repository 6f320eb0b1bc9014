// `npm run bench`: every figure as JSON (--json) or as a table; --write puts the table into docs/performance.md.

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { measureBuild } from './build-speed.ts';
import { measureCatalog } from './catalog.ts';
import { measureColdStart } from './cold-start.ts';
import type { Figure } from './figure.ts';
import { measureInstall } from './install-many.ts';
import { measureLint } from './lint-many.ts';
import { measureLostPaths } from './lost-paths.ts';
import { measureMcp } from './mcp.ts';
import { measureReading } from './reading.ts';
import { measureRealRouting } from './real-routing.ts';
import { measureRealSkills } from './real-skills.ts';
import { measureRegistry } from './registry.ts';
import { measureSandbox } from './sandbox.ts';
import { measureScan } from './scan.ts';
import { measureScanPrecision, measureScanRecall } from './scan-precision.ts';
import { measureRetrieval } from './section-retrieval.ts';
import { measureSkillQuestions } from './skill-questions.ts';
import { measureRouting } from './skill-routing.ts';
import { measureStudio } from './studio.ts';
import { measureUsage } from './usage.ts';
import { repository } from './workplace.ts';

const figures: Figure[] = [];
for (const measure of [
  measureColdStart,
  measureLint,
  measureBuild,
  measureInstall,
  measureRealSkills,
  measureLostPaths,
  measureRetrieval,
  measureReading,
  measureSkillQuestions,
  measureMcp,
  measureUsage,
  measureStudio,
  measureCatalog,
  measureRouting,
  measureScan,
  measureScanPrecision,
  measureScanRecall,
  measureSandbox,
  measureRealRouting,
  measureRegistry,
]) {
  figures.push(...(await measure()));
}

const number = (value: number) =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(3);

function row({ name, value, unit, baseline, ratio, target }: Figure): string[] {
  return [
    name,
    `${number(value)}${unit === 'ratio' || unit === 'score' ? '' : ` ${unit}`}`,
    baseline === undefined ? '' : `${baseline.name}: ${number(baseline.value)} ${baseline.unit ?? 'ms'}`,
    ratio === undefined ? '' : `${ratio.toFixed(2)} ×`,
    target === undefined ? '' : `${target.text}: ${target.met ? 'met' : 'missed'}`,
  ];
}

const rows = [['what', 'figure', 'baseline of the same run', 'ratio', 'target'], ...figures.map(row)];
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ node: process.version, cpus: cpus().length, figures }, null, 2));
} else {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  for (const cells of rows)
    console.log(
      cells
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}
if (process.argv.includes('--write')) {
  const page = join(repository, 'docs/performance.md');
  const table = [rows[0]!, rows[0]!.map(() => '---'), ...rows.slice(1)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
  const begin = '<!-- figures -->';
  const end = '<!-- /figures -->';
  const text = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    `${text.slice(0, text.indexOf(begin) + begin.length)}\n\n${table}\n\n${text.slice(text.indexOf(end))}`,
  );
}
