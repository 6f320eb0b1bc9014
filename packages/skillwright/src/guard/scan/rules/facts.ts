// Rules about facts other than patterns: declared tools, odd files, invisible characters, names.

import { foldName, nameSkeleton } from '../../../skill/format/index.ts';
import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

/** SCN701: text in invisible characters. */
export const invisibleText: ScanRule = {
  id: 'SCN701',
  name: 'invisible-text',
  category: 'hidden-text',
  severity: 'high',
  summary:
    'Text in Unicode tag characters, runs of zero-width characters, or controls that reverse the writing direction.',
  reason:
    'A model reads text that people do not see, so a reviewer approves something else than the agent obeys.',
  help: 'Read what the characters say, and do not use the skill until they are removed.',
  *check(subject) {
    for (const file of subject.files) {
      const [bidi] = file.hidden.filter(({ kind }) => kind === 'bidi');
      const spelled = file.hidden.find(
        ({ kind, decoded, length }) =>
          (kind === 'tags' || kind === 'variation' || kind === 'zero-width') &&
          ((decoded?.length ?? 0) >= 4 || (kind === 'tags' && length >= 4) || length >= 16),
      );
      const lineOf = (index: number) => file.original.slice(0, index).split('\n').length;
      if (spelled !== undefined) {
        const says = spelled.decoded === undefined ? '' : ` that say: ${spelled.decoded.slice(0, 120)}`;
        yield {
          message: `${spelled.length} invisible characters`,
          file: file.path,
          line: lineOf(spelled.index),
          excerpt: `${spelled.length} invisible characters${says}`,
          severity: spelled.decoded === undefined ? 'high' : 'critical',
          confidence: spelled.decoded === undefined ? 'medium' : 'high',
        };
        continue;
      }
      const splits = file.hidden.filter(({ kind }) => kind === 'zero-width');
      if (splits.length >= 3)
        yield {
          message: `${splits.length} words split by invisible characters`,
          file: file.path,
          line: lineOf(splits[0]!.index),
          severity: 'medium',
          confidence: 'medium',
        };
      if (bidi === undefined) continue;
      const rightToLeft = /[\u0590-\u08ff]/.test(file.original);
      if (!rightToLeft)
        yield {
          message: 'a control character reverses the writing direction',
          file: file.path,
          line: lineOf(bidi.index),
          severity: file.kind === 'script' ? 'high' : 'medium',
          confidence: 'medium',
        };
    }
  },
};

const anything = /^(?:\*|all|Bash\(\s?\*(?::\*)?\s?\)|Bash\(\*\s\*\)|mcp__\*)$/i;
const nearly = /^Bash\((?:sudo|rm|curl|wget|sh|bash|eval|nc|ssh|python3?|node|sh -c|bash -c)\b[\s:]?\*?\)$/i;

/** SCN901: entries in `allowed-tools` that allow every command. */
export const broadTools: ScanRule = {
  id: 'SCN901',
  name: 'broad-tools',
  category: 'permissions',
  severity: 'low',
  summary: '`allowed-tools` allows every tool, or every shell command.',
  reason: 'The agent no longer asks before it uses an allowed tool.',
  help: 'Allow the commands the skill needs, as in `Bash(git status:*)`.',
  *check(subject) {
    const given = subject.data['allowed-tools'];
    const text = Array.isArray(given) ? given.map(String).join('\n') : typeof given === 'string' ? given : '';
    const rules = text.match(/\w+\([^)]{0,200}\)|[^\s,]+/g) ?? [];
    const wide = rules.find((rule) => anything.test(rule));
    if (wide !== undefined)
      yield {
        message: `allowed-tools allows everything: ${wide}`,
        severity: 'low',
        confidence: 'high',
        excerpt: wide,
        line: 1,
      };
    const risky = rules.find((rule) => nearly.test(rule) && /sudo|rm|eval|nc|curl|wget/.test(rule));
    if (wide === undefined && risky !== undefined)
      yield {
        message: `allowed-tools allows a command that can do anything: ${risky}`,
        severity: 'low',
        confidence: 'medium',
        excerpt: risky,
        line: 1,
      };
  },
};

const words = (text: string): readonly string[] => text.split(' ');

/** Vendors and tools whose names are worth imitating. */
const famousNames = words(
  'anthropic claude-code openai openclaw clawhub clawdbot moltbot polymarket metamask phantom-wallet coinbase binance github playwright puppeteer superpowers skill-creator frontend-design webapp-testing mcp-builder agent-browser kubernetes terraform cloudflare supabase vercel-deploy solana ethereum',
);

