// SCN201: downloads a program and runs it in one step.

import { lineAround } from '../line-around.ts';
import type { Match } from '../match.ts';
import { defineProbe, occursIn } from '../probe.ts';
import { dropSites, freeHosts, numericHosts } from '../probes/network-sinks.ts';
import type { ScanRule } from '../scan-rule.ts';

const piped = defineProbe(
  /\b(?:curl|wget|fetch)\b[^\n|;]{0,300}\|\s{0,3}(?:\\\n\s{0,8})?(?:sudo\s{1,3}(?:-\w{1,3}\s{1,3}){0,2})?(?:env\s[^\n|]{0,60})?(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k)?sh\b|\b(?:curl|wget)\b[^\n|;]{0,300}\|\s{0,3}(?:sudo\s{1,3})?(?:python[\d.]{0,4}|perl|ruby|node|php|osascript)\b(?!\s{1,3}-(?:m json|c|e))|(?<![\w-])(?:ba|z)?sh\s{1,3}(?:-c\s{1,3})?["']?(?:<\(|\$\(|`)\s{0,2}(?:curl|wget)\b[^\n]{0,240}|\b(?:eval|source|\.)\s{1,3}["']?(?:<\(|\$\(|`)\s{0,2}(?:curl|wget)\b[^\n]{0,240}|\b(?:iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\b[^\n|]{0,240}\|\s{0,3}(?:iex|Invoke-Expression)\b|\b(?:iex|Invoke-Expression)\b[\s(&]{0,6}[^\n]{0,60}(?:DownloadString|iwr|irm|Invoke-WebRequest)[^\n]{0,200}/gi,
  { needs: 'curl,fetch,iex,invoke-expressio,wget' },
);

/** The same at the end of a longer pipe, whatever program downloads. */
const ending = defineProbe(
  /https?:\/\/[^\n|]{4,280}(?:\|[^\n|]{1,120}){0,3}(?:\| |\|)(?:sudo |\/bin\/)?(?:bash|zsh|dash|sh)(?=\s|$|["'`);&])/gi,
  {
    needs: '/bin/bash,/bin/dash,/bin/sh,/bin/zsh,sudo,| bash,| dash,| sh,| zsh,|bash,|dash,|sh,|zsh',
    reach: 700,
  },
);

/** Hosts of installers that many people use as documented, and of the forges that host them. */
const wellKnown =
  /\/\/(?:[\w-]{1,30}\.){0,2}(?:sh\.rustup\.rs|rustup\.rs|astral\.sh|bun\.sh|bun\.com|deno\.land|deno\.com|get\.docker\.com|brew\.sh|nvm-sh|nodesource\.com|pnpm\.io|yarnpkg\.com|install\.python-poetry\.org|python-poetry\.org|pyenv\.run|sdkman\.io|fly\.io|vercel\.com|netlify\.com|supabase\.com|railway\.(?:app|com)|render\.com|heroku\.com|helm\.sh|k3s\.io|k8s\.io|kubernetes\.io|tailscale\.com|ollama\.(?:com|ai)|claude\.ai|anthropic\.com|openai\.com|opencode\.ai|cursor\.com|gh\.io|github\.com|githubusercontent\.com|gitlab\.com|golang\.org|go\.dev|rvm\.io|nixos\.org|determinate\.systems|foundry\.paradigm\.xyz|solana\.com|anza\.xyz|risczero\.com|starkup\.dev|sui\.io|aptos\.dev|astro\.build|mise\.(?:run|jdx\.dev)|volta\.sh|starship\.rs|zoxide|atuin\.sh|just\.systems|wasmer\.io|wasmtime\.dev|fnm\.vercel\.app|convex\.dev|modal\.com|pulumi\.com|hashicorp\.com|terraform\.io|jetify\.com|devbox|dapr\.io|linkerd\.io|istio\.io|cilium\.io|okteto\.com|datadoghq\.com|newrelic\.com|sentry\.io|snyk\.io|semgrep\.(?:dev|com)|aquasecurity|anchore\.io|trufflesecurity|gitleaks|bazel\.build|cargo-binstall|cli\.(?:github|doppler)\.com|doppler\.com|1password\.com|cloudflare\.com|amazonaws\.com|aws\.amazon\.com|googleapis\.com|google\.com|microsoft\.com|aka\.ms|chocolatey\.org|get\.scoop\.sh|scoop\.sh|mozilla\.org|debian\.org|ubuntu\.com|launchpad\.net|docker\.com|apache\.org|elastic\.co|grafana\.com|prometheus\.io|influxdata\.com|cockroachlabs\.com|planetscale\.com|neon\.tech|turso\.tech|duckdb\.org|clickhouse\.com|huggingface\.co|conda\.io|anaconda\.com|mamba\.pm|pixi\.sh|julialang\.org|haskell\.org|ghcup|elixir-lang\.org|flutter\.dev|dart\.dev|php\.net|getcomposer\.org|ruby-lang\.org|cpanmin\.us|localhost|127\.0\.0\.1)(?=[/:\s"'`)]|$)/i;

/** How suspicious the address of a download is. */
function judge(text: string): 'bad' | 'unknown' | 'known' {
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

/** The line of a download; in a program also the address, if it is elsewhere. */
function addressOf({ layer, file, index }: Match): string {
  const line = lineAround(layer.text, index, { before: 300, after: 400 });
  return /https?:\/\//i.test(line) || file.kind === 'instructions' ? line : file.text.slice(0, 20_000);
}

/** Reports commands that run their downloads. */
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
      ...[...subject.matches(piped), ...subject.matches(ending)].map((match) => ({
        match,
        address: match.text,
        weight: subject.weigh(match),
        isPiped: true,
      })),
      ...subject.flows
        .filter(({ kind }) => kind === 'download-run')
        .map(({ from, to }) => ({
          match: to,
          address: addressOf(from),
          weight: Math.min(subject.weigh(from), subject.weigh(to)),
          isPiped: false,
        })),
    ];
    for (const { match, address, weight, isPiped } of runs) {
      const host = judge(address);
      if (match.isRemark || (host === 'known' && !isPiped)) continue;
      const isProgram =
        match.file.kind === 'script' || match.file.kind === 'config' || match.layer.via !== undefined;
      yield host === 'bad'
        ? {
            message: 'runs a download from a suspicious address',
            match,
            severity: weight >= 0.7 ? 'critical' : 'high',
            confidence: weight,
          }
        : {
            message: host === 'known' ? 'runs a download from a known address' : 'runs a download',
            match,
            severity: isProgram && host !== 'known' ? 'high' : 'medium',
            confidence: weight,
          };
    }
  },
};
