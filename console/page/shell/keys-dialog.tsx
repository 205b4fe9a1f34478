// The list of the keys that this view takes.
import { Dialog } from '../parts/dialog.tsx';
import { allKeys } from './keys.ts';

export function KeysDialog({ close }: { readonly close: () => void }) {
  const byKey = new Map(allKeys().map(({ key, words }) => [key, words]));
  return (
    <Dialog title="Keys" close={close}>
      <dl class="keys">
        {[...byKey].map(([key, words]) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>close what is open on top</dd>
        </div>
      </dl>
    </Dialog>
  );
}
