// skc explain: the page behind a code or a rule.

import * as z from 'zod';
import { type CodeDefinition, codes, SkillwrightError, suggest } from '../../base/diagnostics/index.ts';
import { defineCommand } from './define-command.ts';
import { text } from './fields.ts';

/** Explains a diagnostic code such as E012, or a rule of lint or scan by id or name. */
export const explain = defineCommand({
  fields: {
    code: text('A code such as E012, or a rule by id (SKL107, SCN201) or name', { required: true }),
  },
  positionals: ['code'],
  output: z.object({ code: z.string(), title: z.string(), page: z.string().describe('Markdown') }),
  effect: 'read',
  writes: [],
  touches: 'nothing',
  examples: {
    'skc explain E012': 'an error code',
    'skc explain SKL301': 'a lint rule',
    'skc explain SCN201': 'a scan rule',
  },
  async run({ code }) {
    const wanted = code.trim().replace(/^(?:error|warning)\[(.*)\]$/i, '$1');
    const upper = wanted.toUpperCase();
    if (isCode(upper)) return { code: upper, title: codes[upper].message, page: pageOfCode(upper) };
    const [lint, lintPages, scan, scanPages] = await Promise.all([
      import('../../make/lint/rules/index.ts'),
      import('../../make/lint/rule-pages.generated.ts'),
      import('../../guard/scan/rules/index.ts'),
      import('../../guard/scan/scan-rule-pages.generated.ts'),
    ]);
    const rules = [...lint.rules, ...scan.scanRules];
    const pages = { ...lintPages.rulePages, ...scanPages.scanRulePages };
    const rule = rules.find(({ id, name }) => id === upper || name === wanted.toLowerCase());
    if (rule !== undefined) return { code: rule.id, title: rule.name, page: pages[rule.name]! };
    const [candidate] = suggest(upper, [...Object.keys(codes), ...rules.map(({ id }) => id)]);
    const [named] = suggest(
      wanted,
      rules.map(({ name }) => name),
    );
    const best = /\d/.test(wanted) ? (candidate ?? named) : (named ?? candidate);
    throw SkillwrightError.of(
      'E100',
      { why: `unknown code or rule '${code}'` },
      {
        help:
          best === undefined ? 'codes look like E012, rules like SKL107 or SCN201' : `did you mean ${best}?`,
      },
    );
  },
  text: (output) =>
    output.page.replace(/.{301,}/g, (line) => `${line.slice(0, 100)}… (${line.length} characters)`),
});

const isCode = (word: string): word is keyof typeof codes => Object.hasOwn(codes, word);

/** The page of one code, as Markdown. */
export function pageOfCode(code: keyof typeof codes): string {
  const { message, when, fix }: CodeDefinition = codes[code];
  return `# ${code}\n\n    ${message}\n\n${when}\n\n${fix}\n`;
}
