// Callers, their rights and limits, and the record of their deeds.

export { type Account, anonymous, type Caller } from './caller.ts';
export {
  type Buckets,
  countHere,
  countTogether,
  demandRate,
  tooMany,
  uncountHere,
  uncountTogether,
} from './limiter.ts';
export {
  type Authority,
  decide,
  decidedBy,
  demand,
  demandRating,
  demandRegistryAdmin,
  demandUndo,
  type Guarded,
  isModerator,
  isOpen,
  isRegistryAdmin,
  may,
  maySee,
  notFound,
  readableOwners,
  readersOf,
  reviewedBy,
  stillMay,
  unauthorised,
  visibleBy,
  visibleTo,
} from './may.ts';
export { type Deed, record, recordAll } from './record.ts';
