// Rules about skills: of the host, of the user and of the project, and what they say. Apart from what reads them, so that
// a machine without rules loads nothing.

import type { Diagnostic } from '../../base/diagnostics/index.ts';
import type { PermissionRule } from '../config/index.ts';

/** Rules as they come from configuration or from a host: checked before they are used. */
export interface PermissionRules {
  readonly allow?: readonly unknown[];
  readonly deny?: readonly unknown[];
  readonly confirm?: readonly unknown[];
}

/** Something the user has allowed for good, for one skill as it was then: another of its name, or another text, is asked about. */
export interface RememberedPermission {
  readonly tool: string;
  readonly skill_name: string;
  /** The real path of the skill's directory. */
  readonly path: string;
  /** The digest of all its files. */
  readonly digest: string;
}

/** The three layers. All of them count; a project cannot allow anything. */
export interface PermissionLayers {
  readonly builtIn?: PermissionRules;
  readonly user?: PermissionRules;
  readonly project?: PermissionRules;
  /** What the user has confirmed for good. */
  readonly remembered?: readonly RememberedPermission[];
  /** Present when every skill is switched off, and where that is said. */
  readonly switchedOff?: { readonly layer: 'user' | 'project'; readonly where: string } | undefined;
}

/** What is asked: may `tool` be used, and on which skill. */
export interface PermissionRequest {
  readonly tool: string;
  readonly skill_name?: string | undefined;
  /** Further names the same skill goes by, such as that of its directory. They can only narrow. */
  readonly aliases?: readonly string[];
  /** The real path of its directory, and the digest of its files, for what was allowed for good. */
  readonly dir?: string;
  digest?(): string;
}

/** The answer, with the rule it comes from; `default` when no rule speaks of it. */
export interface PermissionDecision {
  readonly effect: 'allow' | 'deny' | 'confirm';
  readonly layer: 'built-in' | 'user' | 'project' | 'default';
  readonly rule: PermissionRule | null;
}

/** The rules in force. */
export interface Permissions {
  /** deny > allow > confirm; what no rule speaks of is allowed. */
  check(request: PermissionRequest): PermissionDecision;
  /** Allows something from now on, for as long as this value lives. */
  remember(permission: RememberedPermission): void;
  /** What is odd about the rules without making them unusable. */
  readonly diagnostics: readonly Diagnostic[];
}

/** No rule at all: everything is allowed. */
export const noPermissions: Permissions = {
  check: () => ({ effect: 'allow', layer: 'default', rule: null }),
  remember() {},
  diagnostics: [],
};
