// Findings in the formats other programs read.

import { isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Log, Run } from 'sarif';
import { makeVisible } from '../../base/diagnostics/index.ts';
import { sha256, withSlashes } from '../../base/files/index.ts';
import { toolVersion } from '../../base/version.ts';

/** A finding of any check. */
export interface ReportedFinding {
  /** Id of the rule, or code of the error. */
  readonly id: string;
  /** Name of the rule; null when there is none. */
  readonly name: string | null;
  readonly level: 'error' | 'warning' | 'note';
  readonly text: string;
  readonly path: string;
  readonly line: number | null;
  /** The way of data from its source to where it is sent or run. */
  readonly flow?:
    | readonly { readonly path: string; readonly line: number; readonly text: string }[]
    | undefined;
}

const MAX_PLACES = 8;

/** The directories a check left out, in one line; none if it left out none. */
export function notSearchedLine(places: readonly string[]): string | false {
  const more = places.length > MAX_PLACES ? ` and ${places.length - MAX_PLACES} more` : '';
  const named = makeVisible(places.slice(0, MAX_PLACES).join(', '));
  return places.length > 0 && `not searched: ${named}${more}. Name a directory to search it.`;
}

/** The formats for code scanning and for workflows, of any result with findings. */
export function findingFormats<Output>(findingsOf: (output: Output) => readonly ReportedFinding[]) {
  return {
    sarif: (output: Output) => sarifLog(findingsOf(output)),
    github: (output: Output) => githubCommands(findingsOf(output)),
  };
}

/** Workflow commands that show findings next to the changed lines of a pull request. */
export function githubCommands(findings: readonly ReportedFinding[]): string {
  return findings
    .map(({ id, name, level, text, path, line }) => {
      const command = level === 'note' ? 'notice' : level;
      const title = name === null ? id : `${id} ${name}`;
      const properties = [
        `file=${property(withSlashes(path))}`,
        `line=${line ?? 1}`,
        `title=${property(title)}`,
      ];
      return `::${command} ${properties.join(',')}::${data(text)}\n`;
    })
    .join('');
}

const data = (text: string) =>
  text
    // A log is shown in terminals, too.
    .replace(/(?![\n\r\t])[\p{Cc}\p{Bidi_Control}]/gu, makeVisible)
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');

const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** SARIF 2.1.0, for code scanning. */
function sarifLog(findings: readonly ReportedFinding[]): string {
  return renderLog([runOf('skc', findings)]);
}

/** Several tools in one file. Each needs its own category, or code scanning refuses the file. */
export function sarifLogs(tools: Readonly<Record<string, readonly ReportedFinding[]>>): string {
  return renderLog(
    Object.entries(tools).map(([name, findings]) => ({
      ...runOf(`skc ${name}`, findings),
      automationDetails: { id: `skc/${name}/` },
    })),
  );
}

function renderLog(runs: Run[]): string {
  const log: Log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function runOf(tool: string, findings: readonly ReportedFinding[]): Run {
  const ids = [...new Map(findings.map(({ id, name }) => [id, name])).entries()].sort();
  const indexes = new Map(ids.map(([id], index) => [id, index]));
  return {
    tool: {
      driver: {
        name: tool,
        version: toolVersion,
        rules: ids.map(([id, name]) => (name === null ? { id } : { id, name })),
      },
    },
    columnKind: 'unicodeCodePoints',
    results: findings.map(({ id, level, text, path, line, flow }) => ({
      ruleId: id,
      ruleIndex: indexes.get(id)!,
      level,
      message: { text },
      locations: [locationOf(path, line)],
      ...(flow && {
        codeFlows: [
          {
            threadFlows: [
              {
                locations: flow.map((step) => ({
                  location: {
                    ...locationOf(step.path, step.line),
                    message: { text: makeVisible(step.text) },
                  },
                })),
              },
            ],
          },
        ],
      }),
    })),
  };
}

const locationOf = (path: string, line: number | null) => ({
  physicalLocation: {
    artifactLocation: { uri: uriOf(path) },
    ...(line === null ? {} : { region: { startLine: line } }),
  },
});

const severities = { error: 'critical', warning: 'major', note: 'info' } as const;

/** The code quality report that GitLab shows in a merge request. */
export function gitlabReport(findings: readonly ReportedFinding[]): string {
  const met = new Map<string, number>();
  const issues = findings.map(({ id, level, text, path, line }) => {
    const key = JSON.stringify([id, withSlashes(path), text]);
    const times = (met.get(key) ?? 0) + 1;
    met.set(key, times);
    return {
      description: text,
      check_name: id,
      // Stable when the line moves.
      fingerprint: sha256(`${key} ${times}`),
      severity: severities[level],
      location: { path: withSlashes(path), lines: { begin: line ?? 1 } },
    };
  });
  return `${JSON.stringify(issues, null, 2)}\n`;
}

const uriOf = (path: string) =>
  isAbsolute(path) ? pathToFileURL(path).href : path.split(sep).map(encodeURIComponent).join('/');
