// English words that occur in every request and say little about it. Not stop words: a skill about
// "questions" or "today" can be found by them. They weigh less, above all in small catalogs, where rarity says nothing.

import { analyzeRun, type Tokenizer } from './analyze-text.ts';

const words = `
able accurate achieve actual add additional adjust advanced affect again against ago agree ahead allow almost alone
along already although always amazing among amount another anyone anything appear apply appreciate approach
appropriate around arrange ask aspect assist assistance attend attention available aware away back bad basic become
begin behind believe below best better beyond big bit brief bring broad bunch busy capable care careful cause certain
choose clear close combine come common complete complex comprehensive concern concise consider constant contain
continue convenient cool correct could couple crucial curious current daily decide deep definite depend describe
desire despite detail detailed determine difference different difficult direct distinct down due each early ease
easily easy effective efficient effort either else enable encounter engage enhance enjoy enough ensure entire
especially essential etc even ever every everyone everything exact example excellent except excited exciting exist
expand expect experience explain extensive extra extreme face fail fair familiar far fast favorite feel few final find
fine first fit follow forget forward free frequent friend friendly frustrated full fun further gain gather general get
give glad go goal good great greetings guess half happen happy hard hear hello help hey hi high hope huge idea
immediate impact important include increase incredible indeed info information inside insight insightful instead
intend interested interesting involve keep kind kindly know lack large last late latest leave less let life like
likely little ll long look lot love low main maintain major make manner many maximum maybe mean meet mention might
mind minimum miss moment much must near necessary need never new next nice none normal nothing notice now numerous
obtain obvious occur offer often oh ok okay old opportunity original otherwise outside overall pair particular past
perfect perhaps personalized please plenty popular possible potential powerful practical prefer preference pretty
prevent previous proceed proper provide purpose put quick quite rather re reach ready real realize really receive
recent recommend refer regard relate relevant reliable remain remember right say see seek seem sense separate serious
several short show significant similar simple simply since single small solid something soon special specific specify
spend start stay still struggle stuff success suggest suit suitable suppose sure surprise take tell tend terrible
thank thanks thing think thorough though through throughout tired today together tonight toward trouble true try
ultimate unable understand unique unless upcoming use useful usual utilize valuable variety various vary vast ve very
vital want way well whole wide willing within without wonder wonderful worry worth would wow wrong yes yesterday yet
young
`;

const common = words.trim().split(/\s+/);

/** Terms of the common words by tokenizer and first two letters, which no stem changes. */
const known = new Map<string, ReadonlySet<string>>();

/** Whether a term is that of a common word. The list is analysed piece by piece: most processes read one query. */
export function isCommonTerm(term: string, tokenizer: Tokenizer = 'porter'): boolean {
  const beginning = term.slice(0, 2);
  const key = `${tokenizer} ${beginning}`;
  let terms = known.get(key);
  if (terms === undefined) {
    const alike = common.filter((word) => word.startsWith(beginning));
    terms = new Set(alike.map((word) => analyzeRun(word, tokenizer).words[0]?.term ?? word));
    known.set(key, terms);
  }
  return terms.has(term);
}
