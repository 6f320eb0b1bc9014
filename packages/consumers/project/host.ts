// A small host, as somebody would write it who has installed `skillwright` and a zod of their own.

import { createClient, type SkillwrightError } from 'skillwright';
import { bindTools, createSession, type Session } from 'skillwright/host';
import * as z from 'zod';

const session: Session = await createSession({ cwd: process.cwd(), home: process.cwd(), trust: true });
const client = createClient({ cwd: process.cwd(), home: process.cwd() });

/** The schema of a tool belongs to the zod of skillwright, and has to pass for one of the host's. */
const schemas: Record<string, z.ZodType> = {};
for (const { name, input } of await bindTools(session)) schemas[name] = input;
const wrapped = z.object({ arguments: schemas.skill_load ?? z.never() });

const { text } = await session.load({ name: 'greeting' });
// @ts-expect-error: the declarations are read, so a mistake is one.
const mistake: number = text;
const missing = await session
  .load({ name: 'missing' })
  .then(() => 'loaded')
  .catch((error: SkillwrightError) => error.code);

process.stdout.write(
  `${JSON.stringify({
    prompt: (await session.prompt()).text.includes('<name>greeting</name>'),
    tools: Object.keys(schemas).sort(),
    checked: wrapped.safeParse({ arguments: { name: 'greeting' } }).success,
    refused: wrapped.safeParse({ arguments: { name: 7 } }).success,
    loaded: text.includes('Say hello.'),
    missing,
    mistake: typeof mistake,
    version: (await client.version()).version,
  })}\n`,
);
