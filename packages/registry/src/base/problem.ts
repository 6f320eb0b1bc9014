// A state the user can change, told in one line without a stack.

/** The message says what is wrong and how to go on. */
export class Problem extends Error {}
