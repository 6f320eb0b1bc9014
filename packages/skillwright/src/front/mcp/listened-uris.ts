// The files a client of the newer revision listens to.

import * as z from 'zod';

/** The request that starts listening. */
export const LISTEN_METHOD = 'subscriptions/listen';

const Listen = z.object({
  method: z.literal(LISTEN_METHOD),
  params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string()) }) }),
});

/** URIs in a subscription message; none for any other message. */
export function listenedUris(message: unknown): readonly string[] {
  const isListen =
    typeof message === 'object' &&
    message !== null &&
    'method' in message &&
    message.method === LISTEN_METHOD;
  const read = isListen ? Listen.safeParse(message) : undefined;
  return read?.success ? read.data.params.notifications.resourceSubscriptions : [];
}
