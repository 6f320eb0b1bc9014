// Skills of other places, kept as versions of a namespace.

export { manageMirrors } from './manage-mirrors.ts';
export {
  addMirror,
  listAllMirrors,
  listMirrors,
  Mirror,
  MirrorRequest,
  removeMirror,
  syncMirror,
} from './mirrors.ts';
export { MirrorRun, syncDueMirrors } from './sync-mirrors.ts';
