// Numbers for Prometheus.

import { Registry as Collection, Counter, collectDefaultMetrics, Gauge, Histogram } from 'prom-client';

/** The numbers of one application. */
export type Metrics = ReturnType<typeof createMetrics>;

/** A request that was answered. */
interface Ended {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** Starts counting. */
export function createMetrics() {
  const collection = new Collection();
  const registers = [collection];
  const requests = new Counter({
    name: 'registry_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'registry_request_seconds',
    help: 'Time until the answer starts',
    labelNames: ['route'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const open = new Gauge({ name: 'registry_requests_open', help: 'Requests being handled', registers });
  const limited = new Counter({
    name: 'registry_requests_limited_total',
    help: 'Requests refused because of a limit',
    labelNames: ['limit'],
    registers,
  });
  let isCollecting = false;
  return {
    contentType: collection.contentType,
    started: () => open.inc(),
    ended({ method, route, status, seconds }: Ended) {
      open.dec();
      requests.inc({ method, route, status });
      duration.observe({ route }, seconds);
    },
    limited: (limit: string) => limited.inc({ limit }),
    /** The text Prometheus reads. */
    async text() {
      // Values of the process itself are only collected where somebody reads them.
      if (!isCollecting) collectDefaultMetrics({ register: collection });
      isCollecting = true;
      return collection.metrics();
    },
  };
}
