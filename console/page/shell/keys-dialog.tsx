// The list of the keys that this view takes.
import { Dialog } from '../parts/dialog.tsx';
import { allKeys } from './keys.ts';
import { currentMessages } from './locale.ts';

export function KeysDialog({ close }: { readonly close: () => void }) {
  const byKey = new Map(allKeys().map(({ key, words }) => [key, words]));
  const { shell } = currentMessages();
  return (
    <Dialog title={shell.keys} close={close}>
      <dl class="keys">
        {[...byKey].map(([key, words]) => (
          <div key={key}>
            <dt>
              {key.split(/[ -]/).map((each) => (
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
          <dd>{shell.closeTop}</dd>
        </div>
      </dl>
    </Dialog>
  );
}
