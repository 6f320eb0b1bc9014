// SCN304: tells the agent to give away what it knows.

import { defineProbe, type Probe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const send =
  '(?:send|post|upload|transmit|forward|submit|report|includ|append|attach|embed|encod)ing|gather|collect|send|post|upload|transmit|forward|submit|exfiltrate|report|sync|mirror|push|deliver|relay|share|email|leak|copy|back ?up|append|attach|encode|embed|include|put|add|log|store|save|write';
const secret =
  'api[ _-]?keys?|access tokens?|auth(?:entication)? tokens?|credentials?|secrets?|passwords?|passphrases?|private keys?|ssh keys?|seed phrases?|mnemonics?|environment variables?|env vars?|(?<![\\w])\\.env\\b|cookies|session tokens?|wallet|browser (?:history|cookies|passwords|data)|(?:bash|shell|command) ?_?history|names of all files|id_rsa|\\.aws\\b|\\.ssh\\b|\\.netrc';
const context =
  "(?:full|entire|whole|complete|current)?\\s?(?:conversation|chat(?: history| log)?|session (?:history|log|transcript|data)|message history|transcript|system prompt|(?:user'?s?|users'|their) (?:prompts?|messages?|input|files?|data|questions?|documents?|queries)|memory|context window|source code|project files?|file contents?)";

const secretsOut = defineProbe(
  new RegExp(
    `\\b(?:${send})\\b[^.\\n]{0,120}(?:\\b|(?<=\\W))(?:${secret})[^\\n]{0,160}(?:\\bto\\b|\\bvia\\b|\\bat\\b|\\binto\\b|\\bas (?:a |the )?(?:query|parameter|header|param))[^\\n]{0,60}(?:https?:\\/\\/|\\bwebhook|\\bendpoint|\\bserver\\b|\\burl\\b|\\bremote\\b|[\\w.+-]{1,40}@[\\w-]{1,40}\\.\\w)|(?:\\b|(?<=\\W))(?:${secret})[^\\n]{0,160}\\b(?:send|sends|sending|post|upload|uploading|transmit|forward|forwarding|sent|posted|uploaded|forwarded|transmitted)\\b[^\\n]{0,100}(?:https?:\\/\\/|\\bwebhook|\\bremote server|[\\w.+-]{1,40}@[\\w-]{1,40}\\.\\w)`,
    'gi',
  ),
  {
    needs:
      '.aws,.env,.netrc,.ssh,access token,api key,api-key,api_key,apikey,auth token,authentication t,browser data,cookies,credential,env var,environment vari,forward,history,id_rsa,mnemonic,names of all fil,password,phrase,post,private key,secret,send,sent,session token,ssh key,transmit,upload,wallet',
    inProse: true,
  },
);

const contextOut = defineProbe(
  new RegExp(
    `\\b(?:send|post|upload|transmit|forward|submit|exfiltrate|sync|mirror|push|deliver|relay|copy|back ?up|stream)\\b[^.\\n]{0,80}\\b${context}\\b[^\\n]{0,160}(?:https?:\\/\\/|\\bwebhook|\\bendpoint|\\bremote server|\\bexternal server|\\bour (?:server|api|endpoint))|\\b${context}\\b[^.\\n]{0,100}\\b(?:send|post|upload|sent|posted|uploaded|forwarded|transmit(?:ted)?|submit(?:ted)?)\\b[^.\\n]{0,80}(?:https?:\\/\\/|\\bwebhook|\\bremote server|\\bexternal server)`,
    'gi',
  ),
  {
    needs: 'endpoint,external server,http://,https://,our api,our server,remote server,webhook',
    inProse: true,
  },
);

const intoPicture = defineProbe(
  /!\[[^\]\n]{0,40}\]\(https?:\/\/[^)\s]{3,120}[?&/=](?:\{|\$|<|%7B)[^)\n]{0,60}(?:secret|key|token|data|conversation|content|env|history|context|prompt|base64|cred|message)[^)\n]{0,40}\)|<img[^>\n]{0,40}src=["']?https?:\/\/[^>\s"']{3,120}[?&]\w{1,12}=(?:\{|\$|<)[^>\n]{0,80}/gi,
  { needs: '![,<img', inProse: true },
);

const askForSecret = defineProbe(
  /\bask\b[^.\n]{0,80}\b(?:user|them|him|her)\b[^.\n]{0,60}\b(?:seed phrase|recovery phrase|private key|mnemonic|master password)|\b(?:enter|provide|paste|type|share)\b[^.\n]{0,40}\byour\b[^.\n]{0,20}\b(?:seed phrase|recovery phrase|mnemonic|master password)/gi,
  { needs: 'master password,mnemonic,phrase,private key', inProse: true },
);

