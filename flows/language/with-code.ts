/** A failure as one text. A message that is its code, or begins with it, says it once. */
export const withCode = (code: string, message: string): string =>
  message === code || message.startsWith(`${code}:`) ? message : `${code}: ${message}`;
