// Why a sign-in by an OpenID provider came to nothing, as the console says it: from the errors of the protocol and of the network.
import * as openid from 'openid-client';
import { t } from '../../shared/texts/text.ts';
import { ConsoleRefusal } from '../refusal.ts';

const refusalMessages = () =>
  ({
    SignInNotBegun: t`This sign-in was not begun in this browser, was used already, or took longer than 10 minutes. Sign in again.`,
    SignInNotValid: t`The provider's answer is not valid. Sign in again; if it fails again, the console's log has the reason`,
    SignInDenied: t`The provider did not sign you in. Sign in again`,
    SignInWithoutName: t`The provider gives no name that the console can use`,
  }) as const;

export function refused(
  code: keyof ReturnType<typeof refusalMessages>,
  why?: string,
  cause?: unknown,
): ConsoleRefusal {
  const refusal = new ConsoleRefusal(
    401,
    code,
    why === undefined ? refusalMessages()[code] : `${refusalMessages()[code]}: ${why}.`,
  );
  refusal.cause = cause;
  return refusal;
}

export function providerIsAway(cause: unknown): ConsoleRefusal {
  const refusal = new ConsoleRefusal(
    503,
    'ProviderSilent',
    t`The sign-in provider cannot be reached, or does not answer as an OpenID provider. Try again; if it fails again, check CONSOLE_OIDC_ISSUER.`,
  );
  refusal.cause = cause;
  return refusal;
}

export function refusalOf(error: unknown): ConsoleRefusal {
  if (error instanceof ConsoleRefusal) return error;
  // The message has the provider's OAuth error code, such as access_denied.
  if (error instanceof openid.AuthorizationResponseError) return refused('SignInDenied', error.error, error);
  const { code, cause: inner } = error as { readonly code?: unknown; readonly cause?: unknown };
  if (error instanceof TypeError || code === 'OAUTH_TIMEOUT') return providerIsAway(error);
  if (error instanceof openid.ResponseBodyError) return refused('SignInNotValid', error.error, error);
  const { message = t`it is not as expected`, cause } = inner instanceof Error ? inner : (error as Error);
  const claim = (cause as { readonly claim?: unknown } | undefined)?.claim;
  if (claim === 'exp') return refused('SignInNotValid', t`its token has expired`, error);
  const isClaim = typeof claim === 'string';
  return refused(
    'SignInNotValid',
    isClaim ? t`${claim} of its token is not the one expected` : message,
    error,
  );
}
