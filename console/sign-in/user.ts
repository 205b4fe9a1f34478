// Who makes a request, what such a person may do, and how a route says who may call it.
import { ConsoleRefusal } from '../refusal.ts';

/** look: sees everything but access codes. decide: acts on processes and parcels. administer: what changes the set-up. */
export const consoleRoles = ['look', 'decide', 'administer'] as const;
export type ConsoleRole = (typeof consoleRoles)[number];

export interface ConsoleUser {
  readonly name: string;
  readonly roles: readonly ConsoleRole[];
}

/** Who may call a route: everybody, or a signed-in person with this role. */
export type Access = 'open' | ConsoleRole;

/** The options of a route. */
export const accessOf = (access: Access) => ({ config: { access } });

/** Gives the person. Throws ConsoleRefusal: 401 for nobody, 403 for a person without the role. */
export function requireRole(user: ConsoleUser | undefined, role: ConsoleRole): ConsoleUser {
  if (!user) throw new ConsoleRefusal(401, 'NotSignedIn', 'Nobody is signed in. Sign in again.');
  if (user.roles.includes(role)) return user;
  throw new ConsoleRefusal(
    403,
    'RoleMissing',
    `${user.name} has the ${user.roles.length === 1 ? 'role' : 'roles'} ${user.roles.join(', ') || 'none'}; this needs the role ${role}. Ask the person who keeps the file of the console's users.`,
  );
}
