// The connectors that flow files may call: a YAML or JSON file of the operator, checked as a whole at the worker's
// start. Secrets are in separate files. No message here shows the content of one.

import { z } from 'zod';
import { isCallbackKey, standardWebhooksKey } from '../../contract/wire/callback.ts';
import { type ClientCredentials, credentialsIn, credentialsOf } from './connector-credentials.ts';
import { type Mailbox, mailbox, mailboxOf } from './mailboxes.ts';
import { AN_ADDRESS, addressOf, headerName, headerText, pathBelow } from './request-parts.ts';
import { entryName, exactlyOne, linesOf, type ReadFile, secretFile, settingsIn } from './settings-file.ts';

export interface Connector {
  readonly name: string;
  /** It may be a secret, like the address of a chat webhook: it is shown nowhere. */
  readonly address: URL;
  readonly allow: readonly AllowedCalls[];
  /** The headers of every request, with the credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** The headers that a flow file may give a call, in lower case. */
  readonly callHeaders: readonly string[];
  /** Null: it has other credentials, or none. */
  readonly oauth2: ClientCredentials | null;
  /** Texts that no history, log or error may show. */
  readonly secrets: readonly string[];
  /** How long the other side honours an Idempotency-Key; 0: it does not. */
  readonly idempotencyKeyMs: number;
  readonly timeoutMs: number;
  /** Null: it takes no events. The keys sign, the newest first. */
  readonly events: { readonly path: string; readonly signingKeys: readonly string[] } | null;
  /** Null: it takes no notifications. Without a body it takes a notification as it is. */
  readonly notify: FilledRequest | null;
  /** Null: it takes no messages to people. */
  readonly messages: FilledRequest | null;
  /** Null: it takes no requests for a mechanic. */
  readonly mechanic: FilledRequest | null;
}

/** A POST. The body has expressions; without it, what is sent is sent as it is. */
export interface FilledRequest {
  readonly path: string;
  readonly body: z.core.util.JSONType | null;
}

export interface AllowedCalls {
  readonly methods: readonly string[];
  /** `*` is one part of a path, `**` at the end any number. */
  readonly path: string;
}

export interface ConnectorSettings {
  readonly connectors: readonly Connector[];
  /** The connector of events that name none. */
  readonly events: string | null;
  /** For what people are sent: flow files send no mail. */
  readonly mail: readonly Mailbox[];
}

/** Throws SettingsFileWrong, which names all errors. */
export const readConnectors = (text: string, read: ReadFile): ConnectorSettings =>
  settingsIn(fileOf(read), text);

const ALLOWED = /^(?:GET|POST|PUT|PATCH|DELETE)(?:,(?:GET|POST|PUT|PATCH|DELETE))* \/[^\s?#]*$/;
// The activity has two minutes, and an attempt must end before.
const LONGEST_TIMEOUT_SECONDS = 100;

const addressProblem = (secret: string) => (addressOf(secret) ? undefined : `must hold ${AN_ADDRESS}`);

const SIGNING_KEY_BYTES = 24;
function signingKeysProblem(secret: string): string | undefined {
  const areKeys = linesOf(secret).every(
    (key) =>
      key.startsWith('whsec_') && isCallbackKey(key) && standardWebhooksKey(key).length >= SIGNING_KEY_BYTES,
  );
  const form = `whsec_ and the base64 of at least ${SIGNING_KEY_BYTES} bytes`;
  return areKeys ? undefined : `must hold one key a line, the newest first, each as ${form}`;
}

const filledRequest = z.strictObject({ path: pathBelow, body: z.json().default(null) });

function connectorOf(read: ReadFile) {
  return z
    .strictObject({
      address: z
        .string()
        .refine(
          (text) => addressOf(text) !== undefined,
          `must be ${AN_ADDRESS}; write an address with a secret into a file, and name the file in addressFile`,
        )
        .optional(),
      addressFile: secretFile(read, addressProblem).optional(),
      allow: z
        .array(z.string().regex(ALLOWED, 'must be methods and a path, like GET,POST /table/incident/*'))
        .default([]),
      credentials: credentialsIn(read).optional(),
      headers: z.record(headerName, headerText).default({}),
      callHeaders: z.array(headerName).default([]),
      idempotencyKeyHours: z.number().min(0).max(8_760).default(0),
      timeoutSeconds: z.number().min(1).max(LONGEST_TIMEOUT_SECONDS).default(30),
      events: z
        .strictObject({ path: pathBelow, signingKeyFile: secretFile(read, signingKeysProblem) })
        .optional(),
      notify: filledRequest.optional(),
      messages: filledRequest.optional(),
      mechanic: filledRequest.optional(),
    })
    .refine(({ address, addressFile }) => exactlyOne({ address, addressFile }), {
      message: 'must have exactly one of address, addressFile',
      when: () => true,
    })
    .refine(
      ({ allow = [], ...uses }) =>
        allow.length > 0 || [uses.events, uses.notify, uses.messages, uses.mechanic].some(Boolean),
      {
        message:
          'has neither allow nor events nor notify, messages or mechanic, so nothing can use it; give it allow (the calls that flow files may make) or one of the others',
      },
    );
}

type ConnectorInput = z.output<ReturnType<typeof connectorOf>>;

function fileOf(read: ReadFile) {
  return z
    .strictObject({
      connectors: z.record(entryName, connectorOf(read)).default({}),
      events: z.string().nullable().default(null),
      mail: z.record(entryName, mailboxOf(read)).default({}),
    })
    .superRefine(({ connectors, events, mail }, context) => {
      for (const name of Object.keys(mail))
        if (Object.hasOwn(connectors, name))
          context.addIssue({
            code: 'custom',
            path: ['mail', name],
            message: 'must have another name: a connector above has this one',
          });
      if (events !== null && !connectors[events]?.events)
        context.addIssue({
          code: 'custom',
          path: ['events'],
          message: `must be the name of a connector above that has events, not ${JSON.stringify(events)}`,
        });
    })
    .transform(
      ({ connectors, events, mail }): ConnectorSettings => ({
        connectors: Object.entries(connectors).map(([name, given]) => connector(name, given)),
        events,
        mail: Object.entries(mail).map(([name, given]) => mailbox(name, given)),
      }),
    );
}

function connector(name: string, input: ConnectorInput): Connector {
  const { credentials = {}, events, idempotencyKeyHours, timeoutSeconds } = input;
  const { notify = null, messages = null, mechanic = null } = input;
  const address = new URL(input.address ?? input.addressFile ?? '');
  const signingKeys = linesOf(events?.signingKeyFile ?? '');
  const { headers, secrets, oauth2 } = credentialsOf(credentials);
  return {
    name,
    address,
    allow: input.allow.map(allowed),
    headers: { ...input.headers, ...headers },
    callHeaders: input.callHeaders.map((name) => name.toLowerCase()),
    oauth2,
    secrets: [
      ...secrets,
      ...signingKeys,
      ...(input.addressFile === undefined ? [] : partsOfAddress(address)),
    ],
    idempotencyKeyMs: idempotencyKeyHours * 3_600_000,
    timeoutMs: timeoutSeconds * 1_000,
    events: events ? { path: events.path, signingKeys } : null,
    notify,
    messages,
    mechanic,
  };
}

/** An answer may repeat a part of it. */
const partsOfAddress = ({ href, pathname, search }: URL): string[] => [
  href,
  ...[pathname, search].filter((part) => part.length > 1),
];

function allowed(text: string): AllowedCalls {
  const [methods = '', path = '/'] = text.split(' ');
  return { methods: methods.split(','), path };
}
