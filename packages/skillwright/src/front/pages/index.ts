// Building blocks of web pages: escaped HTML, layout, components, charts, third-party Markdown.

export { assets } from './asset.ts';
export {
  badge,
  levelBadge,
  privateBadge,
  severityBadge,
  stateBadge,
  type Tone,
  verdictBadge,
} from './badge.ts';
export { formatShare, shareBar } from './bars.ts';
export { card, definitions, emptyState, notice, pager, type Tab, tabs, trail } from './blocks.ts';
export { barChart, type Point, stackedChart } from './chart.ts';
export { codeBlock, commandLine, MAX_LINES, numberedLines } from './code.ts';
export { diffFiles, type VersionTexts } from './diff-files.ts';
export { type DiffFile, diffView } from './diff-view.ts';
export { foreign, outsideLink, showControls } from './foreign.ts';
export { type Choice, choiceField, field, form, selectField, submit } from './form.ts';
export { type Content, escapeHtml, Html, html, join, raw, safeLink } from './html.ts';
export { liveState } from './live-state.ts';
export { ago, day, dayAndClock, dayAndTime, formatCount, formatShort, plural } from './numbers.ts';
export { heatLegend, heatOf, outlineTree } from './outline-tree.ts';
export { page, type Theme } from './page.ts';
export { pageHeaders, readTheme, safeReturn } from './page-headers.ts';
export {
  MAX_MARKDOWN,
  type MarkdownLinks,
  renderMarkdown,
  SECTION_PREFIX,
} from './render-markdown.ts';
export { resolvePath } from './resolve-path.ts';
export {
  abilityBadge,
  abilityTable,
  abilityTitles,
  fileCells,
  fileColumns,
  findingList,
  points,
  trustFactors,
} from './skill-parts.ts';
export { actionColumn, type Column, table } from './table.ts';
