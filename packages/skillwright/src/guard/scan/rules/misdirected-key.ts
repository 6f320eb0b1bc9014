// SCN307: a key for one service that is sent to another.

import type { Match } from '../match.ts';
import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

/** Variables that belong to one service, with the names of its hosts. */
const owners: readonly (readonly [variable: RegExp, hosts: RegExp])[] = [
  [/^AWS_/, /(?:^|\.)(?:amazonaws\.com(?:\.cn)?|aws\.amazon\.com|api\.aws)$/],
  [/^(?:GITHUB|GH)_/, /(?:^|\.)(?:github\.com|githubusercontent\.com|ghcr\.io)$|^github\./],
  [/^GITLAB_/, /(?:^|\.)gitlab\.com$|^gitlab\./],
  [/^NPM_/, /(?:^|\.)(?:npmjs\.(?:org|com)|yarnpkg\.com|pkg\.github\.com)$|^(?:registry|npm)\./],
  [/^(?:DATABASE|POSTGRES|MONGODB|MONGO|REDIS|MYSQL|DB)_/, /^$/],
  [/^STRIPE_/, /(?:^|\.)stripe\.com$/],
  [/^SLACK_/, /(?:^|\.)slack\.com$/],
  [/^AZURE_/, /(?:^|\.)(?:azure|microsoft|microsoftonline|windows)\.(?:com|net)$/],
  [/^GOOGLE_/, /(?:^|\.)(?:google|googleapis)\.com$/],
  [/^BINANCE_/, /(?:^|\.)binance\.(?:com|us|vision)$/],
  [/^DOCKER_/, /(?:^|\.)docker\.(?:com|io)$/],
  [/PRIVATE_KEY/, /^$/],
];

const sent = defineProbe(
  /(?:\$\{?|\bprocess\.env\.|environ(?:\.get\(|\[)["']|getenv\(["']|\$env:|%)((?:AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)|(?:GITHUB|GH)_(?:TOKEN|PAT)|GITLAB_TOKEN|NPM_TOKEN|(?:DATABASE|POSTGRES|MONGODB|MONGO|REDIS|MYSQL)_(?:URL|URI|PASSWORD)|DB_PASSWORD|STRIPE_(?:SECRET|API)_KEY|SLACK_(?:BOT_)?TOKEN|AZURE_CLIENT_SECRET|GOOGLE_API_KEY|BINANCE_(?:KEY|SECRET|API_KEY|API_SECRET)|DOCKER_PASSWORD|(?:SSH_|WALLET_)?PRIVATE_KEY))\b/g,
  {
    needs:
      'aws_access_key_i,aws_se,azure_client_sec,binance_,database_passwor,database_uri,database_url,db_password,docker_password,gh_pat,gh_token,github_,gitlab_token,google_api_key,mongo_,mongodb_ur,mysql_,npm_token,postgres_passwor,postgres_ur,private_k,redis_,slack_bot_token,slack_token,stripe_',
  },
);

const request = defineProbe(
  /\b(?:curl|wget|fetch|axios|requests\.\w{3,8}|urlopen|httpx\.\w{3,8}|Invoke-(?:WebRequest|RestMethod))\b[^\n]{0,120}?https?:\/\/([\w.-]{4,80})/gi,
  { needs: 'axios,curl,fetch,httpx.,invoke-restmetho,invoke-webreques,requests.,urlopen,wget' },
);

/** Reports requests that carry the key of another service. */
export const misdirectedKey: ScanRule = {
  id: 'SCN307',
  name: 'misdirected-key',
  category: 'exfiltration',
  severity: 'high',
  summary: 'A request to one host carries the key of a service on another host.',
  reason: 'A key is for the service that issued it. Any other service that gets it can act as the user.',
  help: 'Do not run it. Give each service its own key.',
  *check(subject) {
    for (const match of subject.matches(request)) {
      const host = (match.groups[0] ?? '').toLowerCase();
      if (/localhost|^127\.|^192\.168\.|^10\.|\.local$|\$/.test(host)) continue;
      if (match.isRemark) continue;
      const key = subject.matchesIn(match.file, sent).find((candidate) => isCarried(candidate, match, host));
      if (key === undefined) continue;
      yield {
        message: `${key.groups[0]} is sent to ${host}`,
        match: key,
        confidence: Math.min(subject.weigh(match), subject.weigh(key)),
      };
    }
  },
};

/** Within one command: the same line, or its next few continuation lines. */
function isCarried(key: Match, match: Match, host: string): boolean {
  if (key.layer !== match.layer || key.line < match.line || key.line - match.line > 4) return false;
  const between = key.layer.text.slice(match.index, key.index);
  if (key.index < match.index || between.length > 500 || /\n\s{0,8}\n|;\s{0,4}\n/.test(between)) return false;
  if (key.line > match.line && !/\\\s{0,3}\n|[({,]\s{0,3}\n/.test(between)) return false;
  const name = key.groups[0] ?? '';
  return owners.some(([variable, hosts]) => variable.test(name) && !hosts.test(host));
}
