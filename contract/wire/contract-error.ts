// The contract's only error: a message that came over the wire, or that we are about to send, breaks the contract.

import type { ErrorCode } from './errors.ts';
import { shortened } from './format-issue.ts';

export interface FieldIssue {
  /** The field by its name on the wire, like `Dimension.width`; empty for the whole body. */
  readonly field: string;
  readonly message: string;
}

/** Nobody reads more, and a message of 1 MB may have a hundred thousand wrong fields. */
export const MAX_ISSUES = 50;
const LONGEST_FIELD = 200;
const LONGEST_MESSAGE = 1_000;

export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly code: ErrorCode | 'InvalidResponse';
  /** The first ones. */
  readonly issues: readonly FieldIssue[];

  constructor(code: ErrorCode | 'InvalidResponse', all: readonly FieldIssue[]) {
    const issues = all.slice(0, MAX_ISSUES).map(({ field, message }) => ({
      field: shortened(field, LONGEST_FIELD),
      message: shortened(message, LONGEST_MESSAGE),
    }));
    const texts = issues.map(({ field, message }) => (field ? `${field}: ${message}` : message));
    const more = all.length > issues.length ? [`and ${all.length - issues.length} more`] : [];
    super([...texts, ...more].join('; '));
    this.code = code;
    this.issues = issues;
  }
}
