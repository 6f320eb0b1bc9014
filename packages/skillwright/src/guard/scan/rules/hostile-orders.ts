// SCN807: orders to the agent against the user.

import { Match } from '../match.ts';
import { defineProbe } from '../probe.ts';
import { hasRemoteCommand, type Order, type OrderAct, readOrders } from '../read-orders.ts';
import type { ScanRule } from '../scan-rule.ts';
import type { ScanSubject } from '../scan-subject.ts';

/** Web and mail addresses: a skill is about the service that it names often. */
const addresses = defineProbe(
  /\b(?:https?|wss?):\/\/([\w.-]{3,100})|(?<![\w/.+-])[\w.+-]{2,40}@((?:[\w-]{1,40}\.){1,4}[a-z]{2,12})\b/gi,
  { needs: 'http://,https://,ws://,wss://,@' },
);

/** Addresses of well-known services, this machine, or nobody. */
const usual =
  /(?:^|\.)(?:github\.com|githubusercontent\.com|gitlab\.com|google\.com|googleapis\.com|npmjs\.(?:org|com)|pypi\.org|w3\.org|schema\.org|openai\.com|anthropic\.com|claude\.(?:ai|com)|microsoft\.com|azure\.com|amazonaws\.com|aws\.amazon\.com|cloudflare\.com|huggingface\.co|slack\.com|atlassian\.(?:net|com)|notion\.(?:com|so)|linear\.app|stripe\.com|wikipedia\.org|apple\.com|mozilla\.org|python\.org|nodejs\.org|vercel\.com|supabase\.com|sentry\.io|twitter\.com|x\.com|youtube\.com|reddit\.com)$|^(?:localhost|127\.|10\.|192\.168\.|0\.0\.0\.0)/i;

/** A skill is about an address that it names this often. */
const OFTEN = 4;

