// The contract's one error: something said on the wire, or about to be, is not what was agreed.
import type { ErrorCode } from './errors.ts';

export interface FieldIssue {
  /** The field in the names of the wire, like `Dimension.width`; empty for the body as a whole. */
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
