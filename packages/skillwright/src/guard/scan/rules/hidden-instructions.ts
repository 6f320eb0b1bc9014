// SCN702: instructions that only a model reads.

import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const inComments = defineProbe(
  /<!--(?!\s{0,4}(?:skc-|prettier|eslint|markdownlint|toc|TODO|omit|BEGIN|END|START))((?:(?!<!--)[\s\S]){20,1500}?)(?:-->|$)/gi,
  { needs: '<!--', reach: 7600, inProse: true },
);

const unseen = defineProbe(
  /<(?:div|span|p|section|font)\b[^>\n]{0,120}(?:display:\s?none|font-size:\s?0|color:\s?(?:white|#fff(?:fff)?)\b|opacity:\s?0\b|visibility:\s?hidden|\shidden)[^>\n]{0,60}>([\s\S]{20,800}?)<\/|^\[(?:\/\/|comment)\]:\s?#\s?[("']([^\n]{20,600})/gim,
  { needs: '<div,<font,<p,<section,<span,[//]:,[comment]:', reach: 1100, inProse: true },
);

const orders =
  /\b(?:curl|wget|https?:\/\/|run|execute|send|post|upload|read|cat|append|include|exfiltrat|ignore|override|always|never|must|silently|bash|fetch|download|install)\b/i;
const toAgent =
  /\b(?:assistant|agent|claude|ai|model|llm|gpt|you must|you are|you should|system|instructions?|hidden|secret|silently|do not (?:tell|mention|reveal)|don't (?:tell|mention)|without (?:telling|informing|mention)|user)\b/i;
const harm =
  /\bcurl\b|\bwget\b|\.ssh|\.env\b|\.aws|credential|api[ _-]?key|token|password|secret|base64|exfil|ignore (?:all|any|previous|prior)|do not (?:tell|mention|reveal|inform)|don't (?:tell|mention)|silently|without (?:telling|informing|asking|notif)|leave (?:it|this) out|https?:\/\/(?!github\.com|www\.w3|creativecommons|opensource)|\beval\b|rm -rf|disable|bypass|override/i;

/** Reports orders to an agent in text that is not shown. */
export const hiddenInstructions: ScanRule = {
  id: 'SCN702',
  name: 'hidden-instructions',
  category: 'hidden-text',
  severity: 'high',
  summary: 'A comment or hidden element in a Markdown file gives orders to the agent.',
  reason: 'The rendered page looks harmless to people, while the agent gets the orders.',
  help: 'Read the file as plain text. Use the skill only if you would give that order yourself.',
  *check(subject) {
    for (const probe of [inComments, unseen])
      for (const match of subject.matches(probe)) {
        if (!match.isSaid || match.zone === 'inline') continue;
        const text = match.groups.find((group) => group !== undefined) ?? '';
        if (!orders.test(text) || !harm.test(text)) continue;
        const told = toAgent.test(text);
        if (!told && !/curl|wget|\.ssh|base64|exfil/i.test(text)) continue;
        const grave =
          /(?:curl|wget|send|post|upload|https?:\/\/)[\s\S]{0,200}|ignore (?:all|any|previous)|silently|do not (?:tell|mention|reveal)|without (?:telling|informing)|rm -rf|\.ssh|\.aws/i.test(
            text,
          ) &&
          /do not|don't|silently|secret|hidden|without|curl|wget|\.ssh|\.aws|\.env|ignore|routine|leave/i.test(
            text,
          );
        yield {
          message: 'gives the agent an order in hidden text',
          match,
          isAct: true,
          excerpt: text.trim().slice(0, 160),
          severity: grave ? 'high' : 'medium',
          confidence: subject.isAboutSecurity ? 'medium' : grave ? 'high' : 'medium',
        };
      }
  },
};
