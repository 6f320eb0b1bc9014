import type { Check, Finding } from '../finding.ts';

const LOOPBACK = /^(?:localhost|127\.|\[?::1\]?$)/;

/** The address people use, and the proxy in front. */
export const checkSettings: Check = async ({ settings, publicUrl }) => {
  const findings: Finding[] = [];
  const say = (message: string, fix: string) =>
    findings.push({ check: 'settings', state: 'warning', message, fix });
  const isOpen = !LOOPBACK.test(settings.host);
  const { protocol, hostname } = new URL(publicUrl);
  if (isOpen && settings.publicUrl === undefined)
    say('other machines reach this registry, and it has no public address', 'set --public-url');
  else if (protocol === 'http:' && !LOOPBACK.test(hostname))
    say(
      `${publicUrl} is not encrypted: anyone on the way can read tokens`,
      'put a proxy with TLS in front and set --public-url to its https address',
    );
  if (protocol === 'https:' && settings.trustedProxies.length === 0)
    say(
      'limits count everyone behind the proxy as one caller',
      "set --trusted-proxies to the proxy's address",
    );
  if (findings.length === 0) findings.push({ check: 'settings', state: 'ok', message: publicUrl });
  return findings;
};
