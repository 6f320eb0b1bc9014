// Reads sentences for orders to the agent: an imperative, an act, and something it should not do on its own.

import { occursIn } from '../probe.ts';
import { personalStores } from '../probes/secret-sources.ts';
import type { Layer, ScanFile } from '../scan-file.ts';
import type { ScanSubject } from '../scan-subject.ts';
import { type Sentence, sentencesNear } from './passages.ts';
import * as words from './wording.ts';

/** `act`: danger. `words`: caution. */
type Meaning = 'act' | 'words' | 'nothing';

/** One order that means something. */
export interface Order {
  readonly what: string;
  readonly isAct: boolean;
  /** Keeps the user from knowing. */
  readonly isHidden: boolean;
  /** Keeps the user from deciding. */
  readonly isUnasked: boolean;
  readonly file: ScanFile;
  readonly layer: Layer;
  readonly index: number;
  readonly text: string;
}

/** A sentence with what decides about it. */
type Reading = ReturnType<typeof readingOf>;

/** An act: its verbs, what they are about, and whether it is one that no user gives. */
interface ActRow {
  readonly name: string;
  readonly what: string;
  /** None: any sentence. */
  readonly ordered?: words.Ordering;
  readonly about: RegExp | ((reading: Reading) => boolean);
  /** Its meaning with nothing else. */
  readonly alone: Meaning;
  /** Its meaning when the user is kept out. */
  readonly behind: Meaning;
  /** Instead of these two. */
  readonly judge?: (reading: Reading) => Meaning;
}

const { ordering } = words;
const anything = /[\s\S]/;
const work = {
  name: 'send-work',
  what: "send the user's work to an unrelated address",
  alone: 'words',
  behind: 'act',
  // A copy for the service that the skill is about is its purpose, unless the user may not know.
  judge: ({ isOwn, isHidden, isBehind }: Reading): Meaning =>
    isOwn ? (isHidden ? 'words' : 'nothing') : isBehind ? 'act' : 'words',
} as const;