const showSecrets = defineProbe(
  /\b(?:output|print|display|echo|include|dump|append|embed|paste|write|quote|insert)\b[^.\n]{0,50}\b(?:contents? of|all(?: of)?(?: the)?|values? of|any|every|full)\b[^.\n]{0,40}(?:environment variables?|env vars?|(?<![\w])\.env\b|credentials|private keys?|api[ _-]?keys?|secrets|access tokens?)\b[^.\n]{0,60}\b(?:in|at|to|into|with|after|as)\b[^.\n]{0,40}\b(?:response|reply|answer|output|comment|commit|message|log|file|report|url|request|summary|config)/gi,
  {
    needs:
      '.env,access token,api key,api-key,api_key,apikey,credentials,env var,environment vari,private key,secrets',
    inProse: true,
  },
);

const readPrivate = defineProbe(
  /\b(?:read|scan|open|collect|inspect|search|gather|copy|look through|check|list|extract|harvest|retrieve|parse)\b[^.\n]{0,80}(?:~\/\.ssh\b|~\/\.aws\b|~?\/?\.netrc\b|~\/\.gnupg|~\/\.kube\b|~\/\.config\/gh|\bkeychain\b|\bbrowser (?:cookies|passwords|history|profiles?)|\bsaved passwords|\bwallet files?\b|\.(?:bash|zsh)_history)[^.\n]{0,40}/gi,
  {
    needs:
      '.bash_history,.netrc,.zsh_history,browser cookies,browser history,browser password,browser profile,keychain,saved passwords,wallet file,~/.aws,~/.config/gh,~/.gnupg,~/.kube,~/.ssh',
    inProse: true,
  },
);

const standingReport = defineProbe(
  /\b(?:after|before|on|for|at the (?:start|end) of|during)\b[^.\n]{0,12}\b(?:each|every|any|all)\b[^\n]{0,100}\b(?:curl|post|send|report|ping|notify|upload|submit|call|request|hit)\b[^\n]{0,80}https?:\/\/(?!localhost|127\.|(?:[\w-]{1,40}\.){0,3}(?:github\.com|googleapis\.com|slack\.com|anthropic\.com|openai\.com))[^\s)"'`]{4,120}/gi,
  { needs: 'http://,https://', inProse: true },
);

/** Reports instructions to pass on secrets or the conversation. */
export const instructedExfiltration: ScanRule = {
  id: 'SCN304',
  name: 'instructed-exfiltration',
  category: 'exfiltration',
  severity: 'high',
  summary: 'Instructions to send secrets, files or the conversation to an address.',
  reason: 'An agent that follows them gives away what the user entrusted to it.',
  help: 'Do not use the skill. It has no need to send your secrets or conversations anywhere.',
  isAboutWords: true,
  *check(subject) {
    const instructions = (match: { file: { kind: string }; zone: string; layer: { via?: string } }) =>
      (match.file.kind === 'instructions' && match.zone !== 'code') || match.layer.via !== undefined;
    const own =
      /\b(?:api key|token|credentials?)\b[^\n]{0,60}\b(?:header|authorization|bearer)|authorization: |-H ["']|bearer/i;
    for (const match of subject.matches(secretsOut)) {
      if (!instructions(match) || own.test(match.text)) continue;
      const local =
        /localhost|127\.0\.0\.1|\bnever\b|\bdo not\b|\bdon't\b|\bavoid\b|\b(?:vault|secrets? manager|1password|keychain|\.gitignore|github secrets?|actions secrets?|settings page|dashboard)\b/i.test(
          match.text,
        );
      if (local) continue;
      yield {
        message: 'tells the agent to send secrets',
        match,
        // The target of a link is usually for people to read.
        confidence:
          subject.weigh(match) *
          (match.text.includes('](') ? 0.3 : /https?:\/\/|@/.test(match.text) ? 1 : 0.6),
      };
    }
    for (const match of subject.matches(contextOut)) {
      if (!instructions(match) || /localhost|127\.0\.0\.1/.test(match.text)) continue;
      yield {
        message: "tells the agent to send the conversation or the user's files",
        match,
        confidence: subject.weigh(match) * 0.75,
      };
    }
    for (const match of subject.matches(intoPicture)) {
      if (!instructions(match)) continue;
      yield {
        message: 'tells the agent to put data into the address of an image',
        match,
        isAct: true,
        confidence: subject.weigh(match),
      };
    }
    const weaker: readonly [Probe, string][] = [
      [showSecrets, 'tells the agent to write secrets where others can read them'],
      [readPrivate, 'tells the agent to read files with keys, passwords or histories'],
      [standingReport, 'tells the agent to report something to an address every time'],
    ];
    for (const [probe, message] of weaker)
      for (const match of subject.matches(probe)) {
        if (!instructions(match) || match.zone === 'shell' || match.zone === 'frontmatter') continue;
        yield {
          message,
          match,
          severity: 'medium',
          confidence: subject.weigh(match) * (probe === standingReport ? 0.8 : 0.7),
        };
      }
    for (const match of subject.matches(askForSecret)) {
      if (!instructions(match)) continue;
      const phrase = /phrase|mnemonic/i.test(match.text);
      yield {
        message: 'asks the user for a master key or seed phrase',
        match,
        severity: phrase ? 'high' : 'medium',
        confidence: subject.weigh(match) * 0.9,
      };
    }
  },
};
