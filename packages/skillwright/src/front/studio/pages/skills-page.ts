// The page of the skills view.

import { type Html, html } from '../../pages/index.ts';
import type { SkillsView } from '../views/skills-view.ts';
import type { StudioFrame } from '../views/studio-frame.ts';

/** The page. */
export function skillsPage(view: SkillsView, frame: StudioFrame): Html {
  return html`<!doctype html><title>skills</title><pre>${JSON.stringify(view)}</pre><pre>${JSON.stringify(frame)}</pre>`;
}
