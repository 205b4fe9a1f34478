// The sign-in: with a name and a password, or by the link of npm start.
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { postJson, type Refusal, useDoing } from './api.ts';

export interface SignInProps {
  readonly hasPasswords: boolean;
  readonly refusal: Refusal | undefined;
  readonly signedIn: () => void;
}

export function SignIn({ hasPasswords, refusal, signedIn }: SignInProps) {
  const doing = useDoing((given: object) => postJson('/api/sign-in', given), signedIn);
  const shown = doing.refusal ?? refusal;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    doing.run(Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement)));
  };
  return (
    <main class="alone">
      <h1>lockerflow</h1>
      {shown && <RefusalNote refusal={shown} />}
      {hasPasswords ? (
        <form onSubmit={submit}>
          <Field label="Name" name="name" autocomplete="username" required />
          <Field label="Password" name="password" type="password" autocomplete="current-password" required />
          <Button kind="main" isBusy={doing.isBusy}>
            Sign in
          </Button>
        </form>
      ) : (
        <p>
          Open the link that <code>npm start</code> printed: it signs in once. For names and passwords, see{' '}
          <code>docs/console.md</code>.
        </p>
      )}
    </main>
  );
}
