// What a process counts and measures, for Prometheus. Only OpenTelemetry's API: where no SDK is registered, all of this does
// nothing. No label has values that grow without bound: no uids, tenants or addresses.
import { type Counter, type Histogram, metrics } from '@opentelemetry/api';

export type Labels = Readonly<Record<string, string | number>>;

/** Gives one value of a gauge: to be called for each set of labels. */
export type Report<Name extends string> = (name: Name, value: number, labels?: Labels) => void;

const meter = () => metrics.getMeter('lockerflow');

// Seconds. From a read of one row to a call that is about to be given up.
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

let isOn = false;

/** For what costs more than a call that does nothing. */
export const isMeasuring = (): boolean => isOn;

/** The SDK is registered: what is counted from now on is told. */
export function noteMeasuring(isMeasured: boolean): void {
  isOn = isMeasured;
}

/** Made when it first counts: the SDK is there by then. The name ends in _total. */
export function counter(name: string, help: string): (labels: Labels, amount?: number) => void {
  let made: Counter | undefined;
  return (labels, amount = 1) => {
    made ??= meter().createCounter(name, { description: help });
    made.add(amount, labels);
  };
}

/** The name ends in _seconds. Prometheus gets the number of them, their sum, and how many were shorter than each bound. */
export function durations(name: string, help: string): (seconds: number, labels: Labels) => void {
  let made: Histogram | undefined;
  return (seconds, labels) => {
    const advice = { explicitBucketBoundaries: BOUNDS };
    made ??= meter().createHistogram(name, { description: help, advice });
    made.record(seconds, labels);
  };
}

/** Looks at each scrape. @param help by the names of the gauges */
export function gauges<Name extends string>(
  help: Readonly<Record<Name, string>>,
  look: (report: Report<Name>) => void | Promise<void>,
): void {
  if (!isOn) return;
  const names = Object.keys(help) as Name[];
  const made = new Map(
    names.map((name) => [name, meter().createObservableGauge(name, { description: help[name] })]),
  );
  meter().addBatchObservableCallback(
    (results) =>
      look((name, value, labels = {}) => {
        const gauge = made.get(name);
        if (gauge) results.observe(gauge, value, labels);
      }),
    [...made.values()],
  );
}
