// Combines the permission rules of all layers.

import {
  type Diagnostic,
  describeIssue,
  diagnose,
  SkillwrightError,
  suggest,
} from '../../base/diagnostics/index.ts';
import { PermissionRule } from '../config/index.ts';
import { foldName, looksLike } from '../format/index.ts';
import type {
  PermissionDecision,
  PermissionLayers,
  PermissionRequest,
  Permissions,
  RememberedPermission,
} from './permissions.ts';

type Effect = PermissionDecision['effect'];

interface PlacedRule {
  readonly rule: PermissionRule;
  readonly layer: PermissionDecision['layer'];
}

const effects: readonly Effect[] = ['deny', 'allow', 'confirm'];

/** Tools that rules apply to: loading a skill, and running part of it. */
const tools: readonly string[] = ['skill_load', 'skill_run'];

/** Combines the layers. E110 when a rule is malformed: it must never become a wider one. */
export function createPermissions(layers: PermissionLayers): Permissions {
  const diagnostics: Diagnostic[] = [];
  const tables: Record<Effect, RuleTable> = { deny: ruleTable(), allow: ruleTable(), confirm: ruleTable() };
  const named = [
    ['built-in', layers.builtIn],
    ['user', layers.user],
    ['project', layers.project],
  ] as const;
  for (const [layer, rules] of named) {
    for (const effect of effects) {
      const list: unknown = rules?.[effect] ?? [];
      if (!Array.isArray(list)) {
        const where = `permissions.${effect} (${layer})`;
        throw SkillwrightError.of('E110', { where, why: 'must be a list of rules' });
      }
      const checked = list.map((rule, index) => {
        const where = `permissions.${effect}.${index} (${layer})`;
        const read = readRule(rule, where);
        // A host may have rules for its own tools, and knows their names.
        if (layer !== 'built-in') diagnostics.push(...checkTool(read, where));
        return read;
      });
      if (layer === 'project' && effect === 'allow' && checked.length > 0) {
        const help = 'a project may only narrow what the user allows; its allow rules are ignored';
        diagnostics.push(
          diagnose('W110', { where: "the project's rules", key: 'permissions.allow' }, { help }),
        );
      } else for (const rule of checked) tables[effect].add({ rule, layer });
    }
  }
  if (layers.switchedOff !== undefined) {
    const { layer, where } = layers.switchedOff;
    tables.deny.add({ rule: { tool: 'skill_load' }, layer });
    diagnostics.push(diagnose('W111', { where }));
  }
  const remembered = new Map<string, RememberedPermission>();
  const remember = (permission: RememberedPermission): void => {
    remembered.set(`${permission.tool}\0${permission.path}`, permission);
  };
  layers.remembered?.forEach(remember);
  return {
    check(request) {
      for (const effect of effects) {
        const found = tables[effect].find(request, effect === 'allow' ? 'exactly' : 'widely');
        if (found !== undefined) return { effect, layer: found.layer, rule: found.rule };
        const { tool, dir, digest } = request;
        const known = effect === 'allow' && dir ? remembered.get(`${tool}\0${dir}`) : undefined;
        if (known !== undefined && known.digest === digest?.())
          return { effect: 'allow', layer: 'user', rule: { tool, skill_name: known.skill_name } };
      }
      return { effect: 'allow', layer: 'default', rule: null };
    },
    remember,
    diagnostics,
  };
}

function readRule(value: unknown, where: string): PermissionRule {
  const result = PermissionRule.safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    const field = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
    throw SkillwrightError.of('E110', { where, why: field + describeIssue(issue) });
  }
  // `*` and `Skill(name)` are notations of other programs; taken literally they would never match.
  if (!/^[\w.:/-]+$/.test(result.data.tool))
    throw SkillwrightError.of('E110', { where, why: 'tool: must be the name of one tool' });
  return result.data;
}

/** E110 for a misspelt tool: the rule would never apply. W018 for any other tool skc never checks. */
function checkTool({ tool }: PermissionRule, where: string): Diagnostic[] {
  if (tools.includes(tool.toLowerCase())) return [];
  const [closest] = suggest(tool, tools, 1);
  if (closest !== undefined)
    throw SkillwrightError.of(
      'E110',
      { where, why: `tool: permission rules do not cover '${tool}'` },
      { help: `did you mean '${closest}'?` },
    );
  return [diagnose('W018', { where, tool }, { help: `permission rules cover ${tools.join(' and ')}` })];
}

interface RuleTable {
  add(rule: PlacedRule): void;
  find(request: PermissionRequest, how: 'exactly' | 'widely'): PlacedRule | undefined;
}

interface ToolRules {
  all: PlacedRule | undefined;
  readonly byName: Map<string, PlacedRule>;
  /** By name without case, accents and the kind of separator. */
  readonly byFolded: Map<string, PlacedRule>;
}

/** Rules by tool and name. Restrictions match similar spellings too, so that none gets around them; permissions match exactly. */
function ruleTable(): RuleTable {
  const byTool = new Map<string, ToolRules>();
  return {
    add(placed) {
      const { tool, skill_name } = placed.rule;
      const key = tool.toLowerCase();
      const entry = byTool.get(key) ?? { all: undefined, byName: new Map(), byFolded: new Map() };
      byTool.set(key, entry);
      if (skill_name === undefined) entry.all ??= placed;
      else {
        if (!entry.byName.has(skill_name)) entry.byName.set(skill_name, placed);
        const folded = foldName(skill_name);
        if (!entry.byFolded.has(folded)) entry.byFolded.set(folded, placed);
      }
    },
    find({ tool, skill_name, aliases = [] }, how) {
      const entry = byTool.get(tool.toLowerCase());
      if (entry === undefined) return undefined;
      if (entry.all !== undefined) return entry.all;
      if (skill_name === undefined || entry.byName.size === 0) return undefined;
      if (how === 'exactly') return entry.byName.get(skill_name);
      for (const name of [skill_name, ...aliases]) {
        const folded = foldName(name);
        const found = entry.byFolded.get(folded);
        if (found !== undefined) return found;
        if (/^[\x00-\x7f]*$/.test(folded)) continue;
        for (const [known, placed] of entry.byName) if (looksLike(known, name)) return placed;
      }
      return undefined;
    },
  };
}
