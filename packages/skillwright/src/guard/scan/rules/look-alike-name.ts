// SCN911: names that imitate others.

import { editDistance } from '../../../base/diagnostics/index.ts';
import { foldName } from '../../../skill/format/index.ts';
import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

/** Vendors and tools whose names are worth imitating. */
const famousNames = [
  'anthropic',
  'claude-code',
  'openai',
  'openclaw',
  'clawhub',
  'clawdbot',
  'moltbot',
  'polymarket',
  'metamask',
  'phantom-wallet',
  'coinbase',
  'binance',
  'github',
  'playwright',
  'puppeteer',
  'superpowers',
  'skill-creator',
  'frontend-design',
  'webapp-testing',
  'mcp-builder',
  'agent-browser',
  'kubernetes',
  'terraform',
  'cloudflare',
  'supabase',
  'vercel-deploy',
  'solana',
  'ethereum',
];

/** Packages that are installed most, and therefore imitated most. */
const packages = [
  'requests',
  'urllib3',
  'numpy',
  'pandas',
  'python-dateutil',
  'cryptography',
  'setuptools',
  'beautifulsoup4',
  'colorama',
  'tensorflow',
  'matplotlib',
  'openai',
  'anthropic',
  'langchain',
  'selenium',
  'playwright',
  'puppeteer',
  'express',
  'lodash',
  'react',
  'axios',
  'chalk',
  'commander',
  'typescript',
  'cross-env',
  'node-fetch',
  'dotenv',
  'mongoose',
  'electron',
  'discord.js',
  'web3',
  'ethers',
  'solana-web3',
  'boto3',
  'pyyaml',
  'pillow',
  'scikit-learn',
  'flask',
  'django',
  'fastapi',
  'pydantic',
  'nodemailer',
  'webpack',
  'eslint',
  'prettier',
];

/** Real packages whose names are close to another. */
const honest = new Set(['djongo', 'dotenvx', 'jslint', 'openapi', 'preact', 'tslint']);

const installs = defineProbe(
  /\b(?:pip3? install|uv (?:pip install|add)|npm (?:install|i)|yarn add|pnpm add|bun add|npx(?: -y)?|uvx)\s{1,3}((?:-{1,2}[\w-]{1,20}(?:=\S{1,40})?\s{1,3}){0,4}[@\w./-]{2,60}(?:\s{1,3}[@\w./-]{2,60}){0,8})/gi,
  { needs: 'bun add,npm i,npx,pip install,pip3 install,pnpm add,uv add,uvx,yarn add', reach: 900 },
);

/** Reports names that differ from a famous one by a letter or a look-alike character. */
export const lookAlikeName: ScanRule = {
  id: 'SCN911',
  name: 'look-alike-name',
  category: 'typosquat',
  severity: 'medium',
  summary: 'The name of the skill, or of a package it installs, is a famous name with a letter changed.',
  reason: 'Such names wait for people who mistype or do not look twice.',
  help: 'Compare the name with the one you wanted.',
  *check(subject) {
    for (const given of new Set([subject.name, subject.directoryName])) {
      const plain = foldName(given.normalize('NFKC'));
      const famous = famousNames.find((known) => plain !== known && isClose(plain, known));
      if (famous !== undefined)
        yield {
          message: `the name ${given} looks like ${famous}`,
          excerpt: given,
          line: 1,
          severity: 'medium',
          confidence: 'medium',
        };
      else if (/[^\x00-\x7f]/.test(given) && /[a-z]{3}/i.test(given)) {
        yield {
          message: `the name ${given} mixes alphabets`,
          excerpt: given,
          line: 1,
          severity: 'medium',
          confidence: 'medium',
        };
      }
    }
    for (const match of subject.matches(installs)) {
      const words = (match.groups[0] ?? '').split(/\s+/).filter((word) => !word.startsWith('-'));
      for (const word of words) {
        const name = word.replace(/[=<>~[@].*$/, '').toLowerCase();
        if (name.length < 5 || honest.has(name) || packages.includes(name)) continue;
        const famous = famousPackage(name);
        if (famous === undefined) continue;
        yield {
          message: `the package ${name} looks like ${famous}`,
          match,
          excerpt: word,
          severity: 'medium',
          confidence: subject.weigh(match),
        };
        break;
      }
    }
  },
};

const known = new Map<string, string | undefined>();

/** The package a name is easily mistaken for; cached, because the same few names recur. */
function famousPackage(name: string): string | undefined {
  if (known.has(name)) return known.get(name);
  const famous = packages.find((other) => other.length >= 5 && isClose(name, other));
  if (known.size < 10_000) known.set(name, famous);
  return famous;
}

/** A single typing error: a longer word, a plural or a number after the name is a name in its own right. */
function isClose(name: string, known: string): boolean {
  if (name.length < 5 || Math.abs(name.length - known.length) > 1) return false;
  if (name.startsWith(known) && /^[s\d]?$/.test(name.slice(known.length)) && known.length > 0)
    return /\d$/.test(name) && known.startsWith('claw');
  if (known.startsWith(name)) return false;
  return editDistance(name, known, 1) === 1;
}
