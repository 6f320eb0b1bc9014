// Checks the fields a registry requires.

import type { FormatIssue } from './format-issue.ts';
import { findRegistryField, registryFields } from './registry-layer.ts';
import { schemaIssues } from './schema-issues.ts';

const REQUIRED: Readonly<Record<string, string>> = {
  version: 'give a semantic version, such as version: "1.0.0"',
  author: 'give your name on the registry, such as author: my-team',
  tags: 'give 1 to 20 tags, such as tags: [testing, ci]',
};

/** Faults of the registry fields, at the top level or in metadata, and of the fields publishing needs. */
export function checkPublishing(data: Record<string, unknown>): FormatIssue[] {
  const issues: FormatIssue[] = [];
  if (data.license === undefined) {
    issues.push(missing('license', 'name the licence, such as license: MIT'));
  }
  for (const [field, schema] of Object.entries(registryFields)) {
    const found = findRegistryField(data, field);
    const help = REQUIRED[field];
    if (found === undefined) {
      if (help !== undefined) issues.push(missing(field, help));
      continue;
    }
    const [at] = found.path;
    issues.push(...schemaIssues(schema, found));
    if (field === 'tags' && registryFields.tags.safeParse(found.value).data?.length === 0) {
      const message = 'tags is empty';
      issues.push({ kind: 'empty', field: at, path: found.path, message, help: help!, severity: 'error' });
    }
    if (field === 'trust-level' && (found.value === 'verified' || found.value === 'official')) {
      const message = `trust-level '${found.value}' has no effect here: a registry grants it`;
      issues.push({
        kind: 'value',
        field: at,
        path: found.path,
        message,
        help: 'remove it',
        severity: 'warning',
      });
    }
  }
  return issues;
}

function missing(field: string, help: string): FormatIssue {
  return { kind: 'missing', field, path: [field], message: `missing '${field}'`, help, severity: 'error' };
}
