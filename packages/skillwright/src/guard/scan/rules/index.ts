// Every scan rule, in the order of its id.

import type { ScanRule } from '../scan-rule.ts';
import {
  credentialAccess,
  destruction,
  dnsExfiltration,
  encodedPayload,
  hardCodedSecret,
  installFromUrl,
  installHook,
  loweredProtection,
  machineCode,
  remoteControl,
  reverseShell,
  shippedSettings,
  surveillance,
} from './commands.ts';
import { doubtfulDestination, undeclaredHost } from './destinations.ts';
import { downloadAndRun, fakePrerequisite } from './downloads.ts';
import { broadTools, invisibleText, lookAlikeName, oddFile } from './facts.ts';
import { encodedAddress, encodedExecution, misdirectedKey, remoteEval, secretsToNetwork } from './flows.ts';
import { hostileOrders } from './hostile-orders.ts';
import { agentTakeover, persistence } from './lasting-changes.ts';
import { backdoorTrigger, handedLogin, hiddenInstructions, instructedExfiltration } from './words.ts';

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
  backdoorTrigger,
  hostileOrders,
  broadTools,
  loweredProtection,
  lookAlikeName,
  destruction,
  oddFile,
];
