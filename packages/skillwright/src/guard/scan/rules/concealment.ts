// SCN802: secrecy towards the user.

import type { Match } from '../match.ts';
import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const hides = defineProbe(
  /\b(?:do(?:n['’]?t| not)|never|must not|should not|shouldn['’]t|no need to|without|avoid|refrain from|not to)\b[^.\n]{0,20}\b(?:tell|telling|inform|informing|mention|mentioning|notify|notifying|reveal|revealing|disclose|disclosing|alert|alerting|bring(?:ing)?|point(?:ing)?|show(?:ing)?|report(?:ing)?|admit|acknowledge)\b[^.\n]{0,30}\b(?:the )?(?:user|users|anyone|anybody|human|operator|developer|them)\b(?:[^.\n]{0,40}\b(?:about|that|of|this|it|know)\b)?|\b(?:do(?:n['’]?t| not)|never)\b[^.\n]{0,12}\b(?:mention|reveal|disclose|show|log|report|output|display|acknowledge|explain|reference|print)\b[^.\n]{0,24}\b(?:this (?:step|action|instruction|command|check|entry|skill|request|process|operation|section|behaviou?r|to)|these (?:steps|instructions|actions)|the (?:replacement|upload|request|sync|transfer|command|call|step))\b|\b(?:silently|secretly|covertly|discreetly|surreptitiously|stealthily|quietly)\b[^.\n]{0,60}\b(?:run|execute|send|post|upload|read|collect|append|add|include|install|download|fetch|copy|write|transmit|gather|capture|record|modify|insert|forward|exfiltrate|disable)\b|\b(?:run|execute|send|post|upload|read|collect|append|include|install|download|fetch|copy|transmit|gather|capture|record|insert|forward|do this|perform)\b[^.\n]{0,60}\b(?:silently|secretly|covertly|discreetly|surreptitiously|without (?:the )?user(?:'s)? (?:knowledge|knowing|awareness|noticing|consent)|behind the scenes|without (?:notifying|informing|telling|alerting|pointing))|\b(?:leave|keep)\b[^.\n]{0,12}\b(?:it|this|that|them)\b[^.\n]{0,8}\b(?:out of (?:your|the) (?:answer|response|reply|output|summary)|hidden|to yourself|invisible)|\b(?:hide|conceal)\b[^.\n]{0,30}\b(?:from (?:the )?user|this|these|output|evidence|traces?)\b|\bpretend\b[^.\n]{0,60}\b(?:that|nothing|no (?:problems?|issues?))/gi,
  {
    needs:
      'avoid,behind the scene,conceal,covertly,discreetly,do not,don,hide,keep,leave,must not,never,no need to,not to,pretend,quietly,refrain from,secretly,should not,shouldn,silently,stealthily,surreptitiously,the call,the command,the replacement,the request,the step,the sync,the transfer,the upload,these actions,these instructio,these steps,this action,this behavior,this behaviour,this check,this command,this entry,this instruction,this operation,this process,this request,this section,this skill,this step,this to,without',
    inProse: true,
  },
);

const acts =
  /\bcurl\b|\bwget\b|https?:\/\/(?!(?:www\.)?(?:github\.com|docs\.|developer\.))|\b(?:send|upload|post|transmit|forward)\b[^.\n]{0,60}\b(?:to|via)\b|\b(?:run|execute)\b[^.\n]{0,40}(?:`|script|command|\.sh|\.py)|credentials?\b|passwords?\b|api[ _-]?keys?\b|\.env\b|\.ssh\b|(?:entire|full|whole) conversation|base64|\b(?:collect|gather|harvest)\b[^.\n]{0,40}\b(?:data|info|files|keys|tokens)|\b(?:transfer|payment|wallet)\b|\bappend\b[^.\n]{0,40}\.md\b/gi;

const grave =
  /curl|wget|https?:|send|upload|post|transmit|forward|credential|password|api|\.env|\.ssh|conversation|base64|harvest|collect|gather|transfer|payment|wallet|append/i;
const refused = /\b(?:never|do(?:n['’]t| not)|avoid|must not|without)\b[^.\n]{0,60}$/i;

/** Reports secrecy towards the user; it is serious with an act nearby. */
export const concealment: ScanRule = {
  id: 'SCN802',
  name: 'concealment',
  category: 'prompt-injection',
  severity: 'medium',
  summary: 'Tells the agent to keep something from the user.',
  reason: 'An honest skill has no need to hide what it does.',
  help: 'Read what the skill wants to keep from you.',
  isAboutWords: true,
  *check(subject) {
    for (const match of subject.matches(hides)) {
      if (match.file.kind !== 'instructions' && match.layer.via === undefined) continue;
      if (match.zone === 'code' || match.zone === 'shell') continue;
      const mild =
        /\b(?:fail(?:s|ed|ing)? silently|silently (?:fail|ignore|skip|drop|swallow|truncat|overwrit|discard|break|return|corrupt|chang|accept|convert|coerc)|silently handle|errors? silently)/i.test(
          match.layer.text.slice(Math.max(0, match.index - 20), match.index + match.text.length + 20),
        );
      if (mild) continue;
      const personal =
        /\b(?:user|users|anyone|human|operator)\b|secretly|covertly|surreptitiously|stealthily|conceal|hide/i.test(
          match.text,
        );
      // The negation is part of the match, so only the text before it can describe it.
      const weight = subject.weigh(match);
      if (actsNear(match))
        yield {
          message: 'tells the agent to do something without telling the user',
          match,
          severity: 'high',
          confidence: personal ? weight : weight * 0.6,
        };
      else if (personal)
        yield {
          message: 'tells the agent to keep something from the user',
          match,
          severity: 'medium',
          confidence: weight * 0.5,
        };
    }
  },
};

/** Whether an act that matters is within two lines of a place. */
function actsNear({ layer: { text }, index, text: own }: Match): boolean {
  let from = index;
  let to = index;
  for (let lines = 0; lines <= 2; lines++) {
    from = text.lastIndexOf('\n', from - 1);
    if (from < 0) break;
  }
  for (let lines = 0; lines <= 2; lines++) {
    to = text.indexOf('\n', to + 1);
    if (to < 0) break;
  }
  const start = Math.max(0, from, index - 600);
  const end = Math.min(to < 0 ? text.length : to, index + own.length + 800);
  // The words that hide something do not negate the act.
  const part = `${text.slice(start, index)}. ${text.slice(Math.min(end, index + own.length), end)}`;
  for (const act of [...part.matchAll(acts), ...own.matchAll(acts)]) {
    const before = act.input === own ? '' : part.slice(Math.max(0, act.index - 60), act.index);
    if (!refused.test(before) && grave.test(act[0])) return true;
  }
  return false;
}
