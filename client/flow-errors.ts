// How a flow can fail those who start or await it, beside Temporal's own errors for a connection that fails.

/** The flow's booking was refused, or a person gave it up: nothing stays booked. */
export class FlowFailed extends Error {
  override readonly name = 'FlowFailed';
  /** The API's error code, or OutcomeUnknown. */
  readonly code: string;
  readonly workflowId: string;

  constructor(workflowId: string, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.workflowId = workflowId;
    this.code = code;
  }
}

/** Somebody cancelled or terminated the flow: it has no result; `progress` still tells the states of its shipments. */
export class FlowCancelled extends Error {
  override readonly name = 'FlowCancelled';
  readonly workflowId: string;

  constructor(workflowId: string, options?: ErrorOptions) {
    super(`${workflowId} was cancelled`, options);
    this.workflowId = workflowId;
  }
}

/** The business key belongs to a process that was started with something else. */
export class BusinessKeyInUse extends Error {
  override readonly name = 'BusinessKeyInUse';
  readonly workflowId: string;

  constructor(workflowId: string, what: string) {
    super(`${workflowId} is already the key of ${what}; use another key, or the same input`);
    this.workflowId = workflowId;
  }
}

/** No process has this business key. */
export class FlowNotFound extends Error {
  override readonly name = 'FlowNotFound';
  readonly workflowId: string;

  constructor(workflowId: string, options?: ErrorOptions) {
    super(`there is no flow ${workflowId}`, options);
    this.workflowId = workflowId;
  }
}

/** The flow cannot do now what an update asked of it. */
export class UpdateRefused extends Error {
  override readonly name = 'UpdateRefused';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
