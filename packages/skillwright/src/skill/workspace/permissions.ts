// Permission rules of the host, the user and the project. Separate from the code that reads them, so that a machine
// without rules loads nothing.

import type { Diagnostic } from '../../base/diagnostics/index.ts';
import type { PermissionRule } from '../config/index.ts';

/** Raw rules from configuration or a host; checked before use. */
export interface PermissionRules {
  readonly allow?: readonly unknown[];
  readonly deny?: readonly unknown[];
  readonly confirm?: readonly unknown[];
}

/** A permanent permission for one version of one skill: another skill of that name, or another text, needs a new one. */
export interface RememberedPermission {
  readonly tool: string;
  readonly skill_name: string;
  /** Real path of the skill's directory. */
  readonly path: string;
  /** Digest of all its files. */
  readonly digest: string;
}

/** The three layers. All of them apply; a project cannot allow anything. */
export interface PermissionLayers {
  readonly builtIn?: PermissionRules;
  readonly user?: PermissionRules;
  readonly project?: PermissionRules;
  /** Uses the user confirmed permanently. */
  readonly remembered?: readonly RememberedPermission[];
  /** Set when every skill is switched off; names the origin. */
  readonly switchedOff?: { readonly layer: 'user' | 'project'; readonly where: string } | undefined;
}

/** Request: may `tool` be used on this skill? */
export interface PermissionRequest {
  readonly tool: string;
  readonly skill_name?: string | undefined;
  /** Other names of the same skill, such as that of its directory. They can only restrict. */
  readonly aliases?: readonly string[];
  /** Real path of its directory and digest of its files, for permanent permissions. */
  readonly dir?: string;
  digest?(): string;
}

/** The decision, with its rule; `default` when no rule applies. */
export interface PermissionDecision {
  readonly effect: 'allow' | 'deny' | 'confirm';
  readonly layer: 'built-in' | 'user' | 'project' | 'default';
  readonly rule: PermissionRule | null;
}

/** The effective rules. */
export interface Permissions {
  /** deny > allow > confirm; allowed when no rule applies. */
  check(request: PermissionRequest): PermissionDecision;
  /** Allows a use for the lifetime of this object. */
  remember(permission: RememberedPermission): void;
  /** Faults of the rules that leave them usable. */
  readonly diagnostics: readonly Diagnostic[];
}

/** No rules: everything is allowed. */
export const noPermissions: Permissions = {
  check: () => ({ effect: 'allow', layer: 'default', rule: null }),
  remember() {},
  diagnostics: [],
};
