// The button that does the same for many. Where that is a message, whoever was told today is left out, and it is said who did it.
import { t } from '../../../shared/texts/text.ts';
import { Button } from '../parts/button.tsx';
import { type Told, ToldBefore } from './told-before.tsx';

interface TellAllProps {
  readonly keys: readonly string[];
  /** While none of them was told anything. */
  readonly words: string;
  /** What people of these cases were told today. */
  readonly told: Told;
  readonly canAct?: boolean;
  readonly begin: (keys: readonly string[]) => void;
}

export function TellAll({ keys, words, told, canAct = true, begin }: TellAllProps) {
  const untold = keys.filter((key) => !told.has(key));
  const isAgain = untold.length === 0;
  const again = isAgain ? t`Tell again…` : t`Tell the other ${untold.length}…`;
  return (
    <>
      <Button
        press={() => begin(isAgain ? keys : untold)}
        kind={isAgain ? undefined : 'main'}
        disabled={!canAct}
      >
        {told.size === 0 ? words : again}
      </Button>
      <ToldBefore told={told} of={keys.length} />
    </>
  );
}
