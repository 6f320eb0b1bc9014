// SKL108 and SKL116: a description is the author's own, and says when to use the skill.

import { isTemplateDescription } from '../../author/index.ts';
import { defineRule } from '../rule.ts';

/** Reports a description that does not say when to use the skill. */
export const descriptionTriggers = defineRule({
  id: 'SKL108',
  name: 'description-triggers',
  severity: 'warning',
  summary: 'The `description` or `when_to_use` says when to use the skill, in one of the usual phrases.',
  check(skill) {
    const { description, when_to_use: occasion } = skill.frontmatter;
    if (typeof description !== 'string' || description.trim() === '') return [];
    if (typeof occasion === 'string' && occasion.trim() !== '') return [];
    if (namesOccasion(description)) return [];
    const help = "add a sentence with 'Use when …', 'Use for …' or 'Triggers on …'";
    const line = skill.lineOf('description');
    return [{ message: 'description does not say when to use the skill', help, line }];
  },
});

/** Reports the description that `skc init` wrote: agents choose a skill by it. */
export const templateText = defineRule({
  id: 'SKL116',
  name: 'template-text',
  severity: 'warning',
  summary: 'The `description` is not the one of the template.',
  check(skill) {
    const { description } = skill.frontmatter;
    if (typeof description !== 'string' || !isTemplateDescription(description)) return [];
    const help = 'say in one sentence what the skill does and when to use it; agents choose it by that';
    return [{ message: "description is still the template's", help, line: skill.lineOf('description') }];
  },
});

/** Word boundary on both sides. */
const START = '(?<![\\p{L}\\p{N}])';
const END = '(?![\\p{L}\\p{N}])';

/** Names an author uses for the skill: "this", "it", "the pdf skill". */
const SKILL = '(?:\\s+(?:this|it|the|these|that)(?:\\s+[\\w-]+){0,3}?)?';
const ADVERBS =
  '(?:\\s+(?:proactively|automatically|only|also|always|immediately|directly|especially|primarily|mainly|specifically|exclusively|instead))*';
const TIME =
  '(?:when|whenever|if|before|after|while|during|once|upon|anytime|any\\s+time|every\\s+time|as\\s+soon\\s+as|where|wherever|in\\s+case)';
const PEOPLE = '(?:you|users?|the\\s+users?|a\\s+user|someone|anyone|developers?|the\\s+\\w+|they)';

const ENGLISH: readonly string[] = [
  // "Use when", "use this skill whenever", "apply it before", "should be invoked if".
  `(?:use|used|apply|applied|applies|invoke|invoked|activate|activates|activated|trigger|triggers|triggered|consult|consulted|load|loaded|employ|engage|run)${SKILL}${ADVERBS}[,:]?\\s+${TIME}`,
  `(?:use|apply|invoke|activate|trigger|triggers|consult|employ)${SKILL}${ADVERBS}\\s+(?:for|on|in)`,
  // "Use this skill to", "use it with": the skill must be named, because "use X to" is an ordinary instruction.
  'use\\s+(?:this|it|this\\s+skill|the\\s+skill)\\s+(?:to|as|with|by)',
  // "Use to evaluate …" at the start of a sentence.
  '(?<=^\\s*|[.!?:]\\s+)use\\s+to',
  '(?:should|must|can|to|is|be|best|skill)\\s+(?:be\\s+)?used\\s+(?:for|to|in|as|by|with)',
  'use\\s+(?:[^\\s.]+\\s+){1,3}(?:when|whenever|if)',
  '(?:use|used|invoke|invoked|activate|run|call)\\s+(?:this\\s+|it\\s+)?(?:via|with|by|through)\\s+[/$`"\']',
  'proactively',
  'whenever',
  'when(?:\\s+not)?\\s+to\\s+(?:use|apply|invoke|activate|load)',
  // "When the user asks", "when working with", "when asked".
  `when\\s+${PEOPLE}`,
  'when\\s+(?:\\w+ly\\s+)?(?:\\w{2,}ing|asked|needed|needing|required|requested|prompted|invoked|there|an?)',
  'if\\s+(?:you|the\\s+user|a\\s+user|users|someone|asked)',
  // "The user wants to", "users who need".
  '(?:user|users|user\\s+who|users\\s+who|someone)\\s+(?:\\w+\\s+){0,2}?(?:asks?|wants?|says?|mentions?|requests?|needs?|provides?|shares?|uploads?|types?|describes?)',
  // "Ideal for", "useful when".
  '(?:ideal|perfect|best|great|useful|helpful|suitable|recommended|intended|appropriate|handy|good|essential|required)\\s+(?:for|when|if|in|before|during)',
  // "Triggers on", "trigger phrases include", "keywords:", "activates for".
  '(?:triggers?|triggered|activates?|activated|activation|keywords?|invocation|invoked)(?:\\s+(?:phrases?|words?|keywords?|terms?|conditions?|patterns?|include|includes))*\\s*(?::|–|—|-\\s|\\bon\\b|\\bby\\b|\\bwith\\b|\\binclude)',
  '(?:use\\s+cases?|usage|scenarios?|occasions?)\\s*:',
];

