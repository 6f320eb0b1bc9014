// The process side of a server: its standard streams and its child processes.

export { claimStandardStreams, type ServerStreams } from './claim-standard-streams.ts';
export { hearInterrupt } from './hear-interrupt.ts';
export { LOCAL_HOST, limitConnections, listenLocally } from './listen-locally.ts';
export { type Deputies, openDeputies } from './open-deputies.ts';
export { requestLimits } from './request-limits.ts';
export { type Duties, serveDeputy } from './serve-deputy.ts';
