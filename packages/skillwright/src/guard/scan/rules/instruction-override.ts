// SCN801: a skill that puts itself above all other instructions.

import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const overrides = defineProbe(
  /\b(?:ignore|disregard|forget|override|overrides|supersedes?|bypass|discard|drop|set aside)\b[^.\n]{0,40}\b(?:all|any|every|previous|prior|earlier|above|preceding|existing|other|your|the|system|safety)\b[^.\n]{0,30}\b(?:instructions?|rules?|guidelines?|prompts?|directives?|polic(?:y|ies)|restrictions?|constraints?|guardrails?|safety (?:checks?|measures?|protocols?|rules?|guidelines?)|system message)\b|\byou are (?:now |no longer )(?:DAN\b|in (?:developer|admin|god|debug|maintenance|unrestricted) mode|unrestricted|free (?:of|from)|bound by|jailbroken)|\b(?:enter|activate|switch to)\b[^.\n]{0,20}\b(?:developer|god|jailbreak|unrestricted|admin override|DAN)\s?mode\b|\[SYSTEM (?:OVERRIDE|NOTICE|UPDATE|PROMPT|MESSAGE)[^\]\n]{0,20}\]|^\[SYSTEM\]:|\bSYSTEM NOTE\s?:|\b(?:administrator|developers?|anthropic|openai|security team) (?:has|have) (?:already )?(?:approved|authori[sz]ed|pre-?approved)\b|<\/?(?:system|im_start|im_end|\|system\|)>|\[\/?INST\]|<<SYS>>|\bhave no (?:restrictions|limitations|ethical)|\b(?:these|this skill'?s?|the following) (?:instructions?|rules?)\b[^.\n]{0,40}\b(?:take precedence|override|supersede|outrank)\b[^.\n]{0,60}\b(?:user|system|all|any|other|safety)\b|\beven (?:if|when)\b[^.\n]{0,40}\buser\b[^.\n]{0,40}\b(?:objects|refuses|says no|says otherwise|asks? (?:you )?(?:not to|to stop))/gim,
  {
    needs:
      "</system>,</|system|>,<<sys>>,<system>,<|system|>,[/inst],[inst],[system message,[system notice,[system prompt,[system update,[system]:,activate,administrator ha,anthropic has,anthropic have,bypass,developer has,developer have,developers,discard,disregard,drop,enter,even if,even when,forget,have no,ignore,im_end,im_start,openai has,openai have,override,security team ha,set aside,supersede,switch to,system note,the following in,the following ru,these instructio,these rule,this skill instr,this skill rule,this skill' inst,this skill' rule,this skill's,this skills,you are no",
    inProse: true,
  },
);

const mild =
  /\b(?:gitignore|eslint|prettier|lint|cache|default|css|config|robots|cors|type|null|case|style|framework|project|template|theme|brand|variant|workspace|tool)\b/i;

const broad =
  /^bypass (?:all|any|your|every|safety|security|these|the (?:safety|security|content|system|user))\b/i;

/** Reports attempts to override other instructions. */
export const instructionOverride: ScanRule = {
  id: 'SCN801',
  name: 'instruction-override',
  category: 'prompt-injection',
  severity: 'high',
  summary: 'Instructions to ignore, override or outrank those of the user, the system or safety.',
  reason:
    'A skill works within the instructions of its user and host. One that overrides them wants to do what they forbid.',
  help: 'Do not use the skill.',
  isAboutWords: true,
  *check(subject) {
    for (const match of subject.matches(overrides)) {
      if (match.file.kind === 'config' || (match.file.kind === 'script' && match.layer.via === undefined))
        continue;
      if (mild.test(match.text)) continue;
      if (/^bypass/i.test(match.text) && !broad.test(match.text)) continue;
      const quoted = /["“”'‘’`*][^"“”\n]{0,12}$/.test(
        match.layer.text.slice(Math.max(0, match.index - 14), match.index),
      );
      const tag = /^<|^\[|^<</.test(match.text);
      const strong =
        /previous|prior|safety|guardrails?|DAN\b|jailbr|developer mode|god mode|user|approved|authori|^\[?SYSTEM/i.test(
          match.text,
        ) || /(?:ignore|disregard|forget|bypass)\b.*system/i.test(match.text);
      const weight =
        subject.weigh(match) *
        (quoted ? 0.4 : 1) *
        (strong ? 1 : 0.4) *
        (match.zone === 'code' || match.zone === 'shell' ? 0.5 : 1);
      yield {
        message: tag ? 'imitates a system message' : 'tells the agent to override other instructions',
        match,
        severity: tag ? 'low' : 'high',
        confidence: weight,
      };
    }
  },
};
