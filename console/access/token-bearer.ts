// Whose an access token is: that of a program, which may say for whom it acts, or that of a person. It is a person's unless the
// issuer has marked it. Only what the issuer alone writes is a mark: a name that people choose for themselves, like their user
// name, never is one by itself.
import { type JWTPayload, errors as joseErrors } from 'jose';
import { nameIn } from '../../contract/wire/names.ts';
import { shortName } from '../../contract/wire/request-headers.ts';
import { claimIn } from './claim-in.ts';
import type { TokenBearer } from './rights.ts';

/** By which an issuer that fits none of the marks below tells programs. In the value `<client>` stands for the token's client. */
export interface ProgramClaim {
  readonly claim: string;
  readonly value: string;
}

const LONGEST_NAME = 80;

/** As RFC 9068 and OpenID Connect name the client, Entra ID in tokens of version 1, Okta. */
const CLIENT_CLAIMS = ['client_id', 'azp', 'appid', 'cid'];

/** Each knows the token of a program by what one kind of issuer writes. */
const marks: readonly ((payload: JWTPayload, client: string) => boolean)[] = [
  // RFC 9068 section 2.2; section 5 and RFC 9700 section 4.15 forbid an issuer to let people have the id of a client as theirs.
  ({ sub }, client) => sub === client,
  // Entra ID: idtyp is of the issuer alone, and the token of a person has its scopes in scp.
  (payload) => isOfEntraApp(payload),
  // Auth0: gty is reserved. Without it, `@clients` might be the end of a name that somebody has chosen at another issuer.
  ({ gty, sub }, client) => gty === 'client-credentials' && sub === `${client}@clients`,
  // Keycloak: who may choose a user name could take that of a client without a service account. So the client's id must be there
  // too, which is a note of such a session alone, and no session of a person.
  ({ preferred_username: name, azp, client_id: id, clientId: before, sid, session_state }) =>
    typeof azp === 'string' &&
    name === `service-account-${azp.toLowerCase()}` &&
    (id ?? before) === azp &&
    sid === undefined &&
    session_state === undefined,
];

const isOfEntraApp = ({ idtyp, scp }: JWTPayload): boolean => idtyp === 'app' && scp === undefined;

/**
 * Throws JWTInvalid where nobody could read the name. A program has the name of its client, a person both. Each is cut by itself. In a name alone, ` by ` must not look like that of a
 * person by a program.
 */
export function bearerIn(payload: JWTPayload, programClaim?: ProgramClaim): TokenBearer {
  const { sub = '' } = payload;
  const client = CLIENT_CLAIMS.map((name) => payload[name]).find((each) => typeof each === 'string');
  const isPerson = !isMarked(payload, programClaim, client) && !isProgram(payload, client);
  const named = (text: string) => {
    const name = nameIn(text);
    if (name === undefined) throw new joseErrors.JWTInvalid('it names nobody');
    return shortName(name, LONGEST_NAME);
  };
  return {
    name:
      isPerson && client !== undefined
        ? `${named(sub)} by ${named(client)}`
        : named(client ?? sub).replaceAll(/ by /gi, '-by-'),
    id: JSON.stringify([sub, client ?? null]),
    isPerson,
  };
}

const isProgram = (payload: JWTPayload, client: string | undefined): boolean =>
  client !== undefined && marks.some((isOfProgram) => isOfProgram(payload, client));

function isMarked(payload: JWTPayload, by: ProgramClaim | undefined, client: string | undefined): boolean {
  if (by === undefined || (client === undefined && by.value.includes(CLIENT))) return false;
  return claimIn(payload, by.claim) === by.value.replaceAll(CLIENT, () => client ?? '');
}

const CLIENT = '<client>';

/**
 * `scope` as RFC 9068 has it, or `scp`; a text or a list. Entra ID gives a program no scopes: what an administrator has granted it
 * is in `roles`.
 */
export function scopesIn(payload: JWTPayload): string[] {
  const given = payload.scope ?? payload.scp ?? (isOfEntraApp(payload) ? payload.roles : undefined);
  if (typeof given === 'string') return given.split(' ');
  return Array.isArray(given) ? given.filter((each) => typeof each === 'string') : [];
}
