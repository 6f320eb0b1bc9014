// Finds tools of the agent that a skill asks for.

import { findCommands } from '../../../skill/format/index.ts';
import { Match } from '../match.ts';
import type { ScanSubject } from '../scan-subject.ts';
import { agentTool } from './ability-patterns.ts';
import { type Add, LIKELY } from './ability-place.ts';

/** Tools that instructions name as tools, and commands an agent runs when it loads the skill. */
export function addTools(subject: ScanSubject, add: Add): void {
  for (const file of subject.files) {
    if (file.kind !== 'instructions' || file.isExample || file.archive !== undefined) continue;
    const { text } = file;
    for (const match of text.matchAll(agentTool)) {
      const place = new Match(
        { file, layer: file.layers[0]! },
        { index: match.index, text: match[0], groups: [] },
      );
      if (place.zone === 'code' || place.zone === 'frontmatter' || subject.weighOrder(place) < LIKELY)
        continue;
      add({
        kind: 'tools',
        what: match[1] ?? match[2]!,
        by: 'instructions',
        program: undefined,
        file,
        line: place.line,
        text: file.lines[place.line - 1] ?? '',
      });
    }
    if (!/^skill\.md$/i.test(file.path) || !text.includes('!`')) continue;
    for (const { start, source } of findCommands(text)) {
      const line = file.layers[0]!.lineAt(start);
      add({
        kind: 'programs',
        what: 'commands on loading',
        by: 'instructions',
        program: undefined,
        file,
        line,
        text: source,
      });
    }
  }
}
