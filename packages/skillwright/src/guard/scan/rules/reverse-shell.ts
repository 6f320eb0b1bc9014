// SCN204: gives someone else a shell over the network.

import { defineProbe, occursIn } from '../probe.ts';
import { numericHosts } from '../probes/network-sinks.ts';
import type { ScanRule } from '../scan-rule.ts';

const shells = defineProbe(
  /(?:ba)?sh\s{1,2}-i\s{0,2}[<>&|0-9]{1,6}\s{0,2}\/dev\/(?:tcp|udp)\/|\/dev\/tcp\/[\w.$-]{3,60}\/[\d$\w]{2,8}[^\n]{0,20}(?:0>&1|<&1|0<&)|exec\s{1,2}\d{1,3}<>\s{0,2}\/dev\/tcp\/|\bn(?:c|cat|etcat)(?:\.exe)?[ \t](?:[^\n]{0,60}\s)?-[a-z]{0,4}[ec]\s{1,2}["']?(?:\/(?:usr\/)?bin\/)?(?:ba|z)?(?:sh|cmd|powershell)|mkfifo\s[^\n]{0,80}\|\s{0,2}(?:\/bin\/)?(?:ba)?sh\s[^\n]{0,60}\|\s{0,2}n(?:c|cat)\b|socat\b[^\n]{0,80}exec:[^\n]{0,40}(?:sh|cmd)|\.connect\([\s\S]{0,300}?os\.dup2\(\s{0,2}\w{1,12}\.fileno\(\)|(?<![\w-])n(?:c|cat|etcat)[ \t][^\n|]{0,60}-[a-z]{0,4}l[^\n|]{0,60}\|\s{0,2}(?:\/bin\/)?(?:ba|z)?sh\b|pty\.spawn\(\s{0,2}\[?["'](?:\/bin\/)?(?:ba|z)?sh[\s\S]{0,40}|TCPClient\([^\n]{0,200}(?:GetStream|iex|Invoke-Expression)|TCPSocket\.(?:new|open)[^\n]{0,160}(?:exec|IO\.popen|spawn)|fsockopen\([^\n]{0,160}(?:exec|proc_open|\/bin\/sh)|net\.(?:Socket|connect|createConnection)\b[\s\S]{0,240}?(?:spawn|exec)\(\s{0,2}["'](?:\/bin\/)?(?:ba)?(?:sh|cmd)|(?:spawn|exec)\(\s{0,2}["'](?:\/bin\/)?(?:ba)?(?:sh|cmd)[\s\S]{0,240}?\.(?:pipe|connect)\(|\.connect\(\([^\n]{0,60}\)\)[\s\S]{0,300}?(?:subprocess\.(?:call|Popen|run|check_output)|os\.(?:popen|system))\([^\n]{0,80}(?:\/bin\/(?:ba)?sh|recv|cmd|command|data|decode)|\.recv\(\d{2,6}\)[\s\S]{0,200}?(?:subprocess\.(?:check_output|run|Popen|getoutput)|os\.(?:popen|system))\(/gi,
  {
    needs:
      '.connect((,.fileno(),.recv(,/dev/tcp/,/dev/udp/,exec(,exec:,fsockopen(,mkfifo,nc\t,nc ,nc.exe,ncat,netcat,spawn(,tcpclient(,tcpsocket.',
  },
);

/** Reports reverse and bind shells. */
export const reverseShell: ScanRule = {
  id: 'SCN204',
  name: 'reverse-shell',
  category: 'remote-code',
  severity: 'critical',
  summary: 'Connects a shell to the network, or runs commands from the network.',
  reason: 'The person at the other end acts on the machine as the user.',
  help: 'Do not run it.',
  *check(subject) {
    for (const match of subject.matches(shells)) {
      // A cheat sheet for security testers shows a shell without opening it, unless the address is real.
      const shown =
        match.file.kind === 'instructions' &&
        subject.isAboutSecurity &&
        !occursIn(numericHosts, match.around(80, 80));
      yield {
        message: 'connects a shell to the network',
        match,
        ...(shown ? { severity: 'low' } : {}),
        confidence: subject.weigh(match),
      };
    }
  },
};
