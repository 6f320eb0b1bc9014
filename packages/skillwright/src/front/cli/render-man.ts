// The man page, made from the command table and the topics.

import { commandGroups, optionsOf } from '../commands/index.ts';
import { cliTable, currentNames } from './cli-table.ts';
import { type TopicName, topicNames } from './help-topics.ts';
import { flagRow, renderUsage } from './render-help.ts';

/** `skc.1` in troff: the commands and flags of `skc help`. `pageOf` returns the Markdown of a topic. */
export async function renderMan(pageOf: (topic: TopicName) => string): Promise<string> {
  const sections = await Promise.all(commandGroups.map(groupSection));
  const topics = topicNames.map((name) => topicSection(pageOf(name)));
  return `${[
    '.\\" Written by `npm run docs`; edit the definitions instead.',
    '.TH SKC 1 "" "Skillwright" "User Commands"',
    '.SH NAME',
    'skc \\- write, check, compile, install and serve Agent Skills',
    '.SH SYNOPSIS',
    '.B skc',
    '.I command',
    '[\\fIarguments\\fR] [\\fIflags\\fR]',
    '.SH DESCRIPTION',
    'An Agent Skill is a directory with a SKILL.md.',
    'Each command below takes \\fB\\-\\-json\\fR, \\fB\\-\\-format\\fR \\fIname\\fR and \\fB\\-h\\fR, \\fB\\-\\-help\\fR as well.',
    ...sections,
    ...topics,
  ].join('\n')}\n`;
}

async function groupSection(group: (typeof commandGroups)[number]): Promise<string> {
  const members = currentNames.filter((name) => cliTable[name].group === group);
  const parts = await Promise.all(
    members.map(async (name) => {
      const command = await cliTable[name].load();
      const { flags } = optionsOf(command);
      const rows = flags
        .map(flagRow)
        .flatMap(([left, right]) => ['.TP', `\\fB${escaped(left)}\\fR`, line(right)]);
      return [
        `.SS ${quoted(renderUsage(name, command))}`,
        `${line(cliTable[name].summary)}.`,
        ...(command.about === undefined ? [] : ['.PP', ...command.about.split('\n').map(line)]),
        ...rows,
      ].join('\n');
    }),
  );
  return [`.SH ${quoted(`${group} commands`.toUpperCase())}`, ...parts].join('\n');
}

/** A topic: its title, its paragraphs, and its indented lines unchanged. */
function topicSection(page: string): string {
  const [title = '', ...blocks] = page.trimEnd().split('\n\n');
  const body = blocks.map((block) =>
    /^(?: {4}|\d\. )/.test(block)
      ? ['.PP', '.nf', ...block.split('\n').map((text) => line(text.replace(/^ {4}/, '  '))), '.fi'].join(
          '\n',
        )
      : ['.PP', ...block.split('\n').map(line)].join('\n'),
  );
  return [`.SH ${quoted(title.replace(/^# /, '').toUpperCase())}`, ...body].join('\n');
}

/** Escapes text for troff. */
const escaped = (text: string) =>
  text.replace(/[^\x20-\x7e]|[\\`'-]/gu, (sign) => escapes[sign] ?? `\\[u${codeOf(sign)}]`);

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  '`': '\\(ga',
  "'": '\\(aq',
  '…': '...',
};

const codeOf = (sign: string) => sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');

/** A line of text, escaped if it starts like a request. */
const line = (text: string) => escaped(text).replace(/^(?=\.)/, '\\&');

/** The argument of a macro. */
const quoted = (text: string) => `"${escaped(text).replaceAll('"', '\\(dq')}"`;
