// Requests: caller, limits, cookies, numbers, failures.

export { answerTagged } from './conditional.ts';
export { dropCookie, readCookie, writeCookie } from './cookies.ts';
export type { App, Environment } from './environment.ts';
export { failureOf } from './failure-of.ts';
export { readFromReplica } from './lagging-reads.ts';
export { limitGuesses } from './limit-guesses.ts';
export { limitBodies, limitRate, limitRequests, limitUploads } from './limit-requests.ts';
export { createMetrics } from './metrics.ts';
export { observe } from './observe.ts';
export { demandSameOrigin, identifyCaller } from './own-request.ts';
export { formField, readBody } from './read-body.ts';
export { serveHttp } from './serve-http.ts';
