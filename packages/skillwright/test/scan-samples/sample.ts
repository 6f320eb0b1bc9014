// Skills written for the scanner's tests: made up after public reports, with addresses that lead nowhere.

/** One skill: its files by path. */
export interface Sample {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
}

/** A skill of a name, a description, the body of its SKILL.md and further files. */
export function sample(
  name: string,
  description: string,
  rest: { body: string; files?: Record<string, string>; fields?: string },
): Sample {
  const fields = rest.fields === undefined ? '' : `${rest.fields}\n`;
  const text = `---\nname: ${name}\ndescription: ${description}\n${fields}---\n\n# ${name}\n\n${rest.body.trim()}\n`;
  return { name, files: { 'SKILL.md': text, ...rest.files } };
}

/** Text in base64, made when the test runs so that no file holds it. */
export const base64 = (text: string): string => Buffer.from(text).toString('base64');
