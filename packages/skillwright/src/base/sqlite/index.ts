// Opens databases that anyone may have written.

export { type DatabaseShape, harden, isForeign, isSound, openDatabase } from './open-database.ts';
