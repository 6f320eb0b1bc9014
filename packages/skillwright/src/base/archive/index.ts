// Reads archives: the one reader of tar and zip, for installing and for scanning.

export { archiveFormat, unsafeArchive } from './archive-format.ts';
export { createTarReader, type TarMember } from './tar-reader.ts';
export { openZip, type ZipMember } from './zip-reader.ts';
