// The desk: one registers a parcel, and gets its codes.
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import type { ViewProps } from '../shell/view.ts';
import { Parcel } from './parcel.tsx';
import { ParcelForm } from './parcel-form.tsx';

export function Desk({ user, search }: ViewProps) {
  const [key, setKey] = useState<string | null>(search.get('parcel'));
  if (!user.roles.includes('decide'))
    return (
      <>
        <h1>Desk</h1>
        <p class="card">
          The desk shows people and access codes, so it needs the role decide. Ask the person who keeps the
          file of the console's users.
        </p>
      </>
    );
  return (
    <>
      <h1>Register a parcel</h1>
      <p class="not-printed">
        Or <a href="/desk/start">start any process</a>.
      </p>
      {key === null ? (
        <ParcelForm pupUid={search.get('pup') ?? ''} registered={setKey} />
      ) : (
        <Parcel parcelKey={key}>
          <Button press={() => setKey(null)}>Register another parcel</Button>
        </Parcel>
      )}
    </>
  );
}
