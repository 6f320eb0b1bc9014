// The process side of a server: its standard streams and its child processes.

export { claimStandardStreams, type ServerStreams } from './claim-standard-streams.ts';
export { hearInterrupt } from './hear-interrupt.ts';
export { limitConnections, listenLocally } from './listen-locally.ts';
export { openDeputies } from './open-deputies.ts';
export { serveDeputy, type Work } from './serve-deputy.ts';
