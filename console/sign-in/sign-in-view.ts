// What the page knows of the person who looks at it.
import type { ConsoleUser } from '../access/user.ts';

export interface Reach {
  readonly message: boolean;
  readonly sendMechanic: boolean;
}

export interface MeView {
  /** Null: nobody is signed in. */
  readonly user: ConsoleUser | null;
  /** What the workers deliver outside: without a connector the page offers none of it. */
  readonly outreach: Reach;
  /** Whether people sign in with a name and a password, and not by a link or a proxy alone. */
  readonly hasPasswords: boolean;
  /** The host of the OpenID provider by which people may sign in; null: there is none. */
  readonly provider: string | null;
  /** Why the provider's answer signed nobody in, a moment ago. */
  readonly refused: { readonly error: string; readonly message: string } | null;
  /** For who administers: what is wrong with the set-up of the sign-in. */
  readonly problem: string | null;
}

/** Where the browser goes to sign out of the provider too; null: nowhere. */
export interface SignedOutView {
  readonly to: string | null;
}

export type { ConsoleRole, ConsoleUser } from '../access/user.ts';
