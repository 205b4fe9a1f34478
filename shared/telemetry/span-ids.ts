// Ids of spans: random, unless the next one is known. A workflow's span has an id that its run gives: the workflow is told
// of long before its span ends, and must not draw random numbers.
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace';

const random = new RandomIdGenerator();
let next: string | undefined;

export const spanIds: IdGenerator = {
  generateTraceId: () => random.generateTraceId(),
  generateSpanId() {
    const id = next ?? random.generateSpanId();
    next = undefined;
    return id;
  },
};

/** The work starts one span, at once. */
export function withSpanId<Result>(id: string, work: () => Result): Result {
  next = id;
  try {
    return work();
  } finally {
    next = undefined;
  }
}
