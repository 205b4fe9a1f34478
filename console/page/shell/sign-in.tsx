// The sign-in: by an OpenID provider, with a name and a password, or by a link.

import { t } from '../../../shared/texts/text.ts';
import type { MeView } from '../../sign-in/sign-in-view.ts';
import { postJson, RequestError, useSubmission } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { Field, onSubmit } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';

interface SignInProps {
  readonly me: MeView;
  readonly refusal: RequestError | undefined;
  readonly signedIn: () => void;
}

export function SignIn({ me, refusal, signedIn }: SignInProps) {
  const doing = useSubmission((given: object) => postJson('/api/sign-in', given), signedIn);
  const { hasPasswords, provider, refused } = me;
  const byProvider = refused ? new RequestError(401, refused.error, refused.message) : undefined;
  const shown = doing.refusal ?? refusal ?? byProvider;
  // A page of another site: not by the page's own links.
  const goToProvider = () => {
    const to = location.pathname + location.search;
    location.assign(`/api/sign-in/provider?${new URLSearchParams({ to })}`);
  };
  return (
    <main class="alone">
      <h1>lockerflow</h1>
      {shown && <RefusalNote refusal={shown} />}
      {provider !== null && (
        <p>
          <Button kind="main" press={goToProvider}>{t`Sign in by ${provider}`}</Button>
        </p>
      )}
      {hasPasswords && (
        <form onSubmit={onSubmit((form) => doing.run(Object.fromEntries(new FormData(form))))}>
          <Field label={t`Name`} name="name" autocomplete="username" required />
          <Field
            label={t`Password`}
            name="password"
            type="password"
            autocomplete="current-password"
            required
          />
          <Button
            {...(provider === null && { kind: 'main' as const })}
            isBusy={doing.isBusy}
          >{t`Sign in`}</Button>
        </form>
      )}
      {provider === null && !hasPasswords && (
        <p>
          {/* What is between backticks is typed as it is. */}
          {t`Open the link that was printed at the start: it signs in once. \`npx lockerflow console-link\` prints another one. Names and passwords: \`docs/console.md\`.`
            .split('`')
            .map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}
        </p>
      )}
    </main>
  );
}
