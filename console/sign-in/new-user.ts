// The command `user`: asks for a password, without showing it, and gives the line for the file of users.
import { createInterface } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { isUserName, rightsIn, USER_NAME_RULE } from '../../shared/settings/console-rights.ts';
import { passwordHash } from './password.ts';

const SHORTEST = 12;

/** Throws an Error that says what is wrong. */
export async function newUserLine(
  name: string,
  roleNames: string,
  input: ReadStream | NodeJS.ReadableStream,
  output: WriteStream | NodeJS.WritableStream,
): Promise<string> {
  if (!isUserName(name)) throw new Error(`${JSON.stringify(name)} is not a name; it ${USER_NAME_RULE}`);
  const rights = rightsIn(roleNames);
  if (typeof rights === 'string') throw new Error(rights);
  const password = await askedFor(`password of ${name}: `, input, output);
  if (password.length < SHORTEST)
    throw new Error(`the password is too short; expected ${SHORTEST} characters or more`);
  const inboxes = rights.inboxes.map((inbox) => `inbox:${encodeURIComponent(inbox)}`);
  return `${name}:${[...rights.roles, ...inboxes].join(',')}:${await passwordHash(password)}`;
}

/** The first line of what is piped in, or what is typed, which a terminal does not show. */
async function askedFor(
  question: string,
  input: ReadStream | NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<string> {
  const isTerminal = 'isTTY' in input && input.isTTY;
  if (isTerminal) output.write(question);
  const lines = createInterface({ input, terminal: isTerminal });
  try {
    const { value } = await lines[Symbol.asyncIterator]().next();
    return typeof value === 'string' ? value : '';
  } finally {
    lines.close();
    if (isTerminal) output.write('\n');
  }
}
