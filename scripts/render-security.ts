// docs/security.md from the table of threats.

import { posix } from 'node:path';
import { type ThreatSection, threatIntro, threatSections } from './threats.ts';

/** The page. */
export function renderSecurity(): string {
  const note =
    'Each promise on this page has probes that try to break it, and `npm run probes` runs them against the built executable. Generated from `scripts/threats.ts`.';
  return `${[threatIntro, wrap(note), ...threatSections.map(renderSection)].join('\n\n')}\n`;
}

function renderSection({ title, text, threats, limits }: ThreatSection): string {
  const bullets = threats.map(({ promise, probes }) => {
    const links = probes.map((path) => `[probe](${posix.relative('docs', path)})`).join(', ');
    return wrap(`- ${promise.replace(/\.$/, '')} (${links}).`, '  ');
  });
  const parts = [
    `## ${title}`,
    ...(text === undefined ? [] : [text]),
    ...(bullets.length === 0 ? [] : [bullets.join('\n')]),
    ...(limits === undefined
      ? []
      : [limits.startsWith('- ') ? `**Not protected.**\n\n${limits}` : `**Not protected.** ${limits}`]),
  ];
  return parts.join('\n\n');
}

const WIDTH = 128;

/** Breaks a paragraph into lines; a link stays whole. */
function wrap(text: string, indent = ''): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(word);
    else if (last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(indent + word);
  }
  return lines.join('\n');
}
