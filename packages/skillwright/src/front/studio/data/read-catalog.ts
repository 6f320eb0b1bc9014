// The catalog as a host puts it into the context of a model.

import {
  type CatalogFormat,
  type CatalogView,
  catalogRenderers,
  defaultBudget,
  fitCatalog,
} from '../../../read/catalog/index.ts';
import { openContext } from '../../commands/index.ts';
import type { StudioState } from './studio-state.ts';
import type { Look } from './take-look.ts';

/** How much of a skill is shown. */
export type Detail = 'full' | 'short' | 'name' | 'left-out';

/** The page. */
export type CatalogPageView = Awaited<ReturnType<typeof readCatalog>>;

const formats: readonly string[] = Object.keys(catalogRenderers);

/** Reads it. An unknown format becomes the usual one. */
export async function readCatalog(format: string | null, look: Look, state: StudioState) {
  const { workspace } = look.context;
  const { access } = await openContext({ ...state.front, by: 'model' });
  const { visible } = await access.view(look.catalog);
  const chosen = formats.find((one) => one === format) ?? formats[0]!;
  const { catalog } = await workspace.config();
  const { skills } = visible;
  const render = catalogRenderers[chosen as CatalogFormat];
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
  // Measured behind another one: the first skill brings the frame with it.
  const before = view?.skills.slice(0, 1) ?? [];
  const start = bytesOf(before);
  const rows = skills.map((skill) => {
    const one = shown.get(skill.path);
    return {
      id: look.addressOf(skill),
      name: skill.name,
      detail: detailOf(one?.description, whole.get(skill.path)),
      bytes: one === undefined ? 0 : bytesOf([...before, one]) - start,
    };
  });
  const counts = { full: 0, short: 0, name: 0, 'left-out': 0 };
  for (const { detail } of rows) counts[detail] += 1;
  const { max_entries: entries, max_bytes: bytes } = catalog;
  const isDefault = entries === defaultBudget.entries && bytes === defaultBudget.bytes;
  return {
    format: chosen,
    formats,
    /** Exactly the text a host injects. */
    text: fitted.text,
    tokens: fitted.tokens,
    bytes: fitted.bytes,
    /** All skills by how much of each is shown. */
    counts,
    /** Bytes the catalog may have, and the keys of the configuration that say so. */
    budget: {
      bytes,
      source: `catalog.max_bytes = ${bytes} and catalog.max_entries = ${entries}${isDefault ? ' (defaults)' : ''}`,
    },
    shown: rows,
  };
}

function detailOf(text: string | undefined, whole: string | undefined): Detail {
  if (text === undefined) return 'left-out';
  if (text === '') return 'name';
  return text === whole ? 'full' : 'short';
}
