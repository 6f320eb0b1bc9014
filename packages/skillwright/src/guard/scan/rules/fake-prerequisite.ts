// SCN202: tells a person or agent to download and start a program before the skill "works".

import { lineAround } from '../line-around.ts';
import { defineProbe } from '../probe.ts';
import { dropSites, freeHosts } from '../probes/network-sinks.ts';
import type { ScanRule } from '../scan-rule.ts';

const passwordArchive = defineProbe(
  /(?:\.(?:zip|rar|7z|dmg)\b|\barchive\b|\bextract|\bunzip|\bunpack)[^\n]{0,160}\b(?:pass(?:word|phrase|code)?|pwd)\b[*_]{0,2}\s{0,2}(?:is|:|=|of|-|"|`|\()[^\n]{0,40}|\b(?:with|using|use)\s(?:the\s)?pass(?:word|phrase|code)?\b[^\n]{0,40}(?:extract|unzip|unpack|open)|unzip\s{1,3}-P\s?\S{1,40}|7z[ \t]{1,3}x[ \t][^\n]{0,60}-p\S{1,40}|\.(?:zip|rar|7z)\b[^\n]{0,120}\bextract[^\n]{0,40}\bpass(?:word|phrase)?\b/gi,
  { needs: '.dmg,.rar,.zip,7z,archive,extract,pass,unpack,unzip' },
);

const startProgram = defineProbe(
  /\b(?:download|get|grab|fetch|install|visit)\b[^\n]{0,160}\.(?:exe|msi|dmg|pkg|scr|bat|zip|rar|7z)\b[^\n]{0,200}\b(?:run|execute|launch|start|open|install|double-click)\b|\b(?:run|execute|launch|start|double-click)\b[^\n]{0,60}\.(?:exe|msi|scr|pkg)\b[^\n]{0,80}\b(?:before|first|prior|required|continu)/gi,
  { needs: '.7z,.bat,.dmg,.exe,.msi,.pkg,.rar,.scr,.zip' },
);

const pasteCommand = defineProbe(
  /(?:glot\.io|rentry\.co|pastebin\.com|paste\.(?:ee|rs)|hastebin\.com|dpaste\.\w{2,4}|gist\.github\.com|telegra\.ph|notion\.site)[^\n]{0,200}\b(?:copy|paste|run|execute|terminal|command|installation script|install)\b|\b(?:copy|paste|run|execute|visit)\b[^\n]{0,120}(?:glot\.io|rentry\.co|pastebin\.com|paste\.(?:ee|rs)|hastebin\.com|dpaste\.\w{2,4}|telegra\.ph)|\b(?:copy|paste)\b[^\n]{0,60}\b(?:installation|setup|install|this|following)\s?(?:script|command|line)?\b[^\n]{0,60}\b(?:from|at)\b[^\n]{0,40}https?:[^\n]{0,80}\b(?:into|in)\b[^\n]{0,20}\bterminal/gi,
  {
    needs:
      'gist.github.com,glot.io,hastebin.com,notion.site,paste.,pastebin.com,rentry.co,telegra.ph,terminal',
  },
);

/** A program to download, on the line of the address. */
const gets =
  /\b(?:download|install|installer|get|grab|obtain|visit|run|execute|open|paste|copy|set ?up|fetch|follow)\b[^\n]{0,160}$/i;
const getsAfter =
  /^[^\n]{0,120}\b(?:download|install|installer|extract|unpack|unzip|run|execute|launch|paste|copy|double-click)\b/i;
const program =
  /\b(?:cli|tool|agent|app|application|client|driver|helper|bridge|runtime|installer|executable|program|utility|binary|setup|daemon|desktop|codec|connector|provider|core|command|script|terminal)\b|\w(?:CLI|Agent|Tool|Core|Bridge|Runtime|Auth)\b|\.(?:exe|dmg|zip|pkg|msi|rar|7z)\b/i;

const needed =
  /\b(?:pre-?requisites?|required?|requires|requirements?|must|needs?|needed|depends|before (?:using|continuing|you|the|any|proceeding|first)|will not work|won['’]t work|otherwise|mandatory|necessary|important|critical|without (?:it|this|the))\b|⚠/i;

/** Reports invented prerequisites that deliver a program from the author. */
export const fakePrerequisite: ScanRule = {
  id: 'SCN202',
  name: 'fake-prerequisite',
  category: 'download-and-run',
  severity: 'high',
  summary: 'Instructions to fetch a program from a locked archive or a paste site and start it.',
  reason:
    'A password keeps scanners out of an archive, and a paste site hides who wrote a command: stealers spread this way.',
  help: 'Do not follow these steps. No honest skill delivers a program this way.',
  *check(subject) {
    for (const match of subject.matches(passwordArchive)) {
      const around = match.around(400, 600);
      const fetched = /https?:\/\/|download|release/i.test(around);
      const own = /\b(?:encrypt|protect|create|add|set|user(?:'s)?|ask)\b[^\n]{0,60}\bpassword/i.test(
        match.text,
      );
      if (!fetched || own) continue;
      const starts = /\b(?:run|execute|launch|start|open)\b/i.test(around);
      yield {
        message: 'asks to download an archive and open it with the password next to it',
        match,
        severity: starts ? 'critical' : 'high',
        isAct: true,
        confidence: subject.weigh(match),
      };
    }
    for (const match of subject.matches(pasteCommand))
      yield {
        message: 'asks to copy a command from a page that anyone can edit',
        match,
        isAct: true,
        confidence: subject.weigh(match),
      };
    for (const probe of [freeHosts, dropSites])
      for (const match of subject.matches(probe)) {
        const { text } = match.layer;
        const before = lineAround(text, match.index, { before: 240, after: 0 });
        const after = text.slice(match.index, match.index + 240).split('\n', 1)[0]!;
        const lead = text.slice(Math.max(0, match.index - before.length - 240), match.index - before.length);
        const passage = `${lead.split('\n').slice(-3).join(' ')} ${before} ${after}`;
        if (!gets.test(before) && !getsAfter.test(after) && !/:\s{0,4}$/.test(lead)) continue;
        const above = match.file.headingsAbove(match.line).join(' ');
        if (!needed.test(`${above} ${passage}`) || !program.test(passage)) continue;
        if (
          !/\b(?:download|install|installer|installed|run|execute|paste|extract|open|unpack|unzip|launch|start|double[- ]click|one-line)\b/i.test(
            passage,
          )
        )
          continue;
        if (match.file.kind !== 'instructions' || match.zone === 'code') continue;
        yield {
          message: 'asks to download a required program from a site where anyone can upload',
          match,
          isAct: true,
          confidence: subject.weigh(match),
        };
      }
    for (const match of subject.matches(startProgram)) {
      const above = match.file.headingsAbove(match.line).join(' ');
      const line = match.file.lines[match.line - 1] ?? '';
      if (!needed.test(`${above} ${line}`) || !/https?:\/\//.test(match.file.text)) continue;
      const home =
        /https?:\/\/(?:www\.)?(?:python\.org|nodejs\.org|git-scm\.com|docker\.com|microsoft\.com|apple\.com|google\.com|mozilla\.org|ffmpeg\.org|libreoffice\.org|github\.com\/(?:microsoft|google|apple))/i.test(
          line,
        );
      if (home) continue;
      yield {
        message: 'asks to download and start a program before the skill can be used',
        match,
        severity: 'medium',
        confidence: subject.weigh(match),
      };
    }
  },
};
