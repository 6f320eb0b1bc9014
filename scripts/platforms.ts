// Platforms with a published executable, and the packages that contain it.

/** A platform, with its names in npm and in Bun's compiler. */
export interface Platform {
  readonly os: string;
  readonly cpu: string;
  readonly target: string;
}

/** npm installs the package with matching `os` and `cpu`. */
export const platforms: readonly Platform[] = [
  // Without AVX2, so that processors from 2012 can run it.
  { os: 'linux', cpu: 'x64', target: 'bun-linux-x64-baseline' },
  { os: 'linux', cpu: 'arm64', target: 'bun-linux-arm64' },
  { os: 'darwin', cpu: 'x64', target: 'bun-darwin-x64' },
  { os: 'darwin', cpu: 'arm64', target: 'bun-darwin-arm64' },
  { os: 'win32', cpu: 'x64', target: 'bun-windows-x64-baseline' },
];

/** The platform of this machine, if it has a published executable. */
export const ownPlatform: Platform | undefined = platforms.find(
  ({ os, cpu }) => os === process.platform && cpu === process.arch,
);

/** Name of a platform, such as `linux-x64`. */
export const nameOf = ({ os, cpu }: Platform): string => `${os}-${cpu}`;

/** The package that contains the executable of a platform. */
export const packageOf = (platform: Platform): string => `@skillwright/skc-${nameOf(platform)}`;

/** Name of the executable in it. */
export const executableOf = ({ os }: Platform): string => (os === 'win32' ? 'skc.exe' : 'skc');
