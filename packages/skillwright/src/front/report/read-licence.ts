// The licence of a skill: the field, the file, and whether they agree.

import { attempt } from '../../base/diagnostics/index.ts';
import { namesIn, readTextInside } from '../../base/files/index.ts';
import type { Licence } from './report.ts';

const licenceFile = /^(?:licen[cs]e|copying|unlicense)(?:[-.]|$)/i;

/** Sentences that only one licence has. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/GNU AFFERO GENERAL PUBLIC LICENSE\s+Version 3/i, 'AGPL-3.0'],
  [/GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3/i, 'LGPL-3.0'],
  [/GNU LESSER GENERAL PUBLIC LICENSE\s+Version 2\.1/i, 'LGPL-2.1'],
  [/GNU GENERAL PUBLIC LICENSE\s+Version 3/i, 'GPL-3.0'],
  [/GNU GENERAL PUBLIC LICENSE\s+Version 2/i, 'GPL-2.0'],
  [/Apache License\s+Version 2\.0|www\.apache\.org\/licenses\/LICENSE-2\.0/i, 'Apache-2.0'],
  [/Mozilla Public License,?\s+(?:Version|v\.) ?2\.0/i, 'MPL-2.0'],
  [/Attribution-NonCommercial-ShareAlike 4\.0/i, 'CC-BY-NC-SA-4.0'],
  [/Attribution-NonCommercial 4\.0/i, 'CC-BY-NC-4.0'],
  [/Attribution-ShareAlike 4\.0/i, 'CC-BY-SA-4.0'],
  [/Attribution 4\.0 International/i, 'CC-BY-4.0'],
  [/CC0 1\.0 Universal/i, 'CC0-1.0'],
  [/Permission is hereby granted, free of charge, to any person obtaining a copy/i, 'MIT'],
  [/Permission to use, copy, modify, and\/or distribute this software for any/i, 'ISC'],
  [/Neither the name of[\s\S]{0,200}endorse or promote/i, 'BSD-3-Clause'],
  [/Redistribution and use in source and binary forms/i, 'BSD-2-Clause'],
  [/This is free and unencumbered software released into the public domain/i, 'Unlicense'],
];

/** Licences that skills may and may not have, as SPDX ids; all may with an empty `allow`. */
export interface LicencePolicy {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** Reads the licence of the skill in `dir`. Total. */
export function readLicence(dir: string, field: unknown, policy: LicencePolicy): Licence {
  const declared =
    typeof field === 'string' && field.trim() !== '' ? field.replace(/\s+/g, ' ').trim() : null;
  const names = (attempt(() => namesIn(dir)) ?? []).filter((name) => licenceFile.test(name)).sort();
  const [file = null] = names;
  const text = file === null ? undefined : attempt(() => readTextInside(dir, file));
  const detected = text === undefined ? null : (texts.find(([pattern]) => pattern.test(text))?.[1] ?? null);
  const problem = licenceProblem({ declared, detected, names });
  return { declared, file, detected, problem, refused: refusedBy(policy, declared ?? detected) };
}

function licenceProblem(licence: {
  declared: string | null;
  detected: string | null;
  names: readonly string[];
}): string | null {
  const { declared, detected, names } = licence;
  if (declared === null) return names.length === 0 ? 'no licence is declared' : null;
  const named = /\b((?:licen[cs]e|copying|notice)(?:[.-][\w.-]*)?\.(?:txt|md|html|pdf))\b/i.exec(
    declared,
  )?.[1];
  if (named !== undefined && !names.some((name) => name.toLowerCase() === named.toLowerCase()))
    return `the field refers to ${named}, which does not exist`;
  const ids = declared.match(/[A-Za-z0-9][\w.+-]*/g) ?? [];
  const isId = /^[A-Za-z0-9.+() -]{2,60}$/.test(declared) && named === undefined;
  if (detected === null || !isId || ids.some((id) => isSameLicence(id, detected))) return null;
  return `the field says ${declared}, the text of ${names[0]} is ${detected}`;
}

const isSameLicence = (id: string, other: string): boolean => {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/-(?:only|or-later)$|\+$/, '')
      .replace(/[^a-z0-9]/g, '');
  return plain(id) === plain(other) || (plain(other).startsWith(plain(id)) && plain(id).length > 2);
};

/** Why a policy refuses a licence. Of several with OR between them, one that may be used is enough. */
function refusedBy({ allow, deny }: LicencePolicy, licence: string | null): string | null {
  if (licence === null) return allow.length === 0 ? null : 'report.licences.allow needs a licence';
  const isIn = (list: readonly string[], id: string) => list.some((one) => isExactly(one, id));
  const choices = licence.split(/\s+OR\s+/i).map((choice) =>
    choice
      .replace(/[()]/g, '')
      .split(/\s+(?:AND|WITH)\s+/i)
      .map((id) => id.trim()),
  );
  const isAllowed = (id: string) => !isIn(deny, id) && (allow.length === 0 || isIn(allow, id));
  if (choices.some((ids) => ids.every(isAllowed))) return null;
  return choices.flat().some((id) => isIn(deny, id))
    ? `report.licences.deny has ${licence}`
    : `report.licences.allow does not have ${licence}`;
}

const isExactly = (a: string, b: string): boolean => {
  const plain = (text: string) => text.toLowerCase().replace(/-(?:only|or-later)$|\+$/, '');
  return plain(a) === plain(b);
};
