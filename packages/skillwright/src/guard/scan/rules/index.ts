// Every scan rule, in the order of its id.

import type { ScanRule } from '../scan-rule.ts';
import { agentTakeover } from './agent-takeover.ts';
import { backdoorTrigger } from './backdoor-trigger.ts';
import { broadTools } from './broad-tools.ts';
import { concealment } from './concealment.ts';
import { consentBypass } from './consent-bypass.ts';
import { credentialAccess } from './credential-access.ts';
import { destruction } from './destruction.ts';
import { dnsExfiltration } from './dns-exfiltration.ts';
import { doubtfulDestination } from './doubtful-destination.ts';
import { downloadAndRun } from './download-and-run.ts';
import { encodedAddress } from './encoded-address.ts';
import { encodedExecution } from './encoded-execution.ts';
import { encodedPayload } from './encoded-payload.ts';
import { fakePrerequisite } from './fake-prerequisite.ts';
import { handedLogin } from './handed-login.ts';
import { hardCodedSecret } from './hard-coded-secret.ts';
import { hiddenInstructions } from './hidden-instructions.ts';
import { hostileOrders } from './hostile-orders.ts';
import { installFromUrl } from './install-from-url.ts';
import { installHook } from './install-hook.ts';
import { instructedExfiltration } from './instructed-exfiltration.ts';
import { instructionOverride } from './instruction-override.ts';
import { invisibleText } from './invisible-text.ts';
import { lookAlikeName } from './look-alike-name.ts';
import { loweredProtection } from './lowered-protection.ts';
import { machineCode } from './machine-code.ts';
import { misdirectedKey } from './misdirected-key.ts';
import { oddFile } from './odd-file.ts';
import { persistence } from './persistence.ts';
import { remoteControl } from './remote-control.ts';
import { remoteEval } from './remote-eval.ts';
import { remoteInstructions } from './remote-instructions.ts';
import { reverseShell } from './reverse-shell.ts';
import { sabotage } from './sabotage.ts';
import { secretsToNetwork } from './secrets-to-network.ts';
import { shippedSettings } from './shipped-settings.ts';
import { surveillance } from './surveillance.ts';
import { temporaryProgram } from './temporary-program.ts';
import { undeclaredHost } from './undeclared-host.ts';

/** Every rule. */
export const scanRules: readonly ScanRule[] = [
  hardCodedSecret,
  downloadAndRun,
  fakePrerequisite,
  remoteEval,
  reverseShell,
  installHook,
  installFromUrl,
  remoteControl,
  temporaryProgram,
  secretsToNetwork,
  doubtfulDestination,
  dnsExfiltration,
  instructedExfiltration,
  surveillance,
  undeclaredHost,
  misdirectedKey,
  handedLogin,
  credentialAccess,
  persistence,
  agentTakeover,
  shippedSettings,
  encodedExecution,
  encodedPayload,
  machineCode,
  encodedAddress,
  invisibleText,
  hiddenInstructions,
  instructionOverride,
  concealment,
  remoteInstructions,
  consentBypass,
  backdoorTrigger,
  sabotage,
  hostileOrders,
  broadTools,
  loweredProtection,
  lookAlikeName,
  destruction,
  oddFile,
];
