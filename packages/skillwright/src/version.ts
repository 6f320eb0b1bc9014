// What this is. A test compares the number with package.json.

/** The version of skillwright. */
export const toolVersion = '0.1.0';