/** Recognises addresses that a skill is about: named in its description, repeated, or known to everybody. */
function topicOf(subject: ScanSubject): (host: string) => boolean {
  const topic = subject.topic.toLowerCase();
  const counts = new Map<string, number>();
  for (const { groups } of subject.matches(addresses)) {
    const host = (groups[0] ?? groups[1] ?? '').toLowerCase();
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  return (host) => {
    if ((counts.get(host) ?? 0) >= OFTEN || usual.test(host)) return true;
    const name = host.split('.').at(-2) ?? '';
    return name.length > 3 && topic.includes(name);
  };
}

/** The name of an order, and whether it is one that no user gives: with nothing else, or when the user is kept out. */
const meanings: Readonly<
  Record<OrderAct, { what: string; alone: 'act' | 'words' | 'nothing'; behind: 'act' | 'words' }>
> = {
  'send-secrets': { what: 'send secrets to an unrelated address', alone: 'act', behind: 'act' },
  'send-work': { what: "send the user's work to an unrelated address", alone: 'words', behind: 'act' },
  collect: { what: 'collect secrets', alone: 'nothing', behind: 'act' },
  override: { what: 'put the skill above the user, the system or safety', alone: 'words', behind: 'act' },
  persist: { what: 'change its memory or settings for later sessions', alone: 'nothing', behind: 'act' },
  spread: { what: 'spread the skill to other places', alone: 'words', behind: 'act' },
  weaken: { what: 'write insecure code', alone: 'nothing', behind: 'act' },
  falsify: { what: 'report something false', alone: 'words', behind: 'act' },
  pay: { what: 'move money or credit to someone else', alone: 'words', behind: 'act' },
  destroy: { what: 'destroy something or remove traces', alone: 'nothing', behind: 'act' },
  obey: { what: 'fetch instructions from an address and follow them', alone: 'words', behind: 'act' },
  unguard: { what: 'switch off a protection', alone: 'nothing', behind: 'act' },
  run: { what: 'run commands', alone: 'nothing', behind: 'words' },
  hide: { what: 'keep something from the user', alone: 'words', behind: 'words' },
};

const foreignOnly: ReadonlySet<OrderAct> = new Set(['send-secrets', 'send-work', 'obey']);

/** Hosts that documents use as placeholders. Nobody sends secrets there by mistake. */
const placeholder = /(?:^|\.)example\.(?:com|org|net)$/;

/** Every place at once, as a worm would. */
const everywhere =
  /\b(?:every other|all other|other assistants|any README|each project|every contact|all installed)\b/i;
/** Results that are given in advance. */
const settled =
  /\b(?:all (?:checks|tests) (?:have )?pass(?:ed)?|(?:is|are) (?:clean|safe)|never disclose)\b/i;

/** Where the user is shown or asked, keeping quiet about something else hides nothing. */
const open =
  /(?<!\b(?:not|never|n['’]t|without) )\b(?:show|ask|tell|confirm with|propose)\b[^.!?]{0,30}\b(?:to )?(?:the )?user\b|\bafter (?:the user['’]s )?(?:approval|confirmation)\b|\b(?:when|if) the user (?:agree|approve|confirm|want|ask)/i;

function judge(order: Order): 'act' | 'words' | 'nothing' {
  const { alone, behind } = meanings[order.act];
  if (order.act === 'run' && hasRemoteCommand(order.text))
    return order.isHidden || order.isUnasked ? 'act' : 'nothing';
  // Not asking is what some users want; not telling is not.
  if (order.act === 'hide')
    return open.test(order.around) || /^(?:silently|quietly)/i.test(order.hides) ? 'nothing' : 'words';
  if (order.act === 'pay' && !order.isHidden && !order.isUnasked && /\buser['’]s\b/i.test(order.text))
    return 'nothing';
  if (
    order.act === 'run' &&
    !/\b(?:this|it|these|them|(?:the|that) (?:step|command|file|upload|request|call|rule))\b/i.test(
      order.hides,
    )
  )
    return 'nothing';
  if (order.act === 'persist' && open.test(order.around)) return 'nothing';
  if (order.act === 'persist' && hasRemoteCommand(order.text)) return 'act';
  if (order.act === 'weaken' && /\b(?:back ?door|hidden|any account)\b/i.test(order.text))
    return order.isHidden ? 'act' : 'words';
  if (order.act === 'collect' && !order.isHidden) return 'nothing';
  if (order.act === 'spread' && everywhere.test(order.text)) return 'act';
  if (order.act === 'falsify' && !order.isHidden) return settled.test(order.text) ? 'words' : 'nothing';
  return order.isHidden || order.isUnasked ? behind : alone;
}

/** Reports orders to the agent. */
export const hostileOrders: ScanRule = {
  id: 'SCN807',
  name: 'hostile-orders',
  category: 'prompt-injection',
  severity: 'high',
  summary:
    'Orders the agent to do something it should not do on its own: send, hide, override, persist, spread or destroy.',
  reason: 'The agent follows the order with the rights of the user, who never gave it.',
  help: 'Read the sentence. Use the skill only if you would give the agent this instruction.',
  *check(subject) {
    let isAbout: ((host: string) => boolean) | undefined;
    let before: Order | undefined;
    for (const order of readOrders(subject)) {
      const { act, host, layer, index, text, isHidden, isUnasked, file } = order;
      isAbout ??= topicOf(subject);
      if (foreignOnly.has(act) && (host === undefined || isAbout(host))) continue;
      if (act !== 'send-secrets' && host !== undefined && placeholder.test(host)) continue;
      const isInsisting = act === 'override' && before?.act === 'override' && index - before.index < 400;
      // The same words hide the order before them.
      const isKnown = act === 'hide' && before?.isHidden === true && index - before.index < 400;
      if (isKnown) continue;
      before = order;
      const meaning = isInsisting ? 'act' : judge(order);
      if (meaning === 'nothing') continue;
      const match = new Match({ file, layer }, { index, text: text.slice(0, 200), groups: [] });
      if (match.zone === 'code' || match.zone === 'shell' || match.zone === 'frontmatter') continue;
      const behind =
        act === 'hide'
          ? ''
          : isHidden
            ? ' without telling the user'
            : isUnasked
              ? ' without asking the user'
              : '';
      yield {
        message: `tells the agent to ${meanings[act].what}${behind}`,
        match,
        excerpt: text.trim().slice(0, 200),
        isAct: meaning === 'act' || match.isUnseen,
        confidence: subject.weighOrder(match),
      };
    }
  },
};
