// Tests our own skills with a real model: `skc test --model` against an endpoint, such as bench/model-server.ts. Not part
// of `npm run bench`: it takes as long as the model takes.
// usage: node bench/model-evals.ts <url of the endpoint> <name of the model> [runs] [skc test flags]

import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelReport } from '../packages/skillwright/src/front/commands/model-report.ts';
import { inWorkplace, repository, write } from './workplace.ts';

const [url, model = 'model', runs = '1', ...flags] = process.argv.slice(2);
if (url === undefined) throw new Error('usage: node bench/model-evals.ts <url> <model> [runs] [flags]');

/** Seconds that one answer may take on a machine without a graphics card. */
const TIMEOUT = 900;

await inWorkplace((directory) => {
  const home = join(directory, 'home');
  for (const folder of ['skills', 'examples/skills'])
    cpSync(join(repository, folder), join(directory, 'project/.claude/skills'), { recursive: true });
  write(
    join(home, '.skillc/config.toml'),
    `[models.bench]\nkind = "openai"\nurl = "${url}"\nmodel = "${model}"\ntemperature = 0\nmax_tokens = 256\ntimeout = ${TIMEOUT}\n`,
  );
  const cli = join(repository, 'packages/skillwright/src/front/cli/main.ts');
  const words = [
    'test',
    '.claude/skills',
    '--author',
    '--model',
    'bench',
    '--runs',
    runs,
    '--json',
    ...flags,
  ];
  const { stdout, stderr } = spawnSync(process.execPath, [cli, ...words], {
    cwd: join(directory, 'project'),
    env: { ...process.env, HOME: home, SKC_NO_LOG: '1' },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const { model: report } = JSON.parse(stdout) as { model: ModelReport | null };
  if (report === null) throw new Error(stderr);
  for (const { skill, kind, title, conditions } of report.cases)
    for (const { condition, passed, runs: done, why } of conditions)
      console.log(`${passed}/${done}\t${skill}\t${kind}\t${condition}\t${title}\t${why}`);
  for (const { condition, passed, runs: done, low, high, input_tokens: sent, seconds } of report.conditions)
    console.log(
      `${condition}: ${passed} of ${done} (${Math.round(low * 100)} to ${Math.round(high * 100)} %), ${sent} tokens, ${seconds} s`,
    );
  for (const line of [...report.notes, ...report.problems, report.stopped ?? ''])
    if (line !== '') console.log(line);
  return Promise.resolve();
});
