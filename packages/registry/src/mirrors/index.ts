// Skills of other places, kept as versions of a namespace.

export { listAllMirrors, mirrorOperations } from './mirrors.ts';
export { syncDueMirrors } from './sync-mirrors.ts';
