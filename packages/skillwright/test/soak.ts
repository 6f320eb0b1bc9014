// Tests that kill, race or repeat run at two sizes: small in `npm test`, full in `npm run test:soak`.

/** True in `npm run test:soak`. */
export const isSoak = process.env.SKC_TEST_SOAK === '1';

/** How often to repeat: `small` in `npm test`, `full` in `npm run test:soak`. */
export function repeats(small: number, full: number): number {
  return isSoak ? full : small;
}
