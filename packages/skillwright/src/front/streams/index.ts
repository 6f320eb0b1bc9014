// streams

export { claimStandardStreams, type ServerStreams } from './claim-standard-streams.ts';