/** Packages that are installed most, and therefore imitated most. */
const packages = words(
  'requests urllib3 numpy pandas python-dateutil cryptography setuptools beautifulsoup4 colorama tensorflow matplotlib openai anthropic langchain selenium playwright puppeteer express lodash react axios chalk commander typescript cross-env node-fetch dotenv mongoose electron discord.js web3 ethers solana-web3 boto3 pyyaml pillow scikit-learn flask django fastapi pydantic nodemailer webpack eslint prettier',
);

const installs = defineProbe(
  /\b(?:pip3? install|uv (?:pip install|add)|npm (?:install|i)|yarn add|pnpm add|bun add|npx(?: -y)?|uvx)\s{1,3}((?:-{1,2}[\w-]{1,20}(?:=\S{1,40})?\s{1,3}){0,4}[@\w./-]{2,60}(?:\s{1,3}[@\w./-]{2,60}){0,8})/gi,
  { needs: 'bun add,npm i,npx,pip install,pip3 install,pnpm add,uv add,uvx,yarn add', reach: 900 },
);

/** SCN911: names that differ from a famous one by a letter or a look-alike character. */
export const lookAlikeName: ScanRule = {
  id: 'SCN911',
  name: 'look-alike-name',
  category: 'typosquat',
  severity: 'medium',
  summary: 'The name of the skill, or of a package it installs, is a famous name with a letter changed.',
  reason: 'Such names wait for people who mistype or do not look twice.',
  help: 'Compare the name with the one you wanted.',
  *check(subject) {
    for (const given of new Set([subject.name, subject.directoryName])) {
      const plain = foldName(given.normalize('NFKC'));
      const famous = famousNames.find((known) => plain !== known && isClose(plain, known));
      if (famous !== undefined)
        yield {
          message: `the name ${given} looks like ${famous}`,
          excerpt: given,
          line: 1,
          severity: 'medium',
          confidence: 'medium',
        };
      else if (/[^\x00-\x7f]/.test(given) && /[a-z]{3}/i.test(given)) {
        yield {
          message: `the name ${given} mixes alphabets`,
          excerpt: given,
          line: 1,
          severity: 'medium',
          confidence: 'medium',
        };
      }
    }
    for (const match of subject.matches(installs)) {
      const words = (match.groups[0] ?? '').split(/\s+/).filter((word) => !word.startsWith('-'));
      for (const word of words) {
        const name = word.replace(/[=<>~[@].*$/, '').toLowerCase();
        if (packages.includes(name)) continue;
        const famous = famousPackage(name);
        if (famous === undefined) continue;
        yield {
          message: `the package ${name} looks like ${famous}`,
          match,
          excerpt: word,
          severity: 'medium',
          confidence: subject.weigh(match),
        };
        break;
      }
    }
  },
};

const known = new Map<string, string | undefined>();

/** The package a name is easily mistaken for; cached, because the same few names recur. */
function famousPackage(name: string): string | undefined {
  if (known.has(name)) return known.get(name);
  const famous = packages.find((other) => isClose(name, other));
  if (known.size < 10_000) known.set(name, famous);
  return famous;
}

/** A slip of the fingers or of the eye: a letter left out, doubled or swapped with the next, or one that looks like another. */
function isClose(name: string, known: string): boolean {
  if (name.length < 5 || name === known) return false;
  const lost = (long: string, short: string, at: number): boolean =>
    long.slice(0, at) + long.slice(at + 1) === short;
  for (let at = 1; at < known.length; at++) {
    const isLast = at === known.length - 1;
    if (!isLast && lost(known, name, at)) return true;
    if (known[at] !== known[at - 1] && name[at] === known[at - 1] && lost(name, known, at)) return true;
    if (name === known.slice(0, at - 1) + known[at] + known[at - 1] + known.slice(at + 1)) return true;
  }
  return Math.abs(name.length - known.length) < 3 && nameSkeleton(name) === nameSkeleton(known);
}

/** SCN931: links that lead out, programs without source, files whose names are misleading, and repositories. */
export const oddFile: ScanRule = {
  id: 'SCN931',
  name: 'odd-file',
  category: 'files',
  severity: 'low',
  summary:
    'A link leads out of the skill, the skill contains a compiled program or a repository, or a file is not what its name says.',
  reason:
    'Links expose files of the machine, no one can review a file they cannot read, and git runs what a repository names.',
  help: 'Remove the file, or find out what it is and who made it.',
  *check(subject) {
    for (const { path, kind, what } of subject.odd) {
      const grave =
        kind === 'disguised' ||
        kind === 'repository' ||
        (kind === 'escape' && /(?:\.ssh|\.aws|\/etc\/(?:passwd|shadow)|\.env|credentials)/.test(what));
      yield {
        message: what,
        file: path,
        severity: grave ? 'high' : kind === 'special' ? 'low' : 'medium',
        confidence: grave || kind === 'locked' || kind === 'nul' ? 'high' : 'medium',
      };
    }
  },
};
