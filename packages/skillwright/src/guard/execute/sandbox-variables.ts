// The few variables every command in a sandbox gets. Nothing is inherited.

/** The home directory inside: empty, and gone afterwards. */
export const PRIVATE_HOME = '/tmp/home';

/** Variables with the same value in every sandbox. */
export const sandboxVariables: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: PRIVATE_HOME,
  TMPDIR: '/tmp',
  USER: 'nobody',
  LOGNAME: 'nobody',
  LANG: 'C.UTF-8',
  // What was printed before a limit was reached is kept.
  PYTHONUNBUFFERED: '1',
  PYTHONDONTWRITEBYTECODE: '1',
};
