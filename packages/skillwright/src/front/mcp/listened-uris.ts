// The files that a client of the newer revision wants to hear about.

import * as z from 'zod';

/** The request by which such a client listens. */
export const LISTEN_METHOD = 'subscriptions/listen';

const Listen = z.object({
  method: z.literal(LISTEN_METHOD),
  params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string()) }) }),
});

/** The URIs in a message by which a client subscribes; none in any other. */
export function listenedUris(message: unknown): readonly string[] {
  const isListen =
    typeof message === 'object' &&
    message !== null &&
    'method' in message &&
    message.method === LISTEN_METHOD;
  const read = isListen ? Listen.safeParse(message) : undefined;
  return read?.success ? read.data.params.notifications.resourceSubscriptions : [];
}
