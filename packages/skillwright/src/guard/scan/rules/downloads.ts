// Rules about programs that are downloaded and started: by a command, or by the reader.

import { lineAround } from '../line-around.ts';
import { defineProbe, occursIn } from '../probe.ts';
import { dropSites, freeHosts, numericHosts } from '../probes/network-sinks.ts';
import type { ScanRule } from '../scan-rule.ts';

const piped = defineProbe(
  /\b(?:curl|wget|fetch)\b[^\n|;]{0,300}\|\s{0,3}(?:\\\n\s{0,8})?(?:sudo\s{1,3}(?:-\w{1,3}\s{1,3}){0,2})?(?:env\s[^\n|]{0,60})?(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k)?sh\b|\b(?:curl|wget)\b[^\n|;]{0,300}\|\s{0,3}(?:sudo\s{1,3})?(?:python[\d.]{0,4}|perl|ruby|node|php|osascript)\b(?!\s{1,3}-(?:m json|c|e))|(?<![\w-])(?:ba|z)?sh\s{1,3}(?:-c\s{1,3})?["']?(?:<\(|\$\(|`)\s{0,2}(?:curl|wget)\b[^\n]{0,240}|\b(?:eval|source|\.)\s{1,3}["']?(?:<\(|\$\(|`)\s{0,2}(?:curl|wget)\b[^\n]{0,240}|\b(?:iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\b[^\n|]{0,240}\|\s{0,3}(?:iex|Invoke-Expression)\b|\b(?:iex|Invoke-Expression)\b[\s(&]{0,6}[^\n]{0,60}(?:DownloadString|iwr|irm|Invoke-WebRequest)[^\n]{0,200}/gi,
  { needs: 'curl,fetch,iex,invoke-expressio,wget' },
);

/** Hosts of installers that many people use as documented, and of the forges that host them. */
const wellKnown =
  /\/\/(?:[\w-]{1,30}\.){0,2}(?:sh\.rustup\.rs|rustup\.rs|astral\.sh|bun\.sh|bun\.com|deno\.land|deno\.com|get\.docker\.com|brew\.sh|nvm-sh|nodesource\.com|pnpm\.io|yarnpkg\.com|install\.python-poetry\.org|python-poetry\.org|pyenv\.run|sdkman\.io|fly\.io|vercel\.com|netlify\.com|supabase\.com|railway\.(?:app|com)|render\.com|heroku\.com|helm\.sh|k3s\.io|k8s\.io|kubernetes\.io|tailscale\.com|ollama\.(?:com|ai)|claude\.ai|anthropic\.com|openai\.com|opencode\.ai|cursor\.com|gh\.io|github\.com|githubusercontent\.com|gitlab\.com|golang\.org|go\.dev|rvm\.io|nixos\.org|determinate\.systems|foundry\.paradigm\.xyz|solana\.com|anza\.xyz|risczero\.com|starkup\.dev|sui\.io|aptos\.dev|astro\.build|mise\.(?:run|jdx\.dev)|volta\.sh|starship\.rs|zoxide|atuin\.sh|just\.systems|wasmer\.io|wasmtime\.dev|fnm\.vercel\.app|convex\.dev|modal\.com|pulumi\.com|hashicorp\.com|terraform\.io|jetify\.com|devbox|dapr\.io|linkerd\.io|istio\.io|cilium\.io|okteto\.com|datadoghq\.com|newrelic\.com|sentry\.io|snyk\.io|semgrep\.(?:dev|com)|aquasecurity|anchore\.io|trufflesecurity|gitleaks|bazel\.build|cargo-binstall|cli\.(?:github|doppler)\.com|doppler\.com|1password\.com|cloudflare\.com|amazonaws\.com|aws\.amazon\.com|googleapis\.com|google\.com|microsoft\.com|aka\.ms|chocolatey\.org|get\.scoop\.sh|scoop\.sh|mozilla\.org|debian\.org|ubuntu\.com|launchpad\.net|docker\.com|apache\.org|elastic\.co|grafana\.com|prometheus\.io|influxdata\.com|cockroachlabs\.com|planetscale\.com|neon\.tech|turso\.tech|duckdb\.org|clickhouse\.com|huggingface\.co|conda\.io|anaconda\.com|mamba\.pm|pixi\.sh|julialang\.org|haskell\.org|ghcup|elixir-lang\.org|flutter\.dev|dart\.dev|php\.net|getcomposer\.org|ruby-lang\.org|cpanmin\.us|localhost|127\.0\.0\.1)(?=[/:\s"'`)]|$)/i;

/** A place on a forge that is not the one of a known installer: anybody has a place there. */
const isForge =
  /(?:github(?:usercontent)?|gitlab)\.com\/(?!(?:Homebrew|nvm-sh|ohmyzsh|pyenv|helm|rancher|rust-lang|astral-sh)\/)/i;

/** Whether a download comes from the address that the makers of a well-known program tell everybody. */
const isInstaller = (text: string): boolean =>
  wellKnown.test(text.replaceAll(' ', ' //')) && !isForge.test(text);

/** How suspicious the address of a download is. */
function judgeAddress(text: string): 'bad' | 'unknown' | 'known' {
  if (occursIn(dropSites, text) || occursIn(numericHosts, text) || occursIn(freeHosts, text)) return 'bad';
  // A known address excuses only itself, not another one next to it.
  const addresses = text.match(/\bhttps?:\/\/[^\s"'`)|;]{3,200}/gi) ?? [];
  const isKnown = addresses.length > 0 && addresses.every((address) => wellKnown.test(address));
  if (/\bhttp:\/\/(?!localhost|127\.)/i.test(text) && !isKnown) return 'bad';
  if (
    /\b(?:bit\.ly|tinyurl\.com|t\.co|is\.gd|cutt\.ly|rb\.gy|gist\.github(?:usercontent)?\.com)\//i.test(text)
  )
    return 'bad';
  if (/-k\b|--insecure|--no-check-certificate/.test(text) && !isKnown) return 'bad';
  return isKnown || addresses.length === 0 ? 'known' : 'unknown';
}

/** SCN201: reports commands that run their downloads. */
export const downloadAndRun: ScanRule = {
  id: 'SCN201',
  name: 'download-and-run',
  category: 'download-and-run',
  severity: 'high',
  summary: 'Downloads something and runs it, from an address that is not a well-known installer.',
  reason: 'The server decides at that moment what runs, so no one can have reviewed it.',
  help: 'Do not run it. Install the program from its package, or read the script first.',
  *check(subject) {
    const runs = [
      ...subject.matches(piped).map((match) => ({
        flow: undefined,
        match,
        address: match.text,
        weight: subject.weigh(match),
        isPiped: true,
      })),
      ...subject.flows
        .filter(({ kind }) => kind === 'download-run')
        .map((flow) => ({
          flow,
          match: flow.to,
          address: `${flow.what} ${flow.from.text}`,
          weight: Math.min(subject.weigh(flow.from), subject.weigh(flow.to)),
          isPiped: false,
        })),
    ];
    for (const { flow, match, address, weight, isPiped } of runs) {
      const host = judgeAddress(address);
      if (match.isRemark || (host === 'known' && !isPiped)) continue;
      const isProgram =
        match.file.kind === 'script' || match.file.kind === 'config' || match.layer.via !== undefined;
      yield host === 'bad'
        ? {
            message: 'runs a download from a suspicious address',
            match,
            ...(flow && { flow }),
            severity: weight >= 0.7 ? 'critical' : 'high',
            confidence: weight,
          }
        : {
            message: host === 'known' ? 'runs a download from a known address' : 'runs a download',
            match,
            ...(flow && { flow }),
            severity:
              host === 'known' && isInstaller(address)
                ? 'low'
                : isProgram && host !== 'known'
                  ? 'high'
                  : 'medium',
            confidence: weight,
          };
    }
  },
};

const passwordArchive = defineProbe(
  /(?:\.(?:zip|rar|7z|dmg)\b|\barchive\b|\bextract|\bunzip|\bunpack)[^\n]{0,160}\b(?:pass(?:word|phrase|code)?|pwd)\b[*_]{0,2}\s{0,2}(?:is|:|=|of|-|"|`|\()[^\n]{0,40}|\b(?:with|using|use)\s(?:the\s)?pass(?:word|phrase|code)?\b[^\n]{0,40}(?:extract|unzip|unpack|open)|unzip\s{1,3}-P\s?\S{1,40}|7z[ \t]{1,3}x[ \t][^\n]{0,60}-p\S{1,40}|\.(?:zip|rar|7z)\b[^\n]{0,120}\bextract[^\n]{0,40}\bpass(?:word|phrase)?\b/gi,
  { needs: '.dmg,.rar,.zip,7z,archive,extract,pass,unpack,unzip' },
);

const startProgram = defineProbe(
  /\b(?:download|get|grab|fetch|install|visit)\b[^\n]{0,160}\.(?:exe|msi|dmg|pkg|scr|bat|zip|rar|7z)\b[^\n]{0,200}\b(?:run|execute|launch|start|open|install|double-click)\b|\b(?:run|execute|launch|start|double-click)\b[^\n]{0,60}\.(?:exe|msi|scr|pkg)\b[^\n]{0,80}\b(?:before|first|prior|required|continu)/gi,
  { needs: '.7z,.bat,.dmg,.exe,.msi,.pkg,.rar,.scr,.zip' },
);

const pasteCommand = defineProbe(
  /(?:glot\.io|rentry\.co|pastebin\.com|paste\.(?:ee|rs)|hastebin\.com|dpaste\.\w{2,4}|gist\.github\.com|telegra\.ph|notion\.site)[^\n]{0,200}\b(?:copy|paste|run|execute|terminal|command|installation script|install)\b|\b(?:copy|paste|run|execute|visit)\b[^\n]{0,120}(?:glot\.io|rentry\.co|pastebin\.com|paste\.(?:ee|rs)|hastebin\.com|dpaste\.\w{2,4}|telegra\.ph)|\b(?:copy|paste)\b[^\n]{0,60}\b(?:installation|setup|install|this|following)\s?(?:script|command|line)?\b[^\n]{0,60}\b(?:from|at)\b[^\n]{0,40}https?:[^\n]{0,80}\b(?:into|in)\b[^\n]{0,20}\bterminal/gi,
  {
    needs:
      'gist.github.com,glot.io,hastebin.com,notion.site,paste.,pastebin.com,rentry.co,telegra.ph,terminal',
  },
);

/** A program to download, on the line of the address. */
const gets =
  /\b(?:download|install|installer|get|grab|obtain|visit|run|execute|open|paste|copy|set ?up|fetch|follow)\b[^\n]{0,160}$/i;
const getsAfter =
  /^[^\n]{0,120}\b(?:download|install|installer|extract|unpack|unzip|run|execute|launch|paste|copy|double-click)\b/i;
const program =
  /\b(?:cli|tool|agent|app|application|client|driver|helper|bridge|runtime|installer|executable|program|utility|binary|setup|daemon|desktop|codec|connector|provider|core|command|script|terminal)\b|\w(?:CLI|Agent|Tool|Core|Bridge|Runtime|Auth)\b|\.(?:exe|dmg|zip|pkg|msi|rar|7z)\b/i;

const needed =
  /\b(?:pre-?requisites?|required?|requires|requirements?|must|needs?|needed|depends|before (?:using|continuing|you|the|any|proceeding|first)|will not work|won['’]t work|otherwise|mandatory|necessary|important|critical|without (?:it|this|the))\b|⚠/i;

/** SCN202: reports invented prerequisites that deliver a program from the author. */
export const fakePrerequisite: ScanRule = {
  id: 'SCN202',
  name: 'fake-prerequisite',
  category: 'download-and-run',
  severity: 'high',
  summary: 'Instructions to fetch a program from a locked archive or a paste site and start it.',
  reason:
    'A password keeps scanners out of an archive, and a paste site hides who wrote a command: stealers spread this way.',
  help: 'Do not follow these steps. No honest skill delivers a program this way.',
  *check(subject) {
    for (const match of subject.matches(passwordArchive)) {
      const around = match.around(400, 600);
      const fetched = /https?:\/\/|download|release/i.test(around);
      const own = /\b(?:encrypt|protect|create|add|set|user(?:'s)?|ask)\b[^\n]{0,60}\bpassword/i.test(
        match.text,
      );
      if (!fetched || own) continue;
      const starts = /\b(?:run|execute|launch|start|open)\b/i.test(around);
      yield {
        message: 'asks to download an archive and open it with the password next to it',
        match,
        severity: starts ? 'critical' : 'high',
        isAct: true,
        confidence: subject.weigh(match),
      };
    }
    for (const match of subject.matches(pasteCommand))
      yield {
        message: 'asks to copy a command from a page that anyone can edit',
        match,
        isAct: true,
        confidence: subject.weigh(match),
      };
    for (const probe of [freeHosts, dropSites])
      for (const match of subject.matches(probe)) {
        const { text } = match.layer;
        const before = lineAround(text, match.index, { before: 240, after: 0 });
        const after = text.slice(match.index, match.index + 240).split('\n', 1)[0]!;
        const lead = text.slice(Math.max(0, match.index - before.length - 240), match.index - before.length);
        const passage = `${lead.split('\n').slice(-3).join(' ')} ${before} ${after}`;
        if (!gets.test(before) && !getsAfter.test(after) && !/:\s{0,4}$/.test(lead)) continue;
        const above = match.file.headingsAbove(match.line).join(' ');
        if (!needed.test(`${above} ${passage}`) || !program.test(passage)) continue;
        if (
          !/\b(?:download|install|installer|installed|run|execute|paste|extract|open|unpack|unzip|launch|start|double[- ]click|one-line)\b/i.test(
            passage,
          )
        )
          continue;
        if (match.file.kind !== 'instructions' || match.zone === 'code') continue;
        yield {
          message: 'asks to download a required program from a site where anyone can upload',
          match,
          isAct: true,
          confidence: subject.weigh(match),
        };
      }
    for (const match of subject.matches(startProgram)) {
      const above = match.file.headingsAbove(match.line).join(' ');
      const line = match.file.lines[match.line - 1] ?? '';
      if (!needed.test(`${above} ${line}`) || !/https?:\/\//.test(match.file.text)) continue;
      const home =
        /https?:\/\/(?:www\.)?(?:python\.org|nodejs\.org|git-scm\.com|docker\.com|microsoft\.com|apple\.com|google\.com|mozilla\.org|ffmpeg\.org|libreoffice\.org|github\.com\/(?:microsoft|google|apple))/i.test(
          line,
        );
      if (home) continue;
      yield {
        message: 'asks to download and start a program before the skill can be used',
        match,
        severity: 'medium',
        confidence: subject.weigh(match),
      };
    }
  },
};
