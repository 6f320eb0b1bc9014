// The page of the skill view.

import { type Html, html } from '../../pages/index.ts';
import type { SkillView } from '../views/skill-view.ts';
import type { StudioFrame } from '../views/studio-frame.ts';

/** The page. */
export function skillPage(view: SkillView, frame: StudioFrame): Html {
  return html`<!doctype html><title>skill</title><pre>${JSON.stringify(view)}</pre><pre>${JSON.stringify(frame)}</pre>`;
}
