// SCN902: switches off or bypasses the protection of the machine.

import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const lowers = defineProbe(
  /\bxattr\s{1,3}(?:-\w{1,4}\s{1,3}){0,2}(?:-d\s{1,3})?(?:com\.apple\.quarantine|-cr?)\b[^\n]{0,60}|\bxattr\s{1,3}-(?:c|cr|rc|rd)\b[^\n]{0,60}|spctl\s{1,3}--master-disable|setenforce\s{1,2}0|NOPASSWD:\s?ALL|DisableRealtimeMonitoring\s{1,2}\$?true|Add-MpPreference\s[^\n]{0,20}-Exclusion|csrutil disable|\bufw disable|iptables\s{1,2}-F\b|netsh advfirewall set[^\n]{0,40}off|chmod\s{1,2}(?:u\+s|\+s|[42]7\d\d)\b[^\n]{0,60}|history\s{1,2}-c\b|(?:unset\s{1,2}HISTFILE|HISTFILE=\/dev\/null|HISTSIZE=0)|AmsiUtils|amsiInitFailed|vssadmin\s{1,2}delete|wevtutil\s{1,2}cl\b|usermod\s{1,2}-aG\s{1,2}(?:sudo|wheel|root)\b|(?:>>|tee -a)\s{0,2}\/etc\/sudoers/gi,
  {
    needs:
      '--master-disable,/etc/sudoers,add-mppreference,amsiinitfailed,amsiutils,chmod,csrutil disable,disablerealtimem,histfile,history,histsize=0,iptables,netsh advfirewal,nopasswd:,setenforce,ufw disable,usermod,vssadmin,wevtutil,xattr',
  },
);

/** Reports attempts to lower protection. */
export const loweredProtection: ScanRule = {
  id: 'SCN902',
  name: 'lowered-protection',
  category: 'permissions',
  severity: 'medium',
  summary: 'Switches off or changes quarantine, firewalls, virus scanners, history or sudo rules.',
  reason: 'They stop malware, and nothing that a skill should do.',
  help: 'Leave the protection on.',
  *check(subject) {
    for (const match of subject.matches(lowers)) {
      if (match.isRemark) continue;
      const strong =
        /quarantine|spctl|NOPASSWD|Realtime|MpPreference|Amsi|vssadmin|wevtutil|HISTFILE|history -c|chmod\s{1,2}[u+42]|sudoers/i.test(
          match.text,
        );
      const topic = /linux|server|sysadmin|devops|macos|windows|build|package|release|docker|forensic/i.test(
        subject.topic,
      );
      yield {
        message: 'switches off or bypasses a protection of the machine',
        match,
        severity: strong ? 'medium' : 'low',
        confidence: subject.weigh(match) * (topic ? 0.6 : 1),
      };
    }
  },
};
