// SCN308: hands the login of an account to a script that stores it.

import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const logins = defineProbe(
  /\b(?:e-?mail|user ?name|login|account)\b[^.\n]{0,60}\b(?:and|\+|&|\/|,)\s{0,2}(?:the |their |your |a )?\bpassword\b[^\n]{0,160}|--(?:e-?mail|user(?:name)?|login)[= ][^\n]{0,60}--password[= ][^\n]{0,80}|"\$\{?(?:EMAIL|USER|USERNAME|LOGIN)\}?"[^\n]{0,20}"\$\{?PASSWORD\}?"[^\n]{0,80}/gi,
  { needs: 'password' },
);

const keeps =
  /\b(?:store|stores|save|saves|saved|keep|keeps|kept|write|writes|remember|remembers|persist|record|cache|upload|send|pass|hand|forward|log)\b/i;
const helper =
  /\b[\w/.-]{1,40}\.(?:py|js|sh|ts|mjs|rb|json|txt|ya?ml|db)\b|~\/\.|\bhelper\b|\bscripts?\b|\bproxy\b/i;
const asks = /\b(?:ask|prompt|request|get|collect|obtain|on behalf|enter|provide|log in|login|sign in)\b/i;
const safe =
  /\bkey ?chain|\bvault\b|secret manager|1password|bitwarden|\bhash|bcrypt|argon|\benv(?:ironment)?\b|\bnever\b|\bdo(?:n['’]t| not)\b|\bschema\b|\bfield\b|\bform\b|\bvalidat|\btest\b|\bexample\b|placeholder|signIn|signUp|register|endpoint/i;

/** Reports instructions to give a password of the user to a script or write it to a file. */
export const handedLogin: ScanRule = {
  id: 'SCN308',
  name: 'handed-login',
  category: 'credentials',
  severity: 'medium',
  summary:
    'Tells the agent to take the login of an account from the user and hand it to a script that stores it.',
  reason: 'A password opens everything the account can do, and no one sees where the script sends it.',
  help: 'Log in yourself, or give the skill a token with limited rights that you can revoke.',
  *check(subject) {
    for (const match of subject.matches(logins)) {
      if (match.file.kind !== 'instructions' || match.zone === 'code') continue;
      const passage = match.around(160, 200);
      if (
        !keeps.test(passage) ||
        !helper.test(passage) ||
        !asks.test(passage) ||
        safe.test(match.around(60, 40))
      )
        continue;
      yield {
        message: 'hands an account and its password to a script',
        match,
        confidence: subject.weigh(match),
      };
    }
  },
};
