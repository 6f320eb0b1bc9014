// SCN205: programs that run automatically when something is installed or opened.

import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const packageHooks = defineProbe(
  /"(?:preinstall|install|postinstall|prepare)"\s{0,3}:\s{0,3}"((?:[^"\\\n]|\\.){1,600})"|"(?:postCreateCommand|onCreateCommand|initializeCommand)"\s{0,3}:\s{0,3}"((?:[^"\\\n]|\\.){1,600})"|"runOn"\s{0,3}:\s{0,3}"folderOpen"/g,
  {
    needs:
      '"folderopen","initializecomma,"install","oncreatecommand,"postcreatecomma,"postinstall","preinstall","prepare"',
    reach: 1300,
  },
);

const bad =
  /\b(?:curl|wget|fetch\(|https?:\/\/|base64|eval|iwr|Invoke-|nc\s|\/dev\/tcp|node\s{1,2}-e|python\d?\s{1,2}-c|powershell)\b/i;

/** Reports hooks of package managers and editors that use the network or evaluate code. */
export const installHook: ScanRule = {
  id: 'SCN205',
  name: 'install-hook',
  category: 'remote-code',
  severity: 'high',
  summary: 'A hook of a package manager or an editor downloads something or evaluates code.',
  reason: 'Hooks run automatically as soon as the package is installed or the folder is opened.',
  help: 'Do not install the package. If you need it, install it with scripts switched off.',
  *check(subject) {
    for (const match of subject.matches(packageHooks)) {
      if (match.file.kind !== 'config') continue;
      const command = match.groups[0] ?? match.groups[1] ?? '';
      if (!bad.test(command)) continue;
      const critical = /https?:|curl|wget|eval|base64/i.test(command);
      yield {
        message: 'a hook that runs automatically downloads or evaluates something',
        match,
        severity: critical ? 'critical' : 'high',
        confidence: subject.weigh(match),
      };
    }
  },
};
