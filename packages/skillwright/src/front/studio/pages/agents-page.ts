// The page of the agents view.

import { type Html, html } from '../../pages/index.ts';
import type { AgentsView } from '../views/agents-view.ts';
import type { StudioFrame } from '../views/studio-frame.ts';

/** The page. */
export function agentsPage(view: AgentsView, frame: StudioFrame): Html {
  return html`<!doctype html><title>agents</title><pre>${JSON.stringify(view)}</pre><pre>${JSON.stringify(frame)}</pre>`;
}
