// Rules about what stays after the work is done: on the machine, and in the instructions of the agent.

import type { FlowKind } from '../flow/trace-flows.ts';
import { defineProbe } from '../probe.ts';
import type { RuleHit, ScanRule } from '../scan-rule.ts';
import type { ScanSubject } from '../scan-subject.ts';

const places = defineProbe(
  /(?:echo|printf|cat|\(crontab -l)[^\n]{0,240}\|\s{0,3}crontab(?:\s{1,2}-)?(?=\s|$|["')])|crontab\s{1,3}(?:\/tmp|-\s|["'$])[^\n]{0,40}|(?:>{1,2}|tee(?: -a)?|open\(|writeFile(?:Sync)?\(|appendFile(?:Sync)?\(|write_text|cp\s|mv\s|ln -s\s|copy)[^\n]{0,80}(?:\/etc\/cron\.|\/etc\/rc\.local|Library\/Launch(?:Agents|Daemons)|\/etc\/systemd\/system|\.config\/systemd\/user|\.config\/autostart|authorized_keys|\/etc\/sudoers|\.git\/hooks\/|ld\.so\.preload|sitecustomize\.py|site-packages[^\n]{0,40}\.pth\b|Start Menu[^\n]{0,30}Startup)|(?:Library\/Launch(?:Agents|Daemons)|\.config\/systemd\/user|\.config\/autostart|authorized_keys|\/etc\/cron\.d|\.git\/hooks\/(?:pre|post)-\w{3,12})["'/\w.\s,)+-]{0,60}[\s\S]{0,160}?(?:\.write|write_text|writeFile|appendFile|>>|["']a["']\)|["']w["']\))|launchctl\s{1,3}(?:load|bootstrap)\b[^\n]{0,80}|systemctl\s(?:--user\s)?enable\b[^\n]{0,80}|reg(?:\.exe)?\s{1,2}add\s[^\n]{0,80}CurrentVersion\\{1,2}Run[^\n]{0,80}|CurrentVersion\\{1,2}Run\b[^\n]{0,80}|schtasks(?:\.exe)?\s[^\n]{0,20}\/create[^\n]{0,120}|New-ScheduledTask\w{0,8}|Register-ScheduledTask|git config[^\n]{0,20}core\.hooksPath/gi,
  {
    needs:
      '-schedul,.config/autostar,.git/hooks/,/etc/cron.,/etc/sudoers,/etc/rc.local,/systemd,authorized_keys,core.hookspath,crontab,currentversion,launchctl,ld.so.preload,library/launchag,library/launchda,schtasks,site-packages,sitecustomize.py,start menu,systemctl',
  },
);

const shellStart = defineProbe(
  /(?:>>|tee -a|open\(|appendFile(?:Sync)?\(|Add-Content)[^\n]{0,60}(?:\.bashrc|\.zshrc|\.profile|\.bash_profile|\.zprofile|\.zshenv|profile\.ps1|\$PROFILE)|(?:\.bashrc|\.zshrc|\.profile|\.bash_profile|\.zshenv)["')\s,]{1,8}["'](?:a|w)\+?["']|(?:\.bashrc|\.zshrc|\.bash_profile|\.zshenv)[\s\S]{0,160}?(?:\.write\(|appendFile|>>|"a"\)|'a'\))/gi,
  { needs: '$profile,.bash_profile,.bashrc,.profile,.zprofile,.zshenv,.zshrc,profile.ps1' },
);

const harmlessLine =
  /export\s{1,2}(?:PATH|NVM_DIR|PNPM_HOME|GOPATH|JAVA_HOME|ANDROID_\w+|EDITOR|LANG|[A-Z_]{3,40}=)|\bPATH\b|completion|init\s(?:ba|z)sh|alias\s|starship|zoxide|direnv|nvm|pyenv|rbenv|mise|fnm|source\s|eval "\$\(/i;
const payload =
  /curl|wget|nc\s|\/dev\/tcp|base64|python\d?\s{1,2}-c|nohup|https?:\/\/|\.hidden|\/tmp\/|eval|bash -c|sh -c|@reboot|\*\/\d/i;

/** SCN501: reports everything that makes something start again automatically. */
export const persistence: ScanRule = {
  id: 'SCN501',
  name: 'persistence',
  category: 'persistence',
  severity: 'medium',
  summary:
    'Makes something start automatically later: cron, services, login items, shell start-up files, hooks, keys.',
  reason: 'It keeps running unseen after you remove the skill.',
  help: 'Find out what would run, and how to remove it, before you allow it.',
  *check(subject) {
    yield* planted(subject, 'start-planted', 'makes a download start automatically');
    const { topic } = subject;
    const announced =
      /cron|schedul|launchd|launch agent|systemd|service|daemon|deploy|server|hook|autostart|startup|ssh|linux|sysadmin|install|setup|shell|dotfiles|windows|task/i.test(
        topic,
      );
    for (const [probe, isShell] of [
      [places, false],
      [shellStart, true],
    ] as const)
      for (const match of subject.matches(probe)) {
        if (match.isRemark) continue;
        const around = match.around(240, 240);
        const carries = payload.test(around);
        if (isShell && harmlessLine.test(around) && !/curl|wget|nc\s|\/dev\/tcp|base64/.test(around))
          continue;
        const script =
          match.file.kind === 'script' || match.layer.via !== undefined || match.zone === 'comment';
        const keys = /authorized_keys/.test(match.text);
        const weight = subject.weigh(match) * (announced && !carries ? 0.4 : 1);
        const grave =
          /(?:curl|wget)[^\n]{0,160}\|\s{0,3}(?:ba|z)?sh\b|\/dev\/tcp\/|base64\s{1,2}-[dD]|https?:\/\/(?:\d{1,3}\.){3}\d/.test(
            around,
          ) && script;
        const plants = /ssh-(?:rsa|ed25519)\s{1,2}AAAA[\w+/]{24}/.test(around);
        if (grave)
          yield {
            message: 'makes a download start automatically',
            match,
            severity: 'high',
            confidence: subject.weigh(match),
          };
        else if (keys && (plants || (script && !/ssh|server|deploy/i.test(topic))) && match.zone !== 'prose')
          yield {
            message: 'gives a key access to the machine',
            match,
            severity: 'high',
            confidence: plants ? subject.weigh(match) : weight,
          };
        else if (carries)
          yield {
            message: 'makes a suspicious command start automatically',
            match,
            severity: script && !announced ? 'high' : 'medium',
            confidence: script ? weight : weight * 0.6,
          };
        else
          yield {
            message: isShell ? 'changes a shell start-up file' : 'makes something start automatically',
            match,
            severity: script ? 'medium' : 'low',
            confidence: weight,
          };
      }
  },
};

/** Flows into a file that lasts. */
function* planted(subject: ScanSubject, kind: FlowKind, message: string): Generator<RuleHit> {
  for (const flow of subject.flows)
    if (flow.kind === kind)
      yield {
        message,
        match: flow.to,
        flow,
        severity: 'high',
        confidence: Math.min(subject.weigh(flow.from), subject.weigh(flow.to)),
      };
}

const writes = defineProbe(
  /\b(?:append|add|write|insert|inject|modify|edit|update|overwrite|replace|prepend|put|store|save|place|copy|create|>>)\b[^\n]{0,160}(?:CLAUDE\.md|AGENTS\.md|SOUL\.md|MEMORY\.md|IDENTITY\.md|GEMINI\.md|HEARTBEAT\.md|\.cursorrules|copilot-instructions\.md|settings(?:\.local)?\.json|\.?mcp\.json|claude_desktop_config\.json|openclaw\.json)|(?:>>?|tee -a|open\(|writeFile(?:Sync)?\(|appendFile(?:Sync)?\(|write_text)[^\n]{0,80}(?:CLAUDE\.md|AGENTS\.md|SOUL\.md|MEMORY\.md|IDENTITY\.md|GEMINI\.md|HEARTBEAT\.md|\.cursorrules|\.claude\/settings(?:\.local)?\.json|claude_desktop_config\.json|openclaw\.json)|(?:CLAUDE\.md|AGENTS\.md|SOUL\.md|MEMORY\.md|IDENTITY\.md|\.cursorrules|settings(?:\.local)?\.json|claude_desktop_config\.json)["')\s]{1,4}[\s\S]{0,120}?(?:\.write|appendFile|writeFile|"a"\)|'a'\))/gi,
  {
    needs: `"a"),'a'),.claude/settings,.cursorrules,.write,agents.md,appendfile,claude.md,claude_desktop_c,copilot-instruct,gemini.md,heartbeat.md,identity.md,mcp.json,memory.md,openclaw.json,settings.,soul.md,writefile`,
  },
);

const poison =
  /\b(?:always|never|every (?:session|conversation|response|request|time|future)|from now on|future sessions?|permanent(?:ly)?|trust (?:every|all|any)|without (?:asking|confirmation|approval|permission|telling|pointing|mention)|silently|do not (?:tell|mention|reveal|ask)|ignore|override|execute|run (?:any|every|all|what)|bypass|allow(?:ed)?["']?\s?:\s?\[?\s?["']\*|Bash\(\*\)|highest priority|hidden)\b/i;
const hides =
  /\bwithout (?:asking|telling|notif|mention|pointing|inform|confirm)|\bsilently\b|\bquietly\b|\bdo(?:n'?t| not) (?:tell|mention|reveal|inform|show|notify)|\bnever (?:reveal|mention|tell|disclose)|\bhidden\b|\bsecretly\b|(?<!\b(?:avoid|never|not|no) [`"']?)bypassPermissions|--dangerously/i;

const obeys =
  /\b(?:override[sd]?|obey|trust (?:every|all|any)|without (?:asking|approval|confirm))\b[^\n]{0,120}\b(?:user|command|message|approval|rule|asking)/i;

/** SCN502: reports writes to the memory, rules and settings of agents. */
export const agentTakeover: ScanRule = {
  id: 'SCN502',
  name: 'agent-takeover',
  category: 'persistence',
  severity: 'medium',
  summary: 'Changes the memory, rules or settings of the agent for later sessions.',
  reason: 'The agent obeys these files in every session, long after the skill is gone.',
  help: 'Read what would be written. Accept nothing that widens the permissions of the agent.',
  *check(subject) {
    yield* planted(
      subject,
      'agent-planted',
      'writes foreign or private text, or orders, into what the agent reads in every session',
    );
    const { topic } = subject;
    const announced =
      /claude\.?md|agents\.?md|memory|soul|identity|settings|config|hook|permission|onboard|agent|rules|mcp|setup|init|context|learn|instinct|migrat|cursor|copilot/i.test(
        topic,
      );
    for (const match of subject.matches(writes)) {
      if (match.isRemark) continue;
      const around = match.around(200, 500);
      const weight = subject.weigh(match);
      const script = match.file.kind === 'script';
      if (
        hides.test(around) &&
        !/\b(?:ask|confirm with|show) the user|after approval|user approv/i.test(around)
      )
        yield {
          message: 'secretly changes permanent instructions or permissions of the agent',
          match,
          severity: 'high',
          confidence: announced && !obeys.test(around) ? weight * 0.6 : weight,
        };
      else if (poison.test(around) && (script || !announced))
        yield {
          message: 'changes permanent instructions or permissions of the agent',
          match,
          confidence: announced ? weight * 0.4 : weight * 0.7,
        };
      else if (script && !announced)
        yield {
          message: 'a script changes permanent instructions or permissions of the agent',
          match,
          confidence: weight * 0.6,
        };
    }
  },
};
