// The catalog as a host puts it into the context of a model.

import { estimateTokens } from '../../../base/tokens/index.ts';
import {
  type CatalogFormat,
  catalogRenderers,
  defaultBudget,
  fitCatalog,
} from '../../../read/catalog/index.ts';
import { openContext } from '../../commands/index.ts';
import type { StudioState } from './studio-state.ts';
import type { Look } from './take-look.ts';

/** The page. */
export interface CatalogPageView {
  readonly format: string;
  readonly formats: readonly string[];
  /** Exactly the text a host injects. */
  readonly text: string;
  readonly tokens: number;
  readonly budget: {
    readonly contextWindow: number;
    /** Tokens the catalog may cost. */
    readonly tokens: number;
    /** Where the number comes from: a default, or the key of the configuration that sets it. */
    readonly source: string;
  };
  /** Skills by how much of each is shown. */
  readonly shown: readonly {
    readonly id: string;
    readonly name: string;
    readonly detail: 'full' | 'short' | 'name' | 'left-out';
    readonly tokens: number;
  }[];
  readonly total: number;
}

const formats = Object.keys(catalogRenderers) as CatalogFormat[];
/** Assumed size of a context, and of a token. The budget itself counts bytes. */
const CONTEXT_WINDOW = 200_000;
const BYTES_OF_TOKEN = 4;
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
  /** Every text that was tried, and its skills; the first has whole descriptions. */
  const tried = new Map<string, ReadonlyMap<string, string>>();
  const fitted = fitCatalog(skills, {
    render: (view) => {
      const text = render(view);
      tried.set(text, new Map(view.skills.map(({ path, description }) => [path, description])));
      return text;
    },
    budget: { entries: catalog.max_entries, bytes: catalog.max_bytes },
    incomplete: look.catalog.truncated,
  });
  const [whole] = tried.values();
  const texts = tried.get(fitted.text);
  const rows = skills.map((skill) => {
    const text = texts?.get(skill.path);
    return {
      id: skill.id,
      name: skill.name,
      detail: detailOf(text, whole?.get(skill.path)),
      tokens: text === undefined ? 0 : estimateTokens(`${skill.name} ${text} ${skill.path}`),
    };
  });
  const { max_entries: entries, max_bytes: bytes } = catalog;
  const isDefault = entries === defaultBudget.entries && bytes === defaultBudget.bytes;
  return {
    view: {
      format: chosen,
      formats,
      text: fitted.text,
      tokens: fitted.tokens,
      budget: {
        contextWindow: CONTEXT_WINDOW,
        tokens: Math.floor(bytes / BYTES_OF_TOKEN),
        source: `catalog.max_bytes = ${bytes} and catalog.max_entries = ${entries}${isDefault ? ' (defaults)' : ''}`,
      },
      shown: rows.slice(0, MAX_LISTED),
      total: skills.length,
    },
    notes:
      rows.length > MAX_LISTED
        ? [
            `${rows.length - MAX_LISTED} skills are not listed below the text. 'skc skills --format text' lists all.`,
          ]
        : [],
  };
}

function detailOf(
  text: string | undefined,
  whole: string | undefined,
): CatalogPageView['shown'][number]['detail'] {
  if (text === undefined) return 'left-out';
  if (text === '') return 'name';
  return text === whole ? 'full' : 'short';
}
