// Writes a report as a CycloneDX bill of materials: each skill is a component with its hash, licence and origin.

import { sha256 } from '../../base/files/index.ts';
import { checkLicence } from '../../skill/format/index.ts';
import type { ReportedSkill, SkillReport } from './report.ts';

/** The document as JSON, in version 1.6 of the format. Two reports on the same skills differ in the time only. */
export function renderCycloneDx(report: SkillReport): string {
  const { generated_at, tool, project, skills } = report;
  const content = sha256(JSON.stringify(skills.map(({ path, digest }) => [path, digest])));
  const [name, version] = tool.split(' ');
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidFrom(content)}`,
    version: 1,
    metadata: {
      timestamp: generated_at,
      tools: { components: [{ type: 'application', name, version }] },
      component: { type: 'application', 'bom-ref': 'project', name: project || 'skills' },
    },
    components: skills.map(componentOf),
    dependencies: [{ ref: 'project', dependsOn: skills.map(({ path }) => path) }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** A digest as a UUID of version 8, which leaves its bits to the application. */
const uuidFrom = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;

function componentOf(skill: ReportedSkill): object {
  const { name, path, description, digest, source, verdict } = skill;
  const version = source?.version ?? source?.commit ?? undefined;
  const purl = purlOf(skill);
  const address = source === null ? undefined : /https?:\/\/[^\s#]+/.exec(source.source)?.[0];
  return {
    type: 'library',
    'bom-ref': path,
    name,
    ...(version === undefined ? {} : { version }),
    ...(description === '' ? {} : { description }),
    ...(digest === null ? {} : { hashes: [{ alg: 'SHA-256', content: digest.replace(/^sha256:/, '') }] }),
    ...licencesOf(skill),
    ...(purl === undefined ? {} : { purl }),
    ...(address === undefined
      ? {}
      : { externalReferences: [{ type: source?.commit === null ? 'distribution' : 'vcs', url: address }] }),
    properties: [
      { name: 'skc:path', value: path },
      { name: 'skc:verdict', value: verdict },
      { name: 'skc:agents', value: skill.decision.agents },
    ],
  };
}

/** An SPDX id or expression as such, any other text as a name. */
function licencesOf({ licence: { declared, detected } }: ReportedSkill): object {
  const text = declared ?? detected;
  if (text === null) return {};
  if (text === detected || checkLicence(text).length === 0)
    return /\s/.test(text) ? { licenses: [{ expression: text }] } : { licenses: [{ license: { id: text } }] };
  return { licenses: [{ license: { name: text } }] };
}

/** Where packages are known by a purl: npm, and repositories on GitHub. */
function purlOf({ source }: ReportedSkill): string | undefined {
  if (source === null) return undefined;
  const { source: spelled, version, commit, path } = source;
  const at = version ?? commit;
  const end = `${at === null ? '' : `@${encodeURIComponent(at)}`}${path === '' ? '' : `#${encodeURI(path)}`}`;
  const [, repository] = /github\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?(?:[#/@]|$)/.exec(spelled) ?? [];
  if (repository !== undefined) return `pkg:github/${repository.toLowerCase()}${end}`;
  const [, name] = /^npm:((?:@[\w.-]+\/)?[\w.-]+)/.exec(spelled) ?? [];
  return name === undefined ? undefined : `pkg:npm/${name.replace('@', '%40')}${end}`;
}
