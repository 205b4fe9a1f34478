// What workflows report to the worker about their traces (workflows/trace-interceptors.ts).

/** `traceparent`, and perhaps `tracestate`, as W3C Trace Context has them. */
export type Carrier = Readonly<Record<string, string>>;

export type TraceSinks = {
  traces: {
    /** `from` is what the signal carried. */
    signalled(signal: { readonly signalName: string; readonly from: Carrier }): void;
    /** `from` is what the start carried; the id is the one that the workflow's activities have as their parent. */
    ended(run: {
      readonly spanId: string;
      readonly from: Carrier;
      readonly failure: string | undefined;
    }): void;
  };
};
