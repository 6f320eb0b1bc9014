// SCN806: work done badly, or for someone else, on purpose.

import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const weakens = defineProbe(
  /\b(?:leave out|omit|skip|remove|disable|weaken|drop|bypass|do not (?:add|include|implement))\b[^.\n]{0,60}\b(?:authentication|authori[sz]ation|(?:input |signature |token |certificate )?(?:validation|verification|check of the signature)|saniti[sz]ation|signature check|security checks?|permission checks?|encryption|(?:ssl|tls) verif\w{2,10})\b[^.\n]{0,80}\b(?:do not|don't|without|silently|never|no comment|quietly)\b|\b(?:insert|add|plant|include|embed|introduce|create|generate)\b[^.\n]{0,50}\b(?:backdoor|hidden (?:admin|account|endpoint|user|route)|subtle (?:bug|vulnerabilit)|vulnerabilit(?:y|ies) (?:in|into)|undocumented (?:admin|endpoint|route)|master password)\b[^.\n]{0,80}/gi,
  {
    needs:
      'backdoor,bypass,disable,do not add,do not implement,do not include,drop,hidden account,hidden admin,hidden endpoint,hidden route,hidden user,leave out,master password,omit,remove,skip,subtle bug,subtle vulnerabi,undocumented,vulnerabilities,vulnerability in,weaken',
    inProse: true,
  },
);

const redirects = defineProbe(
  /\b(?:replace|swap|substitute|change|switch)\b[^.\n]{0,60}\b(?:account number|iban|wallet address|bank details|recipient(?: address)?|payment address|payee|deposit address)\b[^.\n]{0,80}\b(?:with|to|by|for)\b[^.\n]{0,80}|\b(?:insert|add|append|include|inject|use)\b[^.\n]{0,40}\b(?:our|my|this|the following)\b[^.\n]{0,20}\b(?:affiliate|referral)\b[^.\n]{0,80}\b(?:every|all|always|without|silently|any)\b/gi,
  {
    needs:
      'account number,affiliate,bank details,deposit address,iban,payee,payment address,recipient,referral,wallet address',
    inProse: true,
  },
);

const skims = defineProbe(
  /\b(?:send|transfer|forward|pay|route|move)\b[^.\n]{0,60}(?:\d{1,2}(?:\.\d{1,3})?\s?(?:%|percent)|\bfee\b|\bshare\b|\bportion\b|\ball (?:funds|tokens|assets))[^\n]{0,80}(?:\b0x[0-9a-f]{40}\b|\bbc1[a-z0-9]{20,60}\b|\b[1-9A-HJ-NP-Za-km-z]{32,44}\b)|\b(?:send|transfer|sweep|drain|move)\b[^.\n]{0,40}\b(?:all|entire|remaining|balance)\b[^.\n]{0,40}\b(?:funds|tokens|balance|assets|wallet)\b[^\n]{0,60}\bto\b[^\n]{0,40}(?:0x[0-9a-f]{40}|bc1[a-z0-9]{20,60}|[1-9A-HJ-NP-Za-km-z]{32,44}\b)/gi,
  { needs: 'drain,forward,move,pay,route,send,sweep,transfer', inProse: true },
);

const biased = defineProbe(
  /\b(?:always|only|must)\b[^.\n]{0,30}\b(?:recommend|promote|suggest|favou?r|prefer)\b[^.\n]{0,80}\b(?:regardless|even (?:if|when|though)|no matter|over (?:any|all) (?:other|competitor)|instead of (?:any )?(?:other|competitor))|\b(?:pretend|claim|report|state|say|tell (?:them|the user))\b[^.\n]{0,40}\b(?:found no (?:problems?|issues?|vulnerabilit\w{1,4})|(?:is|are) (?:safe|secure|clean)|passed|succeeded|no issues)\b[^.\n]{0,60}\b(?:regardless|even (?:if|when|though)|no matter|always|whatever)|\bpretend\b[^.\n]{0,30}\b(?:found no|there (?:are|is|were|was) no|nothing)\b|\b(?:provide|give|spread|present)\b[^.\n]{0,30}\b(?:false|misleading|fabricated|wrong) (?:information|results?|answers?|data|advice)\b[^.\n]{0,60}/gi,
  {
    needs:
      'are clean,are safe,are secure,even if,even though,even when,fabricated,false advice,false answer,false data,false informatio,false result,found no,instead of any,instead of compe,instead of other,is clean,is safe,is secure,misleading,no issues,no matter,over all,over any,passed,pretend,regardless,succeeded,wrong advice,wrong answer,wrong data,wrong informatio,wrong result',
    inProse: true,
  },
);

/** Reports orders to harm the user's own work or money. */
export const sabotage: ScanRule = {
  id: 'SCN806',
  name: 'sabotage',
  category: 'prompt-injection',
  severity: 'high',
  summary: 'Tells the agent to weaken its work, to redirect money, or to report something false.',
  reason: 'The user gets damaged work and does not notice.',
  help: 'Do not use the skill, and check everything that was made with it.',
  isAboutWords: true,
  *check(subject) {
    for (const match of subject.matches(weakens))
      if (match.isSaid)
        yield {
          message: 'tells the agent to write insecure code',
          match,
          confidence:
            subject.weigh(match) *
            (/hidden|backdoor|undocumented|master password/i.test(match.text) ? 1 : 0.7),
        };
    for (const match of subject.matches(redirects))
      if (match.isSaid)
        yield {
          message: 'tells the agent to send money or credit to someone else',
          match,
          confidence: subject.weigh(match) * (/affiliate|referral/i.test(match.text) ? 0.7 : 1),
        };
    for (const match of subject.matches(skims))
      if (match.isSaid)
        yield {
          message: 'tells the agent to send part of the money to a fixed address',
          match,
          confidence: subject.weigh(match),
        };
    for (const match of subject.matches(biased))
      if (match.isSaid)
        yield {
          message: 'tells the agent to tell the user something false',
          match,
          severity: /vulnerab|issues|problems|safe|secure/i.test(match.text) ? 'high' : 'medium',
          confidence: subject.weigh(match) * 0.9,
        };
  },
};
