// The contract's only error: a message that came over the wire, or that we are about to send, breaks the contract.
import type { ErrorCode } from './errors.ts';

export interface FieldIssue {
  /** The field by its name on the wire, like `Dimension.width`; empty for the whole body. */
  readonly field: string;
  readonly message: string;
}

export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly code: ErrorCode | 'InvalidResponse';
  readonly issues: readonly FieldIssue[];

  constructor(code: ErrorCode | 'InvalidResponse', issues: readonly FieldIssue[]) {
    super(issues.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('; '));
    this.code = code;
    this.issues = issues;
  }
}
