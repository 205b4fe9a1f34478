// The errors for callers that start or await a flow. Temporal's own errors report a failed connection.

/** The flow's booking was refused, or a person gave it up: nothing stays booked. */
export class FlowFailed extends Error {
  override readonly name = 'FlowFailed';
  /** The API's error code, or OutcomeUnknown. */
  readonly code: string;
  readonly workflowId: string;
  /** As the process gives them; of a fault of a flow file its path, expression and reason. */
  readonly details: readonly unknown[];

  constructor(
    workflowId: string,
    code: string,
    message: string,
    { details = [], ...options }: ErrorOptions & { readonly details?: readonly unknown[] } = {},
  ) {
    super(message, options);
    this.workflowId = workflowId;
    this.code = code;
    this.details = details;
  }
}

/** The flow was cancelled or terminated: it has no result; `progress` still shows the states of its shipments. */
export class FlowCancelled extends Error {
  override readonly name = 'FlowCancelled';
  readonly workflowId: string;
  /** What a flow file gives at its end after it has handled the cancellation; undefined: nothing, or no worker answers. */
  readonly output?: unknown;

  constructor(workflowId: string, options?: ErrorOptions, what = 'was cancelled') {
    super(`${workflowId} ${what}`, options);
    this.workflowId = workflowId;
  }
}

/** The business key belongs to a process with other input. */
export class BusinessKeyInUse extends Error {
  override readonly name = 'BusinessKeyInUse';
  readonly workflowId: string;

  constructor(workflowId: string, what: string) {
    super(`${workflowId} is already the key of ${what}; use another key, or the same input`);
    this.workflowId = workflowId;
  }
}

/** The business key belongs to a process that runs, or has ended with a result: no other can be started with it. */
export class KeyNotFree extends Error {
  override readonly name = 'KeyNotFree';
  readonly workflowId: string;

  constructor(workflowId: string, options?: ErrorOptions) {
    super(
      `${workflowId} is the key of a process that runs, or has ended with a result; use another key`,
      options,
    );
    this.workflowId = workflowId;
  }
}

/** No process has this business key. */
export class FlowNotFound extends Error {
  override readonly name = 'FlowNotFound';
  readonly workflowId: string;

  constructor(workflowId: string, options?: ErrorOptions) {
    super(`there is no process ${workflowId}`, options);
    this.workflowId = workflowId;
  }
}

/** The flow refused an update: it is not possible now. */
export class UpdateRefused extends Error {
  override readonly name = 'UpdateRefused';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
