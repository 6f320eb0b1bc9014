// Databases that a stranger may have written.

export { type DatabaseShape, harden, isForeign, isSound, openDatabase } from './open-database.ts';
