// Databases that a stranger may have written.

export { type DatabaseShape, harden, isForeign, openDatabase } from './open-database.ts';
