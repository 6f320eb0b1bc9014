// Opens databases that anyone may have written.

export { holdLock, isHeld, lockFile } from './hold-lock.ts';
export {
  canSerialize,
  type DatabaseShape,
  harden,
  isForeign,
  isSound,
  newDatabase,
  openDatabase,
} from './open-database.ts';
