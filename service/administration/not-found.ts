// What a command names is not there, or belongs to another tenant: for a command of one tenant the two are the same.

export class NotFound extends Error {
  override readonly name = 'NotFound';
}
