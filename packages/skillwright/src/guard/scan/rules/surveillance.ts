// SCN305: scripts that watch the user.

import { defineProbe } from '../probe.ts';
import { surveillance as watching } from '../probes/secret-sources.ts';
import type { ScanRule } from '../scan-rule.ts';

const swapped = defineProbe(/\(?:?\(?bc1\|?|0x\[a-f|0x\[0-9|\[13\]\[a-km|\[13\]\)\[/gi, {
  needs: '0x[0-9,0x[a-f,[13])[,[13][a-km,bc1',
});

/** Reports keyloggers, and unannounced recording of screen, sound and clipboard. */
export const surveillance: ScanRule = {
  id: 'SCN305',
  name: 'surveillance',
  category: 'exfiltration',
  severity: 'medium',
  summary:
    'A script records keystrokes, the screen, the clipboard, sound or images, and the description does not say so.',
  reason: 'Passwords and private data pass through all of these.',
  help: 'Use the skill only if you want it to record.',
  *check(subject) {
    const announced =
      /key(?:board|log)|screen|clipboard|record|audio|microphone|camera|video|voice|hotkey|automat|gui|desktop|paste|speech|image|vision|ocr/i;
    const isAnnounced = announced.test(subject.topic);
    for (const match of subject.matches(swapped)) {
      if (match.file.kind !== 'script') continue;
      const clips = subject.matchesIn(match.file, watching).some(({ text }) => /clip|paste|xsel/i.test(text));
      if (!clips) continue;
      yield {
        message: 'looks for wallet addresses in the clipboard',
        match,
        severity: 'critical',
        confidence: match.file.isExample ? 'low' : 'high',
      };
    }
    for (const match of subject.matches(watching)) {
      if (match.file.kind !== 'script' || match.zone === 'comment') continue;
      const keys = /pynput|keylog|on_press|GetAsyncKeyState|\/dev\/input/i.test(match.text);
      if (isAnnounced && !/keylog/i.test(match.text)) continue;
      yield {
        message: keys ? 'records keystrokes' : 'records the screen, the clipboard or sound',
        match,
        severity: keys ? 'high' : 'medium',
        confidence: subject.weigh(match) * (keys ? 1 : 0.6),
      };
    }
  },
};
