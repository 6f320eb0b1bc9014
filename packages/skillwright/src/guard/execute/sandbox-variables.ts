// Variables for every command in a sandbox. Nothing is inherited.

/** The home directory inside the sandbox: empty, and removed afterwards. */
export const PRIVATE_HOME = '/tmp/home';

/** Variables with the same value in every sandbox. */
export const sandboxVariables: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: PRIVATE_HOME,
  TMPDIR: '/tmp',
  USER: 'nobody',
  LOGNAME: 'nobody',
  LANG: 'C.UTF-8',
  // Unbuffered, so that output before a limit is kept.
  PYTHONUNBUFFERED: '1',
  PYTHONDONTWRITEBYTECODE: '1',
};
