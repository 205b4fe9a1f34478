// Who makes a request, what such a person may do, and how a route says who may call it.
import { type ConsoleRights, type ConsoleRole, consoleRoles } from '../../shared/settings/console-rights.ts';
import { ConsoleRefusal } from '../refusal.ts';

export { type ConsoleRole, consoleRoles };

export interface ConsoleUser {
  readonly name: string;
  readonly roles: ConsoleRights['roles'];
  /** Inboxes whose questions they may answer without the role decide; absent: none. */
  readonly inboxes?: readonly string[];
}

/** Who may call a route: everybody, or a signed-in person with this role. */
export type Access = 'open' | ConsoleRole;

/** The options of a route. */
export const accessOf = (access: Access) => ({ config: { access } });

/** Gives the person. Throws ConsoleRefusal: 401 for nobody, 403 for a person without the role. */
export function requireRole(user: ConsoleUser | undefined, role: ConsoleRole): ConsoleUser {
  if (!user)
    throw new ConsoleRefusal(
      401,
      'NotSignedIn',
      'Nobody is signed in. Sign in; a program sends Authorization: Bearer <ACCESS_TOKEN>.',
    );
  if (user.roles.includes(role)) return user;
  throw new ConsoleRefusal(
    403,
    'RoleMissing',
    `${user.name} has the ${user.roles.length === 1 ? 'role' : 'roles'} ${user.roles.join(', ') || 'none'}; this needs the role ${role}. Ask the person who keeps the console's users.`,
  );
}
