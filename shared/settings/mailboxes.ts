// The mailboxes of the connectors' file: an SMTP server, from whom, and to whom notifications go. A message to a person goes to that
// person's address.
import { z } from 'zod';
import { type ReadFile, secretFile } from './settings-file.ts';

export interface Mailbox {
  readonly name: string;
  readonly host: string;
  /** Null: the usual one. */
  readonly port: number | null;
  /** From the first byte on (smtps). Otherwise STARTTLS is used where the server has it. */
  readonly isTls: boolean;
  /** A password goes to another machine encrypted, or not at all. */
  readonly requiresTls: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
  readonly from: string;
  /** Empty: only messages to people are sent by it. */
  readonly to: readonly string[];
}

const ADDRESS =
  'an address like smtps://mail.example:465 or smtp://mail.example:587, without user, password and path';

function addressOf(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isBare =
    url && !url.username && !url.password && !url.search && !url.hash && /^\/?$/.test(url.pathname);
  return isBare && /^smtps?:$/.test(url.protocol) && url.hostname !== '' ? url : undefined;
}

const person = z.email('must be an e-mail address');

export function mailboxOf(read: ReadFile) {
  return z
    .strictObject({
      address: z.string().refine((text) => addressOf(text) !== undefined, `must be ${ADDRESS}`),
      user: z.string().min(1).optional(),
      passwordFile: secretFile(read).optional(),
      from: person,
      to: z.array(person).min(1, 'must have at least one e-mail address, or be left out').default([]),
    })
    .refine(({ user, passwordFile }) => (user === undefined) === (passwordFile === undefined), {
      message: 'must have both of user, passwordFile, or neither',
      when: () => true,
    });
}

const OF_THIS_MACHINE: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

export function mailbox(name: string, input: z.output<ReturnType<typeof mailboxOf>>): Mailbox {
  const { user, passwordFile: password, from, to } = input;
  const { hostname, port, protocol } = new URL(input.address);
  const login = user === undefined || password === undefined ? null : { user, password };
  return {
    name,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? null : Number(port),
    isTls: protocol === 'smtps:',
    requiresTls: login !== null && !OF_THIS_MACHINE.includes(hostname),
    login,
    from,
    to,
  };
}
