// SCN206: packages from outside their registry.

import { defineProbe, occursIn } from '../probe.ts';
import { numericHosts } from '../probes/network-sinks.ts';
import type { ScanRule } from '../scan-rule.ts';

const installs = defineProbe(
  /\b(?:(?:pip3?|uv pip|npm|pnpm|bun|gem|brew) (?:install|i|add)|(?:yarn|uv|pnpm|bun) add|npx|uvx)\b(?:[ \t]{1,3}(?!https?:|git\+)[@\w.=/-]{1,60}){0,6}[ \t]{1,3}["']?(?:git\+)?https?:\/\/[^\s"'`)]{4,200}|--(?:extra-)?index-url[=\s]{1,3}["']?http[^\s"'`]{4,200}|--trusted-host[=\s]{1,3}[^\s"'`]{3,100}|--registry[=\s]{1,3}["']?https?:\/\/[^\s"'`]{4,200}/gi,
  {
    needs:
      '--registry,--trusted-host,-index-ur,brew,bun add,bun i,gem add,gem i,npm add,npm i,npx,pip add,pip i,pip3,uv add,uvx,yarn add',
    reach: 700,
  },
);

const usual =
  /https?:\/\/(?:[\w-]{1,30}\.){0,2}(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|yarnpkg\.com|pytorch\.org|nvidia\.com|huggingface\.co|npmmirror\.com|tsinghua\.edu\.cn|aliyun\.com|tencent\.com|anaconda\.com|conda\.io|googleapis\.com|amazonaws\.com|microsoft\.com|azure\.com|localhost|127\.0\.0\.1|jsr\.io|verdaccio|artifactory|nexus|esm\.sh|unpkg\.com|jsdelivr\.net|rubygems\.org)/i;

/** Reports installations from unknown addresses. */
export const installFromUrl: ScanRule = {
  id: 'SCN206',
  name: 'install-from-url',
  category: 'download-and-run',
  severity: 'medium',
  summary: 'Installs a package from an address that is neither a registry nor a well-known forge.',
  reason: 'No one else uses or checks such a package, and it can change at any time.',
  help: 'Find out what the package is, and install it from its registry.',
  *check(subject) {
    for (const match of subject.matches(installs)) {
      const numeric = occursIn(numericHosts, match.text);
      const plain = /\shttp:\/\//i.test(match.text) || /\.(?:tgz|whl|tar\.gz|zip)\b/i.test(match.text);
      if (
        /^(?:npx|uvx)\b/i.test(match.text) &&
        !/^(?:npx|uvx)(?:\s+-\S+)*\s+["']?(?:git\+)?https?:/i.test(match.text)
      )
        continue;
      if (!numeric && (usual.test(match.text) || !/https?:\/\//i.test(match.text))) continue;
      const weight = subject.weigh(match);
      yield {
        message: 'installs a package from an unknown address',
        match,
        severity: numeric ? 'high' : 'medium',
        confidence: numeric || plain ? weight : weight * 0.6,
      };
    }
  },
};
