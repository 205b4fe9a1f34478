// What may be done with processes, and who may do it: the one table for the page and for the HTTP API. A person has a right by
// a role of the console, a program by a scope of its token.
import { PROGRAM_ENDING } from '../../contract/flows/attribution.ts';
import { type FlowScope, inboxScope } from '../../contract/wire/token.ts';
import { ConsoleRefusal } from '../refusal.ts';
import type { ConsoleRole, ConsoleUser } from './user.ts';

interface RightRow {
  readonly role: ConsoleRole;
  /** Each is enough. `about`: the flow or the inbox that the request is about. */
  readonly scopes: (about: string) => readonly FlowScope[];
  /** For people. */
  readonly words: string;
}

export const rights = {
  read: { role: 'look', scopes: () => ['flows:read'], words: 'read processes and flows' },
  start: {
    role: 'decide',
    scopes: (flow) => ['flows:start', `flows:start:${flow}`],
    words: 'start processes of a flow',
  },
  decide: { role: 'decide', scopes: () => ['flows:decide'], words: 'act on processes' },
  publish: { role: 'administer', scopes: () => ['flows:publish'], words: 'publish flow files' },
  readInbox: {
    role: 'look',
    scopes: (inbox) => ['flows:read', inboxScope(inbox)],
    words: 'read the questions of an inbox',
  },
  answer: {
    role: 'decide',
    scopes: (inbox) => ['flows:decide', inboxScope(inbox)],
    words: 'answer the questions of an inbox',
  },
} as const satisfies Readonly<Record<string, RightRow>>;
export type Right = keyof typeof rights;

/** Who makes a request of the API. */
export interface Caller {
  /** As Temporal and the process keep it. */
  readonly by: string;
  /** Tells callers apart: two of one name may be a person and a program. */
  readonly id: string;
  readonly isProgram: boolean;
  /** A person has signed in, here or at the issuer of the token: nobody else can be the one for whom they act. */
  readonly isPerson: boolean;
  /** Milliseconds since 1970: the end of the token; a session may end at any time. */
  readonly validUntil: number;
  /** Absent `about`: whether for any flow or inbox at all. */
  may(right: Right, about?: string): boolean;
}

export function personCaller(user: ConsoleUser): Caller {
  return {
    by: nameOfPerson(user.name),
    id: `person ${user.name}`,
    isProgram: false,
    isPerson: true,
    validUntil: Number.POSITIVE_INFINITY,
    may(right, about) {
      if (user.roles.includes(rights[right].role)) return true;
      if (right !== 'answer') return false;
      const { inboxes = [] } = user;
      return about === undefined ? inboxes.length > 0 : inboxes.includes(about);
    },
  };
}

/** Whoever chooses a name for themselves must not have that of a program. */
const nameOfPerson = (name: string): string => (/\(API\)\s*$/i.test(name) ? `${name} (person)` : name);

export interface TokenBearer {
  readonly name: string;
  /** The name is cut, this is not. */
  readonly id: string;
  readonly isPerson: boolean;
}

export function programCaller(
  { name, id, isPerson }: TokenBearer,
  scopes: readonly string[],
  validUntil: number,
): Caller {
  return {
    by: `${name}${PROGRAM_ENDING}`,
    id: `program ${id}`,
    isProgram: true,
    isPerson,
    validUntil,
    may: (right, about) =>
      about === undefined
        ? scopes.some((scope) => rights[right].scopes('').some((each) => isAnyOf(scope, each)))
        : rights[right].scopes(about).some((scope) => scopes.includes(scope)),
  };
}

/** With a colon at its end it stands for every flow, or for every inbox. */
const isAnyOf = (scope: string, wanted: string): boolean =>
  wanted.endsWith(':') ? scope.startsWith(wanted) : scope === wanted;

/** Absent `about`: as they are named for any flow or inbox. */
export const scopesOf = (right: Right, about?: string): readonly string[] =>
  about === undefined ? rights[right].scopes('<name>').map(decodeURIComponent) : rights[right].scopes(about);

/** Throws ConsoleRefusal (403), which names what is missing. */
export function requireRight(caller: Caller, right: Right, about?: string): void {
  if (caller.may(right, about)) return;
  const { role, words } = rights[right];
  const missing = caller.isProgram ? `a scope: ${scopesOf(right, about).join(' or ')}` : `the role ${role}`;
  throw new ConsoleRefusal(
    403,
    caller.isProgram ? 'ScopeMissing' : 'RoleMissing',
    `${caller.by} may not ${words}${about ? ` (${about})` : ''}: this needs ${missing}.`,
  );
}

/** The role that a signed-in person needs: the guard asks for it before anything else. */
export const roleFor = (right: Right): ConsoleRole => rights[right].role;
