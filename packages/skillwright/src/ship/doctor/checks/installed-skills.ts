// Checks of installed skills against the lock, the scan and their registries.

import { hideSecrets } from '../../../base/diagnostics/index.ts';
import { statusAt } from '../../../base/files/index.ts';
import { type FileDrift, isHeld, noticeWords, readNews } from '../../install/index.ts';
import { noticeLine } from '../../network/index.ts';
import { checksOf, defineCheck, FIX } from '../check.ts';
import { restore } from '../repairs.ts';
import { isDrifted } from '../survey.ts';

/** Reports installed skills whose directory is gone. */
const missingSkill = defineCheck({
  id: 'missing-skill',
  summary: 'Every skill in the lock is in the store.',
  *find(survey) {
    for (const skill of survey.skills) {
      const { name, entry, sourcePath } = skill;
      if (entry === undefined || statusAt(sourcePath) !== undefined) continue;
      yield {
        severity: 'error',
        subject: sourcePath,
        message: `'${name}' is in the lock, but its directory is gone`,
        why: `It was installed from ${hideSecrets(entry.source)}.`,
        fix: FIX,
        repair: restore(skill, survey),
      };
    }
  },
});

const SHOWN = 3;

/** Whether only the lock has changed, not the files. */
const isBehind = ({ modified, extra, behind }: FileDrift) =>
  behind.length > 0 && modified.length + extra.length === 0;

/** Reports drift. It may be someone's work, so `--fix` never reverts it. */
const drift = defineCheck({
  id: 'drift',
  summary: 'Installed files match the lock, apart from edits that an update kept.',
  *find({ skills }) {
    for (const skill of skills) {
      const { name, drift: found, sourcePath } = skill;
      if (found === undefined || !isDrifted(skill)) continue;
      const kinds = (['modified', 'missing', 'extra', 'behind'] as const).filter(
        (kind) => found[kind].length > 0,
      );
      const counts = kinds.map((kind) => `${found[kind].length} ${kind}`).join(', ');
      const files = kinds.flatMap((kind) => found[kind]);
      const more = files.length > SHOWN ? `, and ${files.length - SHOWN} more` : '';
      yield {
        severity: 'warning',
        subject: sourcePath,
        message: `'${name}' differs from the lock: ${counts}`,
        why: `${files.slice(0, SHOWN).join(', ')}${more}. ${isBehind(found) ? 'The lock has changed since it was installed here.' : 'It may be your own edit, or a foreign one.'}`,
        fix: isBehind(found)
          ? "'skc install' restores the version in the lock"
          : `'skc verify ${name}' names every file; 'skc update ${name}' keeps edits; 'skc install --force' discards them`,
      };
    }
  },
});

/** Reports every acceptance in the locks, so that none is forgotten. */
const acceptedRisk = defineCheck({
  id: 'accepted-risk',
  summary: 'No installed skill has a dangerous finding that someone accepted.',
  *find({ skills }) {
    for (const { name, entry, sourcePath } of skills) {
      for (const acceptance of entry?.accepted ?? []) {
        const { rule, file, by, reason, at } = acceptance;
        const holds = isHeld(sourcePath, acceptance);
        yield {
          severity: holds ? 'info' : 'warning',
          subject: sourcePath,
          message: `'${name}': ${rule} in ${file} was accepted by ${by}`,
          why: `On ${at.slice(0, 10)}: ${reason}${holds ? '' : '. The file has changed since, so the acceptance no longer counts.'}`,
          fix: `'skc scan ${name}' shows the finding; 'skc uninstall ${name}' removes the skill`,
        };
      }
    }
  },
});

/** Reports yanked and quarantined versions, deprecated skills, and advisories. */
const withdrawn = defineCheck({
  id: 'withdrawn',
  summary: 'No registry warns about an installed skill.',
  *find({ skills, context }) {
    const news = readNews(context.workspace);
    for (const { name, entry, place, sourcePath } of skills) {
      const heard = entry && news.of({ lock: place.store.lock, name, entry });
      for (const { kind, text } of heard?.notices ?? [])
        yield {
          severity: kind === 'deprecated' ? 'info' : 'warning',
          subject: sourcePath,
          message: `'${name}' is ${noticeWords(kind)}`,
          why: `Its registry said at ${heard?.checked_at}: ${noticeLine(text)}`,
          fix: `'skc update ${name}' installs the registry's current version; 'skc uninstall ${name}' removes the skill`,
        };
    }
  },
});

/** In the order of their findings. */
export const installedSkills = checksOf('installed skills', [missingSkill, drift, acceptedRisk, withdrawn]);
