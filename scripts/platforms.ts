// The platforms that an executable is published for, and the packages that carry it.

/** One platform: as npm names it, and as Bun names it when it compiles for it. */
export interface Platform {
  readonly os: string;
  readonly cpu: string;
  readonly target: string;
}

/** npm installs the package whose `os` and `cpu` fit. */
export const platforms: readonly Platform[] = [
  // Without AVX2: a processor from 2012 runs it too.
  { os: 'linux', cpu: 'x64', target: 'bun-linux-x64-baseline' },
  { os: 'linux', cpu: 'arm64', target: 'bun-linux-arm64' },
  { os: 'darwin', cpu: 'x64', target: 'bun-darwin-x64' },
  { os: 'darwin', cpu: 'arm64', target: 'bun-darwin-arm64' },
  { os: 'win32', cpu: 'x64', target: 'bun-windows-x64-baseline' },
];

/** The platform of this machine, if an executable is published for it. */
export const ownPlatform: Platform | undefined = platforms.find(
  ({ os, cpu }) => os === process.platform && cpu === process.arch,
);

/** `linux-x64`. */
export const nameOf = ({ os, cpu }: Platform): string => `${os}-${cpu}`;

/** The package that carries the executable of a platform. */
export const packageOf = (platform: Platform): string => `@skillwright/skc-${nameOf(platform)}`;

/** The file in it. */
export const executableOf = ({ os }: Platform): string => (os === 'win32' ? 'skc.exe' : 'skc');
