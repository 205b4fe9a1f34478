/** A history that cannot be played in virtual time. The message says why. */
export class NotBacktestable extends Error {
  override readonly name = 'NotBacktestable';
}