const OTHERS: readonly string[] = [
  // Spanish, Portuguese, Italian
  'cuando',
  'quando',
  '(?:usar|use|utilizar|utilice|utilize|úsal[oa]|usalo|usala)\\s+(?:para|en|per)',
  // French
  'quand',
  'lorsque',
  "lorsqu['’]\\p{L}+",
  'utilise[rz]?\\s+(?:pour|lors|ce|cette)',
  // German, Dutch
  'wenn',
  'falls',
  'sobald',
  'wanneer',
  '(?:verwenden|nutzen|einsetzen|verwende|nutze)\\s+(?:für|bei|zum|zur)',
  // Russian, Ukrainian
  'когда',
  'коли',
  'если',
  'используй\\p{L}*\\s+(?:для|при)',
  // Polish, Turkish, Vietnamese, Indonesian
  'gdy',
  'kiedy',
  '\\p{L}+(?:dığında|diğinde|duğunda|düğünde|tığında|tiğinde)',
  'sử\\s+dụng\\s+(?:khi|cho)',
  'dùng\\s+khi',
  'ketika',
];

/** Scripts without spaces between words. */
const UNSPACED: readonly string[] = [
  // Chinese
  '当.{1,200}?时',
  '當.{1,200}?時',
  '时(?:候)?(?:使用|触发|调用|激活|启用|加载|，|,|。|;|；)',
  '時(?:候)?(?:使用|觸發|調用|啟用|，|。)',
  '(?:适用|適用|用)于|適用於|用於|适合|適合',
  '触发|觸發|使用场景|使用場景|何时使用|何時使用|如果用户|若用户',
  // Japanese
  '(?:とき|時|際|場合)(?:に|は|、|など)',
  'トリガー|に使(?:う|用|い)',
  // Korean
  '(?:할|될|필요할|요청할|원할)\\s*때|경우에?|트리거',
  // Arabic, Hindi, Thai
  'عندما|عند\\s',
  'जब\\s',
  'เมื่อ',
];

const PHRASE = new RegExp(
  `${START}(?:${[...ENGLISH, ...OTHERS].join('|')})${END}|${UNSPACED.join('|')}|${START}(?:triggers?|keywords?|use\\s+cases?)\\s*[:：]`,
  'iu',
);

/** Punctuation allowed inside a phrase: emphasis, quotes, brackets. */
const DECORATION = /[*_"“”]+/g;

/** The most common phrase, to spare most texts the long pattern. */
const USE_WHEN = /\b[Uu]se (?:this skill |this |it )?when(?:ever)? /;

/** Whether a text says when to use the skill. */
function namesOccasion(text: string): boolean {
  return USE_WHEN.test(text) || PHRASE.test(text) || PHRASE.test(text.replace(DECORATION, ' '));
}
