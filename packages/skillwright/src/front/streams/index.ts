// Standard input and output, claimed for a protocol.

export { claimStandardStreams, type ServerStreams } from './claim-standard-streams.ts';
