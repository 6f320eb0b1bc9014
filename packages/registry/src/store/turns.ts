// One after the other: an embedded database has a single connection.

/** Runs each piece of work when the one before has ended. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A queue of its own. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}
