// SCN303: data that leaves in host names.

import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const lookups = defineProbe(
  /(?<![\w-])(?:nslookup|dig|host|ping(?:\s-c\s?\d)?)\s{1,3}(?:\+\w{1,12}\s{1,3})?["']?(?:\$\(|`[a-z]|\$\{?\w{1,30}\}?\.)[^\n]{0,120}|(?:gethostbyname|getaddrinfo|dns\.(?:resolve\w{0,4}|lookup|promises\.\w{1,10})|resolver\.(?:resolve|query))\(\s{0,2}(?:f["'][^"'\n]{0,60}\{[^\n]{1,60}\}\.[\w.-]{3,60}|`[^`\n]{0,40}\$\{[^\n]{1,60}\}\.[\w.-]{3,60}|[\w.[\]:()]{1,60}\s?\+\s?["']\.)|Resolve-DnsName\s[^\n]{0,40}\$|(?:nslookup|dig)\b[^\n]{0,30}["'`]?\s?\+\s?\w[^\n]{0,80}\+\s?["']\.|(?:nslookup|dig)\s[^\n]{0,20}\{[\w.[\]:()]{1,40}\}\.[\w.-]{3,60}/gi,
  { needs: 'dig,getaddrinfo,host,lookup,ping,promises.,resolve' },
);

/** Reports lookups of names built from data. */
export const dnsExfiltration: ScanRule = {
  id: 'SCN303',
  name: 'dns-exfiltration',
  category: 'exfiltration',
  severity: 'high',
  summary: 'Builds a host name from data and looks it up.',
  reason: 'The owner of the domain reads the data in the query, past most firewalls.',
  help: 'Do not run it unless you know who owns the domain.',
  *check(subject) {
    for (const match of subject.matches(lookups)) {
      const around = match.layer.text.slice(Math.max(0, match.index - 300), match.index + 300);
      const packs =
        /base64|xxd|hex|b32|encode|cut|\[\w{0,6}:\w{0,6}\]|slice|chunk|cat\s|environ|process\.env|whoami/i.test(
          around,
        );
      const own =
        /\$\{?(?:DOMAIN|HOST|SUBDOMAIN|TARGET|domain|host|target|sub|site|url|1)\b/.test(match.text) &&
        !/base64|\$\(/.test(match.text);
      if (!packs || own) continue;
      yield { message: 'looks up data as a host name', match, confidence: subject.weigh(match) };
    }
  },
};
