// Verdicts on skills of 34 malicious and 28 harmless families by an independent hand, and on orders put into ordinary skills.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import families from '../../../test/scan-samples/families.json' with { type: 'json' };
import fresh from '../../../test/scan-samples/fresh-families.json' with { type: 'json' };
import { dataGuide, dockerGuide, pythonGuide, reviewGuide } from '../../../test/scan-samples/guides.ts';
import { scanSkill } from './scan-skill.ts';

/** The families that the rules were tuned on from the start. The others were measured once before they were used. */
const tuned = new Set(
  `autorun-hooks ci-secrets-theft code-backdoors credential-phishing database-urls dns-exfiltration encoded-payload
  fake-prerequisites false-results hidden-text lowering-permissions persistence reverse-shell skill-spreading split-over-files
  surveillance typosquats api-clients browser-automation ctf-helpers deploy-with-secrets encryption-tools git-hooks-wanted
  injection-teaching mcp-setup own-backup own-webhooks scheduled-agents secret-managers ssh-key-management
  telemetry-optin`.split(/\s+/),
);

function verdictOf(name: string, files: object): string {
  const tree = Object.entries(files).map(([path, text]) => [`${name}/${path}`, String(text)]);
  return scanSkill(join(makeDirectory(Object.fromEntries(tree)), name)).verdict;
}

/** `<verdict> <family>/<skill>` of every skill with another verdict, and the share of those with it. */
function judge(kind: 'malicious' | 'harmless', isTuned: boolean) {
  const verdicts = Object.entries(families[kind])
    .filter(([family]) => tuned.has(family) === isTuned)
    .flatMap(([family, skills]) =>
      Object.entries(skills as Record<string, object>).map(
        ([name, files]) => `${verdictOf(name, files)} ${family}/${name}`,
      ),
    );
  const share = (...wanted: string[]) =>
    verdicts.filter((line) => wanted.some((verdict) => line.startsWith(`${verdict} `))).length /
    verdicts.length;
  return { verdicts, share };
}

describe('malicious skills without a danger verdict, by family', () => {
  test.each([
    ['tuned', true, 0.7, 0.8],
    ['others', false, 0.4, 0.55],
  ] as const)('%s', (_, isTuned, danger, flagged) => {
    const { verdicts, share } = judge('malicious', isTuned);
    expect(verdicts.filter((line) => !line.startsWith('danger '))).toMatchSnapshot();
    expect(share('danger')).toBeGreaterThanOrEqual(danger);
    expect(share('danger', 'caution')).toBeGreaterThanOrEqual(flagged);
  });
});

test('harmless look-alikes that are not clean', () => {
  const verdicts = [true, false].flatMap((isTuned) => judge('harmless', isTuned).verdicts);
  expect(verdicts.filter((line) => !line.startsWith('clean '))).toMatchSnapshot();
});

/** Every second family was looked at while the rules were written; the others were measured before anybody looked. */
test('families written from published reports: misses and false alarms', () => {
  const verdicts = (['malicious', 'harmless'] as const).flatMap((kind) =>
    Object.entries(fresh[kind]).flatMap(([family, skills]) =>
      Object.entries(skills as Record<string, object>).map(
        ([name, files]) => `${kind} ${verdictOf(name, files)} ${family}/${name}`,
      ),
    ),
  );
  expect(verdicts.filter((line) => !/^(?:malicious danger|harmless clean) /.test(line))).toMatchSnapshot();
});

describe('orders in ordinary skills that are not found', () => {
  const guides = [dataGuide, dockerGuide, pythonGuide, reviewGuide];
  test.each(['obvious', 'contextual'] as const)('%s', (kind) => {
    const verdicts = [...families.injected[kind], ...fresh.injected[kind]].map((line, at) => {
      const { name, files } = guides[at % guides.length]!(line);
      return `${verdictOf(name, files)} ${at + 1}`;
    });
    expect(verdicts.filter((line) => line.startsWith('clean '))).toMatchSnapshot();
  });
});