/** Of several acts in one sentence, the gravest decides. */
const acts: readonly ActRow[] = [
  {
    name: 'send-secrets',
    what: 'send secrets to an unrelated address',
    ordered: words.sends,
    about: ({ goesOut, written }) => goesOut && words.secrets.test(written),
    alone: 'act',
    behind: 'act',
    judge: ({ isOwn, written, isBehind }) =>
      isOwn && !isBehind && words.plainKey.test(written) ? 'nothing' : 'act',
  },
  {
    ...work,
    ordered: words.sends,
    about: ({ goesOut, written }) => goesOut && words.work.test(written.replace(words.address, '')),
  },
  { ...work, ordered: { verbs: new Set(), also: words.uploads }, about: ({ goesOut }) => goesOut },
  {
    name: 'collect',
    what: 'collect secrets',
    ordered: ordering(
      'read search collect gather scan harvest find look take capture dump extract retrieve list inspect summarise summarize grab open cat locate enumerate obtain copy steal print reveal',
    ),
    about: ({ written }) => words.secrets.test(written) || occursIn(personalStores, written),
    alone: 'nothing',
    behind: 'act',
    judge: ({ written, goesOut, isOwn, isHidden, isAbove }) =>
      (goesOut && !isOwn) || isHidden || isAbove
        ? 'act'
        : occursIn(personalStores, written)
          ? 'words'
          : /\b(?:write|commit|copy|save|put|paste)\b[^.!?]{0,20}\b(?:them|it)\b/i.test(written)
            ? 'words'
            : 'nothing',
  },
  {
    name: 'phish',
    what: 'ask the user for codes and numbers that nobody may ask for',
    ordered: ordering('ask request prompt get obtain collect demand have'),
    about: words.codes,
    alone: 'words',
    behind: 'act',
    judge: ({ around, goesOut, isOwn, isBehind }) =>
      isBehind || (goesOut && !isOwn) || words.pretext.test(around) ? 'act' : 'words',
  },
  {
    name: 'keep',
    what: "keep the user's card, passport or keys",
    ordered: ordering('store save keep record write log'),
    about: ({ written }) => words.personal.test(written) || words.foundSecrets.test(written),
    alone: 'words',
    behind: 'act',
  },
  {
    name: 'persist',
    what: 'change its memory or settings for later sessions',
    ordered: ordering(
      'append add write save store insert edit modify put remember record update replace overwrite set create persist prepend inject register memorise memorize merge paste',
    ),
    about: words.lasting,
    alone: 'nothing',
    behind: 'act',
    judge: ({ isOpen, written, around, isBehind, goesOut, isOwn }) =>
      isOpen
        ? 'nothing'
        : isBehind ||
            words.remoteCommand.test(written) ||
            (goesOut && !isOwn && words.obedience.test(written))
          ? 'act'
          : words.everyTool.test(around)
            ? 'words'
            : 'nothing',
  },
  {
    name: 'spread',
    what: 'spread the skill to other places',
    ordered: ordering(
      'copy insert include add replicate paste embed place install send put repeat propagate spread prepend append weave',
    ),
    about: ({ written }) => words.itself.test(written) && words.elsewhere.test(written),
    alone: 'words',
    behind: 'act',
    judge: ({ written, isBehind }) => (isBehind || words.everywhere.test(written) ? 'act' : 'words'),
  },
  {
    name: 'pay',
    what: 'move money or credit to someone else',
    ordered: ordering(
      'replace use send transfer move change add approve swap substitute insert sweep route redirect pay',
      /\bgo(?:es)? (?:to|through|via)\b/i,
    ),
    about: ({ written }) => words.namesMoney(written),
    alone: 'words',
    behind: 'act',
    judge: ({ isHidden, isUnasked, isBehind, written }) =>
      !isHidden && !isUnasked && /\buser['’]s\b/i.test(written) ? 'nothing' : isBehind ? 'act' : 'words',
  },
  {
    name: 'weaken',
    what: 'write insecure code',
    ordered: ordering(
      'accept add insert include disable weaken remove skip omit seed create plant introduce leave generate hard-code hardcode use allow make set grant commit run pass turn start open approve',
    ),
    about: ({ written }) =>
      (words.weakness.test(written) && !words.remoteCommand.test(written)) ||
      words.carelessness.test(written),
    alone: 'nothing',
    behind: 'act',
    judge: ({ written, around, isHidden, isBehind, isOpen }) =>
      words.backdoor.test(written)
        ? isHidden || /\b(?:sudo|wheel|root)\b/i.test(written)
          ? 'act'
          : 'words'
        : isBehind && words.weakness.test(written)
          ? 'act'
          : !isOpen && words.carelessness.test(written) && words.excused.test(around)
            ? 'words'
            : 'nothing',
  },
  {
    name: 'obey',
    what: 'fetch instructions from an address and follow them',
    ordered: ordering(
      'fetch download retrieve load check ask read visit open get consult follow pull go query request run do execute',
      /\bat `?https?:/i,
    ),
    about: ({ written, host, around, isOwn }) =>
      words.untrustedText.test(around) ||
      (((host !== undefined && !isOwn) || /\b(?:dig|nslookup)\s/.test(written)) &&
        words.obedience.test(around)),
    alone: 'words',
    behind: 'act',
    judge: ({ isBehind, around }) => (isBehind || words.recurring.test(around) ? 'act' : 'words'),
  },
  {
    name: 'unguard',
    what: 'switch off a protection',
    ordered: ordering(
      'turn disable remove use accept switch deactivate add set start stop kill uninstall bypass exclude suppress delete pass answer consider treat restart rerun re-run commit',
    ),
    about: ({ written }) => words.guards.test(written.replace(words.unasking, '')),
    alone: 'nothing',
    behind: 'act',
    judge: ({ isBehind, isOpen, written }) =>
      isBehind ? 'act' : !isOpen && words.switchesOff.test(written) ? 'words' : 'nothing',
  },
  {
    name: 'destroy',
    what: 'destroy something or remove traces',
    ordered: ordering(
      'delete wipe erase remove overwrite destroy encrypt drop force-push purge truncate clear shred corrupt reset',
    ),
    about: words.goods,
    alone: 'nothing',
    behind: 'act',
    judge: ({ written, isOpen, isBehind }) =>
      isBehind || (!isOpen && words.forGood.test(written))
        ? 'act'
        : !isOpen && words.allGoods.test(written)
          ? 'words'
          : 'nothing',
  },
  {
    name: 'destroy',
    what: 'destroy something or remove traces',
    ordered: ordering('run execute use do start clean remove delete'),
    about: ({ around }) => words.wiping.test(around),
    alone: 'nothing',
    behind: 'act',
    judge: ({ isBehind, written }) =>
      isBehind || words.forGood.test(written) ? 'act' : /\bfind \//.test(written) ? 'words' : 'nothing',
  },
  {
    name: 'grant',
    what: 'give somebody else access',
    ordered: ordering('give grant add invite share assign make approve merge accept'),
    about: ({ written }) => words.access.test(written) && words.somebody.test(written),
    alone: 'words',
    behind: 'act',
  },
  {
    name: 'publish',
    what: 'make something private public',
    ordered: ordering('push publish make copy upload move'),
    about: words.publishes,
    alone: 'nothing',
    behind: 'act',
  },
  {
    name: 'cover',
    what: 'remove the traces of what was done',
    ordered: ordering('clear empty wipe delete truncate remove rotate shred purge run unset'),
    about: words.traces,
    alone: 'words',
    behind: 'act',
    judge: ({ written, isOpen, isBehind }) =>
      isBehind || /\byour traces\b/i.test(written) ? 'act' : isOpen ? 'nothing' : 'words',
  },
  {
    name: 'falsify',
    what: 'report something false',
    ordered: ordering(
      'report state pass claim say tell pretend present change drop omit leave approve put recommend favour favor rank show mark answer conclude',
    ),
    about: words.untruth,
    alone: 'words',
    behind: 'act',
    judge: ({ isHidden, written }) =>
      isHidden
        ? 'act'
        : words.settled.test(written) && !/^\s*if (?:all|no|every|there)\b/i.test(written)
          ? 'words'
          : 'nothing',
  },
  {
    name: 'invent',
    what: 'report something false',
    ordered: ordering(
      'invent fabricate make write add count let wrap insert cite reject present change lie leave',
    ),
    about: words.invented,
    alone: 'words',
    behind: 'act',
  },
  {
    name: 'run',
    what: 'run commands',
    ordered: ordering('run execute start launch call invoke carry trigger pipe source eval install'),
    about: ({ written }) => words.remoteCommand.test(written) || /`[^`]{4,}`/.test(written),
    alone: 'nothing',
    behind: 'act',
    judge: ({ written, around, isBehind }) =>
      words.remoteCommand.test(written)
        ? isBehind
          ? 'act'
          : 'nothing'
        : words.hidesCommand.test(hidingIn(around))
          ? 'words'
          : 'nothing',
  },
  {
    name: 'hide',
    what: 'keep something from the user',
    about: ({ written, around }) =>
      words.hiding.test(words.unquoted(written)) &&
      /\b(?:user|answer|review|summary|comments?|report|customer|anyone|nobody|them)\b/i.test(written) &&
      (words.changes.test(around) || /(?<!\b(?:never|not|n['’]t) )\bhid(?:e|den)\b/i.test(written)),
    alone: 'words',
    behind: 'words',
    judge: ({ isOpen, around }) =>
      isOpen || /^(?:silently|quietly)|\b(?:the|any) \w+ed (?!fact)\w+/i.test(hidingIn(around))
        ? 'nothing'
        : 'words',
  },
];
const override: ActRow = {
  name: 'override',
  what: 'put the skill above the user, the system or safety',
  about: anything,
  alone: 'words',
  behind: 'act',
  judge: ({ isHidden, isUnasked }) => (isHidden || isUnasked ? 'act' : 'words'),
};

/** Within these first letters, a sentence says who acts. */
const SUBJECT = 60;
/** How near two sentences about the same are. */
const NEAR = 400;

/** Every order in the instructions of a skill that means something. */
export function* readOrders(subject: ScanSubject): Generator<Order> {
  const isOwn = (host: string): boolean => subject.isAbout(host);
  for (const file of subject.files)
    for (const layer of file.layers) {
      if (layer.via === undefined && file.kind !== 'instructions' && file.kind !== 'config') continue;
      if (layer.via === 'notebook cells') continue;
      const near = subject.places(layer, words.leads);
      let before: { name: string; isHidden: boolean; index: number } | undefined;
      for (const sentence of sentencesNear(file, { layer, near })) {
        const { text, index } = sentence;
        const found = actIn(sentence, isOwn);
        if (found === undefined) continue;
        const { row, reading } = found;
        const { isHidden, isUnasked } = reading;
        const isNear = before !== undefined && index - before.index < NEAR;
        // The same words hide the order before them.
        if (row.name === 'hide' && isNear && before!.isHidden) continue;
        const isInsisting = row === override && isNear && before!.name === 'override';
        before = { name: row.name, isHidden, index };
        const meaning = isInsisting ? 'act' : found.meaning;
        if (meaning === 'nothing') continue;
        const { what } = row;
        yield { what, isAct: meaning === 'act', isHidden, isUnasked, file, layer, index, text };
      }
    }
}

/** Reads a sentence for its target, and for what is around it when that matters. */
function readingOf(
  { written, around }: { written: string; around: string },
  isOwnHost: (host: string) => boolean,
) {
  const found = words.address.exec(written);
  const host = found
    ?.slice(1)
    .find((one) => one !== undefined)
    ?.toLowerCase()
    .replace(/\.+$/, '');
  return {
    written,
    around,
    host,
    /** Whether that is where something goes, and not where a key or a page comes from. */
    goesOut: host !== undefined && isDestination(written, found!.index) && !isLogin(written),
    get isOwn(): boolean {
      return host === undefined || isOwnHost(host);
    },
    get isHidden(): boolean {
      return words.hiding.test(around);
    },
    get isUnasked(): boolean {
      return words.unasking.test(around);
    },
    get isAbove(): boolean {
      return words.overriding.test(around);
    },
    get isBehind(): boolean {
      return this.isHidden || this.isUnasked || this.isAbove;
    },
    /** Whether the user is shown or asked nearby. */
    get isOpen(): boolean {
      return words.open.test(around);
    },
  };
}

/** The act that a sentence orders. */
function actIn(
  { text: written, around }: Sentence,
  isOwn: (host: string) => boolean,
): { row: ActRow; reading: Reading; meaning: Meaning } | undefined {
  const imperatives = words.imperativesOf(written);
  if (imperatives[0]!.length < 12 || words.others.test(imperatives[0]!.slice(0, SUBJECT))) return undefined;
  // Most sentences order nothing.
  const open = words.unquoted(written);
  const isOverriding = words.overriding.test(open);
  // A prohibition orders nothing, unless it forbids saying something.
  const orders = imperatives.filter((text) => !words.negated.test(text));
  const verbs = words.verbsIn(orders);
  if (
    !isOverriding &&
    verbs.size === 0 &&
    !orders.some((text) => words.orderingOtherwise.test(text)) &&
    !words.privatePath.test(written) &&
    !words.hiding.test(open)
  )
    return undefined;
  const reading = readingOf({ written, around }, isOwn);
  const { host } = reading;
  const isOrdered = ({ ordered, about }: ActRow): boolean =>
    (ordered === undefined ||
      [...verbs].some((verb) => ordered.verbs.has(verb)) ||
      orders.some((text) => ordered.also?.test(text))) &&
    (about instanceof RegExp ? about.test(written) : about(reading));
  const judged = (row: ActRow) => ({
    row,
    reading,
    meaning: row.judge?.(reading) ?? (reading.isBehind ? row.behind : row.alone),
  });
  const ordered = acts.filter(isOrdered).map(judged);
  // In another language, a private place and an address in one sentence are an order to send it.
  const said = written.replace(/`[^`]*`|\S+:\/\/\S+/g, ' ');
  const isForeign =
    host !== undefined && !words.english.test(said) && /(?:\p{L}{2,}\s+){3}|[^\x00-\x7f]{4}/u.test(said);
  if (isForeign && words.privatePath.test(written) && !reading.isOwn)
    ordered.push({ row: acts[0]!, reading, meaning: 'act' });
  if (isOverriding) ordered.push(judged(override));
  return graver
    .map((grave) => ordered.find(({ meaning }) => meaning === grave))
    .find((one) => one !== undefined);
}

const graver: readonly Meaning[] = ['act', 'words', 'nothing'];

/** Whether a text that is written for agents turns them against the user, or to an address. */
export const givesOrders = (text: string): boolean =>
  words.overriding.test(text) ||
  words.unasking.test(text) ||
  words.hiding.test(text) ||
  words.remoteCommand.test(text) ||
  (words.address.test(text) && words.obedience.test(text));

/** The words that hide something, up to the end of their sentence. */
function hidingIn(text: string): string {
  const at = text.search(words.hiding);
  return at < 0 ? '' : text.slice(at, at + 120).split(/[.!?](?=\s|$)/, 1)[0]!;
}

/** Whether an address is where something goes, not where a key or a page comes from, or a link. */
const isDestination = (text: string, at: number): boolean =>
  /(?<!\b(?:go|goes|refer|navigate|head|browse|links?|redirects?|points?|connects?|access|set|defaults?|changed?|updated?|up|see|according) )\bto (?:the (?:URL|address|server|endpoint) )?\W{0,4}$/i.test(
    text.slice(0, at),
  ) ||
  (!/(?:^|\s)\[[^\]]{1,40}\]:\s*$/.test(text.slice(0, at)) &&
    !(
      /\]\($/.test(text.slice(0, at)) &&
      !/\b(?:to|at|with|into|via)\s\W{0,3}\[[^\]]*\]\($/i.test(text.slice(0, at))
    ) &&
    !/\b(?:from|(?<!\byou )see|visit|create|generate|obtain|sign up|register (?:at|on)|get (?:it|one|a|your|an)|documentation|dashboard|console|settings|open)\b[^.]{0,40}$/i.test(
      text.slice(Math.max(0, at - 70), at),
    ));

/** A key in a header of a request: it is for the service that is called. */
const isLogin = (text: string): boolean =>
  /\b(?:header|authorization|bearer|x-api-key|query parameter `?(?:api_?)?key)\b/i.test(text) &&
  words.plainKey.test(text);
