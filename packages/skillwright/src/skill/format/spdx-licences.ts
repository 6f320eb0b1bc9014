// SPDX identifiers of licences used for skills. Unknown ones only draw a warning, so that a new licence does no harm.

const versions = (family: string, numbers: string, ending = '') =>
  numbers.split(' ').map((number) => `${family}-${number}${ending}`);

const gnu = (family: string, numbers: string) => [
  ...versions(family, numbers),
  ...versions(family, numbers, '-only'),
  ...versions(family, numbers, '-or-later'),
];

const commons = ['BY', 'BY-NC', 'BY-ND', 'BY-SA', 'BY-NC-ND', 'BY-NC-SA'].flatMap((kind) =>
  versions(`CC-${kind}`, '1.0 2.0 2.5 3.0 4.0'),
);

/** Licence identifiers. */
export const licences: readonly string[] = [
  ...versions('Apache', '1.0 1.1 2.0'),
  ...versions('BSD', '1 2 3 4', '-Clause'),
  ...['BSD-2-Clause-Patent', 'BSD-3-Clause-Clear', 'BSD-3-Clause-LBNL', 'BSD-4-Clause-UC', 'BSD-Source-Code'],
  ...[
    'MIT',
    'MIT-0',
    'MIT-CMU',
    'ISC',
    '0BSD',
    'X11',
    'Zlib',
    'Libpng',
    'NCSA',
    'curl',
    'ICU',
    'Intel',
    'NTP',
  ],
  ...['Unlicense', 'WTFPL', 'Beerware', 'CC0-1.0', 'CC-PDDC', 'blessing', 'FSFAP', 'HPND', 'JSON', 'OpenSSL'],
  ...[
    'PostgreSQL',
    'Ruby',
    'Vim',
    'TCL',
    'Sleepycat',
    'Unicode-3.0',
    'Unicode-DFS-2016',
    'W3C',
    'FTL',
    'IJG',
  ],
  ...gnu('GPL', '1.0 2.0 3.0'),
  ...gnu('LGPL', '2.0 2.1 3.0'),
  ...gnu('AGPL', '1.0 3.0'),
  ...gnu('GFDL', '1.1 1.2 1.3'),
  ...commons,
  ...versions('MPL', '1.0 1.1 2.0'),
  'MPL-2.0-no-copyleft-exception',
  ...versions('EPL', '1.0 2.0'),
  ...versions('EUPL', '1.0 1.1 1.2'),
  ...versions('CDDL', '1.0 1.1'),
  ...versions('Artistic', '1.0 2.0'),
  ...versions('AFL', '1.1 1.2 2.0 2.1 3.0'),
  ...versions('OSL', '1.0 1.1 2.0 2.1 3.0'),
  ...versions('OFL', '1.0 1.1'),
  ...versions('ECL', '1.0 2.0'),
  ...versions('PHP', '3.0 3.01'),
  ...versions('LPPL', '1.0 1.1 1.2 1.3a 1.3c'),
  ...versions('ZPL', '1.1 2.0 2.1'),
  ...versions('CECILL', '1.0 1.1 2.0 2.1 B C'),
  ...versions('MulanPSL', '1.0 2.0'),
  ...versions('CERN-OHL', '1.1 1.2 P-2.0 S-2.0 W-2.0'),
  ...versions('CDLA', 'Permissive-1.0 Permissive-2.0 Sharing-1.0'),
  ...versions('PolyForm', 'Noncommercial-1.0.0 Small-Business-1.0.0'),
  ...versions('Parity', '6.0.0 7.0.0'),
  ...['BSL-1.0', 'BUSL-1.1', 'SSPL-1.0', 'Elastic-2.0', 'UPL-1.0', 'MS-PL', 'MS-RL', 'CPL-1.0', 'CPAL-1.0'],
  ...[
    'ODbL-1.0',
    'ODC-By-1.0',
    'PDDL-1.0',
    'Python-2.0',
    'PSF-2.0',
    'QPL-1.0',
    'RPL-1.5',
    'IPL-1.0',
    'NPL-1.1',
  ],
  ...[
    'BlueOak-1.0.0',
    'Hippocratic-2.1',
    'etalab-2.0',
    'OGL-UK-3.0',
    'copyleft-next-0.3.1',
    'EFL-2.0',
    'W3C-20150513',
  ],
];

/** Identifiers of exceptions, written after WITH. */
export const exceptions: readonly string[] = [
  ...[
    'Classpath-exception-2.0',
    'LLVM-exception',
    'GCC-exception-2.0',
    'GCC-exception-3.1',
    'Autoconf-exception-3.0',
  ],
  ...[
    'Bison-exception-2.2',
    'Font-exception-2.0',
    'Linux-syscall-note',
    'OpenSSL-exception',
    'Swift-exception',
  ],
  ...[
    'Universal-FOSS-exception-1.0',
    'Qt-LGPL-exception-1.1',
    'WxWindows-exception-3.1',
    'eCos-exception-2.0',
  ],
];
