// The environment variables of skc. Every one is read through `findVariable`, so that all follow the same rule.

/** An environment: the process's own, or one that a host or a test gives. */
type Variables = Readonly<Record<string, string | undefined>>;

const PREFIX = 'SKC_';

/** The prefix of earlier versions, which the names of files such as `.skillc` still have. */
const OLD_PREFIX = 'SKILLC_';

/** Variables besides the ones that override configuration keys: the name after the prefix, and what it does. */
export const ownVariables = {
  HOME: 'The directory to use instead of your home directory, for every path below `~` that `skc` reads or writes',
  AGENTS_ROOT: 'The project directory; no other is looked for',
  TOKEN: 'Your token for the registry in `registry.url`; it wins over `skc login`',
  ID_TOKEN: 'The identity token of a CI job, which `skc publish` exchanges for a token of the registry',
  RUN_ID: 'An id that ties the accesses of one agent run together in the access log',
  SESSION: 'The session that a passed quiz counts for',
  NO_LOG: 'Set to anything: write no access log',
  DEBUG: 'Set to anything: print the stack of an internal error, and how often each fact was looked up',
} as const;

/** The name of a variable after its prefix: `HOME`, or `BUILD_DEPLOY` for the key `build.deploy`. */
type OwnVariable = keyof typeof ownVariables;

/** The full name of a variable: `SKC_HOME`. */
export const variableName = <Name extends string>(name: Name): `SKC_${Name}` => `${PREFIX}${name}`;

/** A variable that is set, under the name it is set by. `SKC_HOME` wins over `SKILLC_HOME`, even when it is empty. */
export function findVariable(env: Variables, name: string): { name: string; value: string } | undefined {
  for (const full of [PREFIX + name, OLD_PREFIX + name]) {
    const value = env[full];
    if (value !== undefined) return { name: full, value };
  }
  return undefined;
}

/** The value of a variable that is set and not empty. */
export const readVariable = (env: Variables, name: OwnVariable): string | undefined =>
  findVariable(env, name)?.value || undefined;

/** The variables of skc that are set, by the name after the prefix. */
export function namesOfVariables(env: Variables): string[] {
  const names: string[] = [];
  for (const full of Object.keys(env)) {
    if (full.startsWith(PREFIX)) names.push(full.slice(PREFIX.length));
    else if (full.startsWith(OLD_PREFIX)) names.push(full.slice(OLD_PREFIX.length));
  }
  return names;
}

/** Variables that are set under both names to different values: the name that counts, and the one that does not. */
export function contradictingVariables(env: Variables): { name: string; old: string }[] {
  return [...new Set(namesOfVariables(env))]
    .map((name) => ({ name: PREFIX + name, old: OLD_PREFIX + name }))
    .filter(({ name, old }) => env[name] !== undefined && env[old] !== undefined && env[name] !== env[old]);
}
