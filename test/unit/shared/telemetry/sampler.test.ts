import { ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace-base';
import { expect, test } from 'vitest';
import { createSampler, failedAttribute } from '../../../../shared/telemetry/sampler.ts';

/** Trace ids that a ratio of one half keeps and leaves out. */
const low = '00000000000000000000000000000001';
const high = 'ffffffff000000000000000000000001';

type Parent = 'sampled' | 'unsampled' | undefined;

type Setting = string | undefined;

function isKept(sampler: Setting, ratio: Setting, traceId: string, parent: Parent, hasFailed = false) {
  const context =
    parent === undefined
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, {
          traceId,
          spanId: 'b7ad6b7169203331',
          isRemote: true,
          traceFlags: parent === 'sampled' ? TraceFlags.SAMPLED : TraceFlags.NONE,
        });
  const environment = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio };
  const attributes = { [failedAttribute]: hasFailed };
  const { decision } = createSampler(environment).shouldSample(
    context,
    traceId,
    'GET /',
    SpanKind.SERVER,
    attributes,
    [],
  );
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
}

const parents: readonly Parent[] = [undefined, 'sampled', 'unsampled'];

test.each([
  // Without a caller's word, with a caller that samples, with one that does not; each for a low and a high trace id.
  ['always_on', '', [true, true], [true, true], [true, true]],
  [' ALWAYS_OFF ', '', [false, false], [false, false], [false, false]],
  ['traceidratio', '0.5', [true, false], [true, false], [true, false]],
  ['traceidratio', '0', [false, false], [false, false], [false, false]],
  ['traceidratio', '', [true, true], [true, true], [true, true]],
  ['traceidratio', '-1', [true, true], [true, true], [true, true]],
  ['traceidratio', 'half', [true, true], [true, true], [true, true]],
  ['parentbased_always_on', '', [true, true], [true, true], [false, false]],
  ['parentbased_always_off', '', [false, false], [true, true], [false, false]],
  ['parentbased_traceidratio', '0.5', [true, false], [true, true], [false, false]],
  [undefined, undefined, [true, true], [true, true], [false, false]],
  ['jaeger_remote', '', [true, true], [true, true], [false, false]],
])(
  'OTEL_TRACES_SAMPLER=%s with %j keeps what the standard says, and each failure',
  (sampler, ratio, ...sampled) => {
    expect(parents.map((parent) => [low, high].map((id) => isKept(sampler, ratio, id, parent)))).toEqual(
      sampled,
    );
    for (const parent of parents) expect(isKept(sampler, ratio, high, parent, true)).toBe(true);
  },
);
