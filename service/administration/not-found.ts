// A command names something that does not exist or belongs to another tenant. A tenant's command treats both alike.

export class NotFound extends Error {
  override readonly name = 'NotFound';
}
