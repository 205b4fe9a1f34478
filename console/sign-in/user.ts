// Who makes a request, and what such a person may do.
import type { FastifyRequest } from 'fastify';
import { ConsoleRefusal } from '../refusal.ts';

/** look: sees everything but access codes. decide: acts on processes and parcels. administer: what changes the set-up. */
export const consoleRoles = ['look', 'decide', 'administer'] as const;
export type ConsoleRole = (typeof consoleRoles)[number];

export interface ConsoleUser {
  readonly name: string;
  readonly roles: readonly ConsoleRole[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before each handler below /api/, but for those of the sign-in itself. */
    user: ConsoleUser;
  }
}

/** Gives the person who decides. Throws ConsoleRefusal (403) for one without the role. */
export function requireRole({ user }: Pick<FastifyRequest, 'user'>, role: ConsoleRole): ConsoleUser {
  if (user.roles.includes(role)) return user;
  throw new ConsoleRefusal(
    403,
    'RoleMissing',
    `${user.name} has the ${user.roles.length === 1 ? 'role' : 'roles'} ${user.roles.join(', ') || 'none'}; this needs the role ${role}. Ask the person who keeps the file of the console's users.`,
  );
}
