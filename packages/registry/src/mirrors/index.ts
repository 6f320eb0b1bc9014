// Skills of other places, kept as versions of a namespace.

export { manageMirrors } from './manage-mirrors.ts';
export { addMirror, listAllMirrors, listMirrors, removeMirror, syncMirror } from './mirrors.ts';
export { syncDueMirrors } from './sync-mirrors.ts';
