// What the page knows of the person who looks at it.
import type { ConsoleUser } from './user.ts';

export interface MeView {
  /** Null: nobody is signed in. */
  readonly user: ConsoleUser | null;
  /** Whether people sign in with a name and a password, and not by a link or a proxy alone. */
  readonly hasPasswords: boolean;
  readonly temporalUiUrl: string;
}

export type { ConsoleRole, ConsoleUser } from './user.ts';
