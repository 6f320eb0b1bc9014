// Backups of a whole registry.

export { checkBackup, readBackup } from './check-backup.ts';
export { finishRestore, recoveryNote, restoreBackup } from './restore-backup.ts';
export { writeBackup } from './write-backup.ts';
