// Sends one OpenTelemetry span per operation as OTLP over HTTP, if the environment names an endpoint.
// A single POST of JSON needs no SDK, which would take longer to start than most operations.

import { pathToFileURL } from 'node:url';
import { decodePercent, type Environment } from '../../base/files/index.ts';
import { toolVersion } from '../../base/version.ts';
import { createFetcher } from './create-fetcher.ts';

/** A finished operation. */
export interface FinishedCall {
  readonly command: string;
  readonly skill: string;
  /** Canonical directory of the source. */
  readonly skill_path: string;
  /** The one file that was read, relative to the skill; undefined for none or several. */
  readonly resource: string | undefined;
  /** Error code, or null. */
  readonly error: string | null;
  readonly duration_ms: number;
}

const TIMEOUT_MS = 1000;

/** Sends the span of a call that ended `now`. Waits at most a second and never fails. */
export async function exportSpan(
  call: FinishedCall,
  { env, now }: { env: Environment; now: Date },
): Promise<void> {
  const endpoint = endpointOf(env);
  if (endpoint === undefined) return;
  try {
    const { origin } = new URL(endpoint);
    await createFetcher({ retries: 0 }).send(endpoint, {
      method: 'POST',
      headers: { ...headersOf(env), 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(requestOf(call, env, now))),
      timeout: TIMEOUT_MS,
      // The user named it, so its host may be private.
      named: origin,
    });
  } catch {
    // The operator of the collector notices missing spans; the user of a skill need not.
  }
}

function endpointOf(env: Environment): string | undefined {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none')
    return undefined;
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol === 'grpc') return undefined;
  if (env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return base ? `${base.replace(/\/+$/, '')}/v1/traces` : undefined;
}

function headersOf(env: Environment): Record<string, string> {
  return {
    ...readPairs(env.OTEL_EXPORTER_OTLP_HEADERS),
    ...readPairs(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS),
  };
}

/** Parses `key=value,key=value`, with URL-encoded values. */
function readPairs(text: string | undefined): Record<string, string> {
  const pairs = (text ?? '').split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    const key = pair.slice(0, Math.max(0, at)).trim();
    return key === '' ? [] : [[key, decodePercent(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

function requestOf(call: FinishedCall, env: Environment, now: Date): unknown {
  const resource = {
    ...readPairs(env.OTEL_RESOURCE_ATTRIBUTES),
    ...(env.OTEL_SERVICE_NAME ? { 'service.name': env.OTEL_SERVICE_NAME } : {}),
  };
  const attributes = attributesOf({ 'service.name': 'skc', 'service.version': toolVersion, ...resource });
  const scope = { name: 'skillwright', version: toolVersion };
  const scopeSpans = [{ scope, spans: [spanOf(call, env, now)] }];
  return { resourceSpans: [{ resource: { attributes }, scopeSpans }] };
}

function spanOf(call: FinishedCall, env: Environment, now: Date): unknown {
  const tool = `skc_${call.command}`;
  const parent = readParent(env.TRACEPARENT);
  const end = now.getTime();
  return {
    traceId: parent?.traceId ?? randomHex(16),
    spanId: randomHex(8),
    ...(parent === undefined ? {} : { parentSpanId: parent.spanId }),
    name: ['execute_tool', tool, call.skill, call.resource].filter((part) => part !== undefined).join(' '),
    kind: SPAN_KIND_INTERNAL,
    startTimeUnixNano: nanoseconds(end - call.duration_ms),
    endTimeUnixNano: nanoseconds(end),
    attributes: attributesOf({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.skill.name': call.skill,
      'gen_ai.skill.source.uri': pathToFileURL(call.skill_path).href,
      'gen_ai.skill.resource.name': call.resource,
      'error.type': call.error ?? undefined,
    }),
    status: call.error === null ? {} : { code: STATUS_ERROR },
  };
}

const SPAN_KIND_INTERNAL = 1;
const STATUS_ERROR = 2;

function attributesOf(values: Environment): unknown[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: { stringValue: value } }],
  );
}

/** The span that called skc, in W3C notation. */
function readParent(text: string | undefined): { traceId: string; spanId: string } | undefined {
  const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId))
    return undefined;
  return { traceId, spanId };
}

const nanoseconds = (milliseconds: number) => String(BigInt(Math.round(milliseconds * 1000)) * 1000n);

const randomHex = (bytes: number) =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex');
