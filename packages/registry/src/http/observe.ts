// Watches every request: an id, a line in the log, numbers, a span.

import { randomUUID } from 'node:crypto';
import { BlockList, isIPv6 } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import {
  context as contexts,
  propagation,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api';
import type { Context, HonoRequest, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { describeError, type Log } from '../base/index.ts';
import type { Environment } from './environment.ts';
import type { Metrics } from './metrics.ts';

/** Comes before everything else. */
export function observe({
  log,
  metrics,
  trustedProxies,
}: {
  readonly log: Log | undefined;
  readonly metrics: Metrics;
  readonly trustedProxies: readonly string[];
}): MiddlewareHandler<Environment> {
  const tracer = trace.getTracer('skillwright-registry');
  const isTrusted = createTrust(trustedProxies);
  return async (context, next) => {
    const started = performance.now();
    const id = requestId(context, isTrusted(peerAddress(context) ?? ''));
    context.set('requestId', id);
    context.set('address', networkOf(clientAddress(context, isTrusted)));
    metrics.started();
    const parent = propagation.extract(contexts.active(), context.req, headersOf);
    const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, parent);
    try {
      await contexts.with(trace.setSpan(parent, span), next);
    } finally {
      const { method } = context.req;
      const route = routeOf(context);
      const { status } = context.res;
      const milliseconds = performance.now() - started;
      context.res.headers.set('x-request-id', id);
      metrics.ended({ method, route, status, seconds: milliseconds / 1000 });
      span.updateName(`${method} ${route}`);
      span.setAttributes({
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
      });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
      const account = context.get('caller')?.account?.id;
      log?.(status >= 500 ? 'error' : 'info', 'request', {
        id,
        method,
        route,
        status,
        ms: Math.round(milliseconds * 10) / 10,
        ...(account === undefined ? {} : { account }),
      });
      if (status >= 500 && context.error !== undefined)
        log?.('error', 'failure', { id, ...describeError(context.error) });
    }
  };
}

/** Only headers that somebody asks for are read. */
const headersOf: TextMapGetter<HonoRequest> = {
  get: (request, name) => request.header(name),
  keys: (request) => Object.keys(request.header()),
};

/** A proxy's own id, so that its log and ours can be compared; otherwise a new one. */
function requestId(context: Context, isTrusted: boolean): string {
  const given = context.req.header('x-request-id');
  return isTrusted && given !== undefined && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

/** The pattern of the route, which has no names or secrets in it. */
function routeOf(context: Context): string {
  const path = matchedRoutes(context)
    .findLast((route) => route.path !== '*' && route.path !== '/*')
    ?.path.replaceAll(/\{[^}]*\}/g, '');
  return path ?? 'unknown';
}

/** Whether an address belongs to a trusted proxy. */
type Trust = (address: string) => boolean;

/** Trust in these addresses and networks. */
export function createTrust(proxies: readonly string[]): Trust {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };
}

/** The address of the connection; undefined in tests that need no port. */
function peerAddress(context: Context): string | undefined {
  const { incoming } = (context.env ?? {}) as Partial<HttpBindings>;
  return incoming?.socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '');
}

/** The network that limits count as one client: an IPv4 address, or the /64 network of an IPv6 one, of which a client has all addresses. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length;
  const groups = [...front, ...Array<string>(Math.max(0, zeros)).fill('0'), ...back];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')}::/64`;
}

/** The address of the client: the last one in X-Forwarded-For that no trusted proxy has. */
export function clientAddress(context: Context, isTrusted: Trust): string {
  const peer = peerAddress(context) ?? 'unknown';
  if (peer === 'unknown' || !isTrusted(peer)) return peer;
  const hops = (context.req.header('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim());
  for (const hop of hops.toReversed().filter(Boolean)) if (!isTrusted(hop)) return hop;
  return peer;
}
