// The page of the activity view.

import { type Html, html } from '../../pages/index.ts';
import type { ActivityView } from '../views/activity-view.ts';
import type { StudioFrame } from '../views/studio-frame.ts';

/** The page. */
export function activityPage(view: ActivityView, frame: StudioFrame): Html {
  return html`<!doctype html><title>activity</title><pre>${JSON.stringify(view)}</pre><pre>${JSON.stringify(frame)}</pre>`;
}
