/** Which requests are exported: as the standard variables say (OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG), and each that has failed. */

import { createContextKey, trace } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';

/** Attribute of the span of a request that has failed, by which it is kept. */
export const failedAttribute = 'app.request.failed';

/** Set in a context whose caller may be anybody, so that what the caller samples does not count. */
export const ignoresCallerSampling = createContextKey('the sampling of the caller is ignored');

type Environment = Readonly<Record<string, string | undefined>>;

/** Creates the sampler, which decides on a request once it is answered. */
export function createSampler(environment: Environment): Sampler {
  const sampler = samplerOf(environment);
  return {
    shouldSample(context, traceId, name, kind, attributes, links) {
      if (attributes[failedAttribute] === true) return { decision: SamplingDecision.RECORD_AND_SAMPLED };
      const parent = trace.getSpanContext(context);
      // The span of a request that is written has the spans below it.
      if (parent !== undefined && parent.isRemote !== true)
        return { decision: SamplingDecision.RECORD_AND_SAMPLED };
      const counted = context.getValue(ignoresCallerSampling) === true ? trace.deleteSpan(context) : context;
      return sampler.shouldSample(counted, traceId, name, kind, attributes, links);
    },
    toString: () => `failures or ${sampler.toString()}`,
  };
}

function samplerOf({ OTEL_TRACES_SAMPLER: name = '', OTEL_TRACES_SAMPLER_ARG: argument }: Environment) {
  const ratio = Number(argument ?? 1);
  const isRatio = argument !== '' && ratio >= 0 && ratio <= 1;
  const roots = {
    always_on: new AlwaysOnSampler(),
    always_off: new AlwaysOffSampler(),
    traceidratio: new TraceIdRatioBasedSampler(isRatio ? ratio : 1),
  };
  const [, parentBased, root] =
    /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name.trim().toLowerCase()) ?? [];
  const sampler = roots[(root ?? 'always_on') as keyof typeof roots];
  return root !== undefined && parentBased === undefined
    ? sampler
    : new ParentBasedSampler({ root: sampler });
}
