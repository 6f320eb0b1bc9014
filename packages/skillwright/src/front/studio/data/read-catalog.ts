// The catalog as a host puts it into the context of a model.

import {
  type CatalogFormat,
  type CatalogView,
  catalogRenderers,
  defaultBudget,
  fitCatalog,
} from '../../../read/catalog/index.ts';
import { openContext } from '../../commands/index.ts';
import { describeListing, type SeeingAgent } from './read-agents.ts';
import type { StudioState } from './studio-state.ts';
import type { Look } from './take-look.ts';

/** How much of a skill is shown. */
export type Detail = 'full' | 'short' | 'name' | 'left-out';

/** The page. */
export interface CatalogPageView {
  readonly format: string;
  readonly formats: readonly string[];
  /** Exactly the text a host injects. */
  readonly text: string;
  readonly tokens: number;
  readonly bytes: number;
  readonly budget: {
    /** Bytes the catalog may have. */
    readonly bytes: number;
    /** Where the number comes from: a default, or the key of the configuration that sets it. */
    readonly source: string;
  };
  /** Bytes of all skills by how much of each is shown; with the frame they are those of the text. */
  readonly parts: Readonly<Record<'full' | 'short' | 'name' | 'frame', number>>;
  /** All skills by how much of each is shown. */
  readonly counts: Readonly<Record<Detail, number>>;
  /** The lists that agents make themselves. */
  readonly agents: readonly Pick<SeeingAgent, 'id' | 'listing'>[];
  /** Skills by how much of each is shown. */
  readonly shown: readonly {
    readonly id: string;
    readonly name: string;
    readonly detail: Detail;
    readonly bytes: number;
  }[];
  readonly total: number;
}

const formats = Object.keys(catalogRenderers) as CatalogFormat[];
/** Skills listed below the text. */
const MAX_LISTED = 500;

/** The page, and what it leaves out. An unknown format becomes the usual one. */
export async function readCatalog(
  format: string | null,
  look: Look,
  state: StudioState,
): Promise<{ view: CatalogPageView; notes: string[] }> {
  const { workspace } = look.context;
  const { access } = await openContext({ ...state.front, by: 'model' });
  const { visible } = await access.view(look.catalog);
  const chosen = formats.find((one) => one === format) ?? formats[0]!;
  const { catalog } = await workspace.config();
  const { skills } = visible;
  const render = catalogRenderers[chosen];
  /** Every text that was tried; the first has whole descriptions. */
  const tried = new Map<string, CatalogView>();
  const fitted = fitCatalog(skills, {
    render: (view) => {
      const text = render(view);
      tried.set(text, view);
      return text;
    },
    budget: { entries: catalog.max_entries, bytes: catalog.max_bytes },
    incomplete: look.catalog.truncated,
  });
  const [first] = tried.values();
  const whole = new Map(first?.skills.map(({ path, description }) => [path, description]));
  const view = tried.get(fitted.text);
  const shown = new Map(view?.skills.map((skill) => [skill.path, skill]));
  const bytesOf = (listed: CatalogView['skills']) =>
    view === undefined ? 0 : Buffer.byteLength(render({ ...view, skills: listed }));
  const empty = bytesOf([]);
  const rows = skills.map((skill) => {
    const one = shown.get(skill.path);
    return {
      id: look.addressOf(skill),
      name: skill.name,
      detail: detailOf(one?.description, whole.get(skill.path)),
      bytes: one === undefined ? 0 : bytesOf([one]) - empty,
    };
  });
  const counts = { full: 0, short: 0, name: 0, 'left-out': 0 };
  const parts = { full: 0, short: 0, name: 0, frame: fitted.bytes };
  for (const { detail, bytes } of rows) {
    counts[detail] += 1;
    if (detail === 'left-out') continue;
    parts[detail] += bytes;
    parts.frame -= bytes;
  }
  const { max_entries: entries, max_bytes: bytes } = catalog;
  const isDefault = entries === defaultBudget.entries && bytes === defaultBudget.bytes;
  return {
    view: {
      format: chosen,
      formats,
      text: fitted.text,
      tokens: fitted.tokens,
      bytes: fitted.bytes,
      ...{ parts, counts },
      agents: state.agents(look).map((seen) => ({ id: seen.agent.id, listing: describeListing(seen) })),
      budget: {
        bytes,
        source: `catalog.max_bytes = ${bytes} and catalog.max_entries = ${entries}${isDefault ? ' (defaults)' : ''}`,
      },
      shown: rows.slice(0, MAX_LISTED),
      total: skills.length,
    },
    notes:
      rows.length > MAX_LISTED
        ? [
            `The table shows the first ${MAX_LISTED} of ${rows.length} skills. 'skc skills --format text' lists all.`,
          ]
        : [],
  };
}

function detailOf(text: string | undefined, whole: string | undefined): Detail {
  if (text === undefined) return 'left-out';
  if (text === '') return 'name';
  return text === whole ? 'full' : 'short';
}
