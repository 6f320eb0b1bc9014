// SCN603: machine code in a script, or macros that start programs.

import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const injected = defineProbe(
  /\bVirtualAlloc(?:Ex)?\b[\s\S]{0,400}?\b(?:CreateThread|RtlMoveMemory|CreateRemoteThread|GetDelegateForFunctionPointer)\b|\bWriteProcessMemory\b|\bCreateRemoteThread\b|\bmmap\b[\s\S]{0,200}?PROT_EXEC[\s\S]{0,300}?CFUNCTYPE|\bmemfd_create\b[\s\S]{0,300}?\bexec/gi,
  { needs: 'createremotethre,memfd_create,prot_exec,virtualalloc,writeprocessmemo', reach: 600 },
);

const macro = defineProbe(
  /\bSub\s{1,3}(?:Auto_?Open|AutoExec|Document_Open|Workbook_Open)\b[\s\S]{0,800}?\b(?:Shell|CreateObject\(\s?"(?:WScript\.Shell|MSXML2|Shell\.Application)|URLDownloadToFile|powershell|cmd(?:\.exe)? \/c)\b/gi,
  { needs: 'auto_open,autoexec,autoopen,document_open,workbook_open', reach: 900 },
);

/** Reports machine code and macros that run automatically. */
export const machineCode: ScanRule = {
  id: 'SCN603',
  name: 'machine-code',
  category: 'obfuscation',
  severity: 'critical',
  summary:
    'A script loads machine code into memory and runs it, or a macro starts a program when a file is opened.',
  reason: 'People cannot read machine code, which is why it is used.',
  help: 'Do not run it.',
  *check(subject) {
    for (const match of subject.matches(injected))
      if (match.file.kind !== 'instructions' || match.layer.via !== undefined)
        yield {
          message: 'loads machine code into memory and runs it',
          match,
          confidence: subject.weigh(match),
        };
    for (const match of subject.matches(macro))
      if (match.file.kind !== 'instructions' || match.layer.via !== undefined)
        yield {
          message: 'a macro starts a program when the file is opened',
          match,
          confidence: Math.max(subject.weigh(match), 0.6),
        };
  },
};
