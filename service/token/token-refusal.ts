// The error by which the token endpoint refuses: a code of RFC 6749 section 5.2 and its description.
import type { TokenErrorCode } from '../../contract/index.ts';

export class TokenRefusal extends Error {
  override readonly name = 'TokenRefusal';
  readonly code: TokenErrorCode;

  constructor(code: TokenErrorCode, description: string) {
    super(description);
    this.code = code;
  }
}
