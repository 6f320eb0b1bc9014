// The process around a server: its standard streams, claimed for a protocol, and the processes that work for it.

export { claimStandardStreams, type ServerStreams } from './claim-standard-streams.ts';
export { type Deputies, openDeputies } from './open-deputies.ts';
export { requestLimits } from './request-limits.ts';
export { type Duties, serveDeputy } from './serve-deputy.ts';
