// Commands that send files and texts to other machines, and save what comes from there.

import type { Match } from '../match.ts';
import * as facts from './facts.ts';
import type { Tracer } from './tracer.ts';
import { merge, nothing, readOf, signed, type Taint, trace, UNKNOWN, union, type Value } from './value.ts';

/** A command with its input. */
export interface Acting {
  readonly program: string;
  readonly args: readonly Value[];
  readonly input: Value;
  readonly place: Match;
  readonly tracer: Tracer;
}

/** A file as the body of a request, or a field of a form. */
const uploadsFile = /^(?:\w+=)?@(?!-?$)[^@]|^--(?:post-file|upload-file|body-file)=|^--data-binary=?@/;

/** A request, and what it saves. */
export function request({ program, args, input, place, tracer }: Acting): Value {
  const sent: Taint = {};
  let address = args.find(({ text }) => /^[a-z]{2,5}:\/\//i.test(text ?? ''))?.text;
  const download: Taint = { remote: trace(address ?? 'download', place) };
  let isSaved = false;
  for (let at = 0; at < args.length; at++) {
    const { text = '', taint } = args[at]!;
    const next = args[at + 1];
    if (
      /^(?:-H|--header|-u|--user|--oauth2-bearer|-b|--cookie|-A|-e|-headers|-credential|--http-user|--http-password|--proxy-user)$/i.test(
        text,
      ) &&
      /^-(?:H|u|b|A|e|-|h|c)/i.test(text) &&
      text !== '-E'
    ) {
      if (next !== undefined) merge(sent, signed(next.taint));
      at++;
    } else if (
      /^(?:-[a-zA-Z]{0,6}o|-O|--output|--output-document|-outfile)$/i.test(text) &&
      !(program === 'curl' && text === '-O')
    ) {
      tracer.write(next?.text, download, place);
      isSaved = true;
      at++;
    } else if (
      /^(?:--key|--cert|--cacert|-E|--netrc-file|-K|--config|--certificate|--private-key)$/.test(text)
    )
      at++;
    else if (/^(?:-[a-zA-Z]*T|--upload-file|-[iI]n[fF]ile|--post-file|--body-file)$/.test(text)) {
      if (next !== undefined) merge(merge(sent, readOf(next.taint)), tracer.files.read(next.text));
      if (next?.text === '-') merge(sent, input.taint);
      at++;
    } else {
      const isHeader = /^(?:-H|--header[= ]|authorization:)/i.test(text) && text.length > 3;
      merge(sent, isHeader ? signed(taint) : /(?:^|=)[@<]/.test(text) ? readOf(taint) : taint);
      if (/(?:^|=)[@<]/.test(text)) {
        merge(sent, tracer.files.read(text.replace(/^.*?[@<]/, '').replace(/;.*$/, '')));
        if (/[@<]-/.test(text)) merge(sent, input.taint);
      }
      if (
        /^[a-z]{2,5}:\/\//i.test(text) ||
        (address === undefined && !text.startsWith('-') && /^[\w.-]+\.[a-z]{2,}(?:[/:]|$)/i.test(text))
      )
        address ??= text;
      if (/^(?:--post-file|--body-file|--upload-file)=/.test(text))
        merge(merge(sent, readOf(taint)), tracer.files.read(text.replace(/^[^=]*=/, '')));
      const saved = /^(?:--output|--output-document)=(.+)|^-\w*[oO](\S+)$/.exec(text);
      if (saved !== null && !text.startsWith('--o2')) tracer.write(saved[1] ?? saved[2], download, place);
    }
  }
  if (
    /^-(?!-)\w*[oO]\b/.test(args.map(({ text }) => text ?? '').join(' ')) ||
    (program === 'wget' && !isSaved) ||
    args.some(({ text }) => /^-\w*O$|^--remote-name$/.test(text ?? ''))
  )
    if (address !== undefined)
      tracer.write(address.replace(/[?#].*$/, '').replace(/^.*\//, ''), download, place);
  const isUpload = ({ text = '' }: Value, at: number): boolean => {
    const option = args[at - 1]?.text ?? '';
    return uploadsFile.test(text)
      ? !/^(?:-w|--write-out)$/.test(option)
      : /^-[a-zA-Z]*T$|^--upload-file$/.test(option);
  };
  if (args.some(isUpload)) tracer.upload(place, address);
  tracer.send(place, {
    taint: sent,
    address: address ?? addressIn(args),
    isRaw: false,
    addressTaint: args.find(({ text }) => text === address)?.taint,
  });
  const handed = facts.handsOut(address ?? '');
  if (handed !== undefined) return { taint: { secret: tracer.private(handed, place) } };
  if (/^(?:localhost|127\.)/.test(facts.hostIn(address ?? '') ?? '')) return nothing;
  return { taint: download };
}

/** A copy to another machine or service. */
export function transfer({ program, args, input, place, tracer }: Acting): Value {
  const data: Value[] = [];
  for (let at = 0; at < args.length; at++) {
    if (/^-(?:[ioepPlFJ]|-rsh|-identity-file)$/.test(args[at]!.text ?? '')) at++;
    else data.push(args[at]!);
  }
  const last = data.at(-1);
  const words = data.map(({ text }) => text ?? UNKNOWN);
  const isSent =
    program === 'ssh' ||
    (/^(?:scp|rsync)$/.test(program) && /^[^/\s]{2,}:|^\uf8ff:|::|^rsync:/.test(last?.text ?? '')) ||
    (program === 'rclone' &&
      /^(?:copy|sync|move|copyto|moveto)$/.test(words[0] ?? '') &&
      /:/.test(last?.text ?? '')) ||
    (/^(?:aws|gsutil|s3cmd|mc|az)$/.test(program) &&
      /\b(?:cp|sync|mv|put|upload|rsync)\b/.test(words.join(' ')) &&
      words.findIndex((word) => /^(?:s3|gs):\/\//.test(word)) > 2) ||
    (program === 'gh' &&
      /^(?:gist create|issue create|issue comment|release upload|api)/.test(words.join(' ')));
  const taint = program === 'ssh' ? { ...input.taint } : readOf(merge(union(...data), input.taint));
  if (program === 'ssh') merge(taint, keepSecret(union(...data)));
  merge(taint, contentsOf(tracer, data));
  if (isSent)
    tracer.send(place, {
      taint,
      address: last?.text?.includes('://') ? last.text : undefined,
      isRaw: program !== 'gh',
      owner: program,
    });
  if (program === 'gh' && /^auth token/.test(words.join(' ')))
    return { taint: { secret: trace('gh auth token', place) } };
  return isSent ? nothing : { taint: program === 'aws' || program === 'gh' ? keepSecret(taint) : {} };
}

/** `git add` takes files into the repository, `git push` sends it; `git credential fill` prints a password. */
export function useGit({ args, place, tracer }: Acting, handed: Taint): Value {
  const words = args.filter(({ text }) => !/^-/.test(text ?? ''));
  const command = words.find(({ text }) => /^(?:add|commit|push)$/.test(text ?? ''))?.text;
  const rest = words.slice(words.findIndex(({ text }) => text === command) + 1);
  if (command === 'add')
    tracer.write('.git-index', merge({ ...readOf(union(...rest)) }, contentsOf(tracer, rest)), place);
  const known = command === 'push' ? tracer.files.read('.git-index') : undefined;
  if (known !== undefined) tracer.send(place, { taint: { ...known }, address: addressIn(rest), isRaw: true });
  return { taint: keepSecret(handed) };
}

/** A program that saves what it downloads to its last argument. */
export function save({ args, place, tracer }: Acting): Value {
  const address = args.find(({ text }) => /^[a-z]{2,5}:\/\//i.test(text ?? ''))?.text;
  if (address !== undefined) tracer.write(args.at(-1)?.text, { remote: trace(address, place) }, place);
  return nothing;
}

/** The data in the files that words name. */
export function contentsOf(tracer: Tracer, args: readonly Value[]): Taint {
  const taint: Taint = {};
  for (const { text } of args) merge(taint, tracer.files.read(text?.replace(/^[\w-]*=?@|^</, '')));
  return taint;
}

/** Data without places. */
export const keepSecret = ({ secret, variable, encoded }: Taint): Taint => ({
  ...(secret && { secret }),
  ...(variable && { variable }),
  ...(encoded && { encoded }),
});

export const addressIn = (args: readonly Value[]): string | undefined =>
  args.find(({ text }) => text !== undefined && !text.startsWith('-') && /[.:]/.test(text))?.text;
