// The view model of a skill's pages: what loads them says what it is.

import type { loadSkill, loadVersion } from '../load/load-skill.ts';
import type { loadAskTab, loadDiffTab, loadFileTab, ReadTab } from '../load/load-tab.ts';
import type { loadSettings } from './skill-pages.ts';

/** A skill, the version shown, and one tab. */
export type SkillView = Omit<Awaited<ReturnType<typeof loadSkill>>, 'facts'> & { readonly tab: TabView };

/** One version with its documents. */
export type ShownVersion = Awaited<ReturnType<typeof loadVersion>>;

/** A question, and the sections that answer it, best first. */
export type AskTab = Awaited<ReturnType<typeof loadAskTab>>;

/** One file: its text, or undefined when it is not text or too large to show. */
export type FileTab = Awaited<ReturnType<typeof loadFileTab>>;

/** Changes from one version to another. */
export type DiffTab = Awaited<ReturnType<typeof loadDiffTab>>;

/** For those who may publish. */
export type SettingsTab = Awaited<ReturnType<typeof loadSettings>>;

/** The part below the tabs. Some need nothing but the version. */
type TabView =
  | ReadTab
  | AskTab
  | FileTab
  | DiffTab
  | SettingsTab
  | { readonly kind: 'files' | 'versions' | 'safety' };
