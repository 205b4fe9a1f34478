// What people may do in the console, as the file of its users, the groups of an OpenID provider and the command line write it.
import { isVisible } from '../../contract/wire/names.ts';

/** look: sees everything but access codes. decide: acts on processes and shipments. administer: what changes the set-up. */
export const consoleRoles = ['look', 'decide', 'administer'] as const;
export type ConsoleRole = (typeof consoleRoles)[number];

export interface ConsoleRights {
  readonly roles: readonly ConsoleRole[];
  /** Inboxes whose questions they may answer without the role decide. */
  readonly inboxes: readonly string[];
}

// Only letters that are safe in a header, a log line and the file of users.
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@+-]{0,99}$/u;

export const isUserName = (name: string): boolean => NAME.test(name) && isVisible(name);

export const USER_NAME_RULE =
  'must begin with a letter or a digit, and hold letters, digits, spaces and . _ @ + - (100 at most)';

const INBOX = 'inbox:';

/** The rights, or what is wrong. Who decides, or answers in an inbox, also looks. */
export function rightsIn(text: string): ConsoleRights | string {
  const names = text.split(',').map((each) => each.trim());
  const inboxes: string[] = [];
  for (const word of names) {
    if (consoleRoles.some((role) => role === word)) continue;
    const inbox = word.startsWith(INBOX) ? decoded(word.slice(INBOX.length)) : '';
    if (inbox === '')
      return `${JSON.stringify(word)} is not a role; expected one or more of ${consoleRoles.join(', ')} and inbox:<name>, with commas`;
    inboxes.push(inbox);
  }
  return { roles: consoleRoles.filter((role) => role === 'look' || names.includes(role)), inboxes };
}

/** What somebody may who has several groups. */
export const allRights = (each: readonly ConsoleRights[]): ConsoleRights => ({
  roles: consoleRoles.filter((role) => each.some(({ roles }) => roles.includes(role))),
  inboxes: [...new Set(each.flatMap(({ inboxes }) => inboxes))],
});

/** A comma, a colon or a semicolon in the name of an inbox is percent-encoded. Empty: it is not. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
