// The error for a refusal of the token endpoint: a code of RFC 6749 section 5.2 and its description.
import { type TokenErrorCode, tokenErrors } from '../../contract/index.ts';

export class TokenRefusal extends Error {
  override readonly name = 'TokenRefusal';
  readonly code: TokenErrorCode;
  readonly status: number;

  constructor(code: TokenErrorCode, description: string, status: number = tokenErrors[code]) {
    super(description);
    this.code = code;
    this.status = status;
  }
}
