// Scans a collection of skills, compared with reading the same files.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { scanSkill } from '../packages/skillwright/src/guard/scan/scan-skill.ts';
import { type Figure, median, time } from './figure.ts';
import { inWorkplace, paragraph, write } from './workplace.ts';

const SKILLS = 200;

/** Several pages of Markdown and a script, like a real skill. */
function fill(directory: string, number: number): void {
  const sections = Array.from(
    { length: 60 },
    (_, index) =>
      `## Step ${index}\n\n${paragraph(number + index, 120)}.\n\n\`\`\`bash\nnpm install demo-${index}\ncurl -s https://api.example.com/v1/items\n\`\`\`\n`,
  );
  const text = `---\nname: demo-${number}\ndescription: Works on tables.\n---\n\n# Demo\n\n${sections.join('\n')}`;
  write(join(directory, 'SKILL.md'), text);
  const functions = Array.from(
    { length: 150 },
    (_, index) =>
      `def step_${index}(rows):\n    """${paragraph(index, 12)}."""\n    return [row for row in rows if row["key"] != ${index}]\n`,
  );
  write(join(directory, 'scripts/run.py'), `import os, requests\n\n${functions.join('\n')}`);
}

/** Speed of a full scan in megabytes per second, and its ratio to reading. */
export function measureScan(): Promise<Figure[]> {
  return inWorkplace((directory) => {
    const skills = Array.from({ length: SKILLS }, (_, number) => join(directory, `demo-${number}`));
    skills.forEach(fill);
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .map((path) => join(directory, path))
      .filter((path) => statSync(path).isFile());
    const megabytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6;
    const reading = time(5, () => {
      for (const file of files) readFileSync(file, 'utf8');
    });
    const scanning = median(
      Array.from({ length: 5 }, () =>
        time(1, () => {
          for (const skill of skills) scanSkill(skill);
        }),
      ),
    );
    const speed = megabytes / (scanning / 1000);
    return [
      {
        name: `scan of ${SKILLS} skills, ${megabytes.toFixed(0)} MB`,
        value: speed,
        unit: 'MB/s',
        baseline: { name: 'reading the same files', value: reading },
        ratio: scanning / reading,
        target: { text: 'at least 20 MB/s', met: speed >= 20 },
      },
    ];
  });
}
