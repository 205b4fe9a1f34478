// What every server of ours says of a request whose body is longer than it takes.

export const bodyOverLimit = (limitBytes: number): string =>
  `The body is larger than ${limitBytes.toLocaleString('en')} bytes: send a smaller one`;

/** Whether fastify has refused a body for its length. Its own words do not name the limit. */
export const isBodyOverLimit = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
